"""How a model goes wrong: one answer, or all from some step on, replaced by another text."""

import re
from collections.abc import Sequence
from typing import Any, Literal, get_args

from attrs import frozen

from coc_core.memories import Convention
from coc_core.models import Model
from coc_core.testing.fuzz.case import Text
from coc_core.testing.fuzz.script import Script
from coc_core.testing.taught import left_undone, right_answer

Kind = Literal["other", "again", "digit", "cut", "hostile", "none"]
"""In which way an answer is wrong.

    other    it is the right answer to another prompt of the run
    again    nothing is done, and the same instruction comes again, or comes twice, or nothing comes
    digit    one digit is another
    cut      it ends early
    hostile  it is a text that no teacher writes
    none     there is none, since the model's arithmetic breaks down
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

HOSTILE = ("", "What?", "\x1b[2J", "OUTPUT \n", "PTR=-1", "PTR=\u0663", "x" * 601)
"""Texts that no policy writes; the last is longer than a target may be (`Case.limits`)."""

_DIGIT = re.compile("[0-9]")


@frozen
class Flaw:
    """From the step `step` of the problem with that index, one answer is wrong, or with `lasting` every one.

    `which` and `digit`, counted from 0, choose among the ways in which one can be of that kind.
    """

    problem: int
    step: int
    kind: Kind
    which: int
    digit: int
    lasting: bool


class Dealer(Model):
    """The reference with the flaws of one problem, asked once a step. `answers` gets what it says wrong, and keeps it.

    `targets` are those of the reference's own run.
    """

    name = "dealer"

    def __init__(
        self,
        convention: Convention[Any, Any],
        flaws: Sequence[Flaw],
        targets: Sequence[str],
        answers: dict[str, tuple[Text, ...]],
    ) -> None:
        super().__init__()
        self._convention = convention
        self._flaws = flaws
        self._targets = targets
        self._answers = answers
        self._script = Script(convention, answers)

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        for prompt in prompts:
            if prompt not in self._answers:
                self._spoil(prompt, self.calls + 1)
        return self._script.complete(prompts)

    def _spoil(self, prompt: str, step: int) -> None:
        """Note a wrong answer to `prompt`, if one is due."""
        for flaw in self._flaws:
            if flaw.step == step or (flaw.lasting and flaw.step < step):
                right = right_answer(self._convention, prompt)
                wrong = wrong_answer(flaw, self._convention, prompt, right, self._targets)
                if wrong != right:
                    self._answers[prompt] = (wrong,) if self.deterministic else (right, wrong)
                return


class FickleDealer(Dealer):
    """The same, but each answer is right at first, and wrong when its prompt comes again."""

    name = "fickle-dealer"
    deterministic = False


def wrong_answer(flaw: Flaw, convention: Convention[Any, Any], prompt: str, right: str, targets: Sequence[str]) -> Text:
    """What a flaw makes of the right answer; that itself where it makes nothing of it."""
    match flaw.kind:
        case "other":
            return targets[flaw.which % len(targets)]
        case "again":
            try:
                return left_undone(convention, prompt, (1, 2, 0)[flaw.which % 3])
            except (TypeError, ValueError):  # a chain has room for one successor
                return right
        case "digit":
            places = [found.start() for found in _DIGIT.finditer(right)]
            if not places:
                return right
            place = places[flaw.which % len(places)]
            return f"{right[:place]}{flaw.digit % 10}{right[place + 1 :]}"
        case "cut":
            return right[: flaw.which % (len(right) + 1)]
        case "hostile":
            return HOSTILE[flaw.which % len(HOSTILE)]
        case _:
            return None
