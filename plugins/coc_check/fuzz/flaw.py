"""How a model goes wrong: one target, or all from some step on, replaced by another text."""

import random
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_check.fuzz.case import Text
from coc_check.fuzz.place import NondeterministicPolicy
from coc_check.scripted import ScriptedPolicy
from coc_check.texts.responses import WAYS, right_target
from coc_core.memories import Convention

KINDS = ("other", *WAYS)
"""In which way a target is wrong: it is the right one for another prompt of the run, or one of WAYS."""


@frozen
class Flaw:
    """From the step `step` of the problem with that index, one target is wrong, or with `lasting` every one.

    `which`, counted from 0, chooses among the ways in which one can be of that kind. Of a model that may respond in two
    ways, the wrong target comes second, or with `first` first.
    """

    problem: int
    step: int
    kind: str
    which: int
    lasting: bool
    first: bool = False


class Flawed(ScriptedPolicy):
    """The policy with the flaws of one problem, called once a step. `responses` gets what it writes wrong and keeps it.

    `targets` are those of the policy's own run; none if the case's limits stop its first step.
    """

    name = "flawed"

    def __init__(
        self,
        convention: Convention[Any, Any],
        flaws: Sequence[Flaw],
        targets: Sequence[str],
        responses: dict[str, tuple[Text, ...]],
    ) -> None:
        super().__init__(convention, responses)
        self._flaws, self._targets, self._found = flaws, targets, responses

    def _respond(self, prompt: str) -> str:
        if prompt not in self._found:
            self._go_wrong(prompt, self.calls + 1)
        return super()._respond(prompt)

    def _go_wrong(self, prompt: str, step: int) -> None:
        """Note a wrong response to `prompt`, if one is due."""
        for flaw in self._flaws:
            if flaw.step == step or (flaw.lasting and flaw.step < step):
                right = right_target(self._convention, prompt)
                wrong = wrong_target(flaw, self._convention, prompt, right, self._targets)
                if wrong != right:
                    two = (wrong, right) if flaw.first else (right, wrong)
                    self._found[prompt] = (wrong,) if self.deterministic else two
                return


class NondeterministicFlawed(Flawed, NondeterministicPolicy):
    """The same, but each target is right at first and wrong when its prompt comes again, or the other way round."""


def wrong_target(flaw: Flaw, convention: Convention[Any, Any], prompt: str, right: str, targets: Sequence[str]) -> Text:
    """Return what a flaw makes of the right target; that itself where it makes nothing of it."""
    if flaw.kind == "other":
        return targets[flaw.which % len(targets)] if targets else right
    try:
        return WAYS[flaw.kind](random.Random(flaw.which), right, prompt, convention)
    except (TypeError, ValueError):  # a step can't leave so many instructions
        return right
