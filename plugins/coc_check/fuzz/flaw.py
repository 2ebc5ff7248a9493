"""How a model goes wrong: one target, or all from some step on, replaced by another text."""

import random
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_check.fuzz.case import Text
from coc_check.plain import run_plainly
from coc_check.responses import WAYS, right_target
from coc_check.scripted import ScriptedPolicy
from coc_core.memories import Convention
from coc_core.setting import Setting

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


def wrong_responses(
    setting: Setting, problems: Sequence[Any], flaws: Sequence[Flaw], nondeterministic: bool = False
) -> dict[str, tuple[Text, ...]]:
    """Return the wrong responses of a model with these flaws in the runs of some problems."""
    responses: dict[str, tuple[Text, ...]] = {}
    for number, problem in enumerate(problems):
        own = [flaw for flaw in flaws if flaw.problem == number]
        if own:
            right = run_plainly(setting, problem, setting.model("reference"))
            model = _Flawed(setting.convention, responses)
            model.flaws, model.targets = own, [step.target for step in right.steps]
            model.deterministic, model.found = not nondeterministic, responses
            run_plainly(setting, problem, model)
    return responses


class _Flawed(ScriptedPolicy):
    """The policy with the flaws of one problem, called once a step. `found` gets what it writes wrong and keeps it."""

    name = "flawed"
    flaws: Sequence[Flaw]
    targets: Sequence[str]
    found: dict[str, tuple[Text, ...]]

    def _respond(self, prompt: str) -> str:
        step = self.calls + 1
        due = (flaw for flaw in self.flaws if flaw.step == step or (flaw.lasting and flaw.step < step))
        flaw = next(due, None)
        if flaw is not None and prompt not in self.found:
            right = right_target(self._convention, prompt)
            wrong = wrong_target(flaw, self._convention, prompt, right, self.targets)
            if wrong != right:
                two = (wrong, right) if flaw.first else (right, wrong)
                self.found[prompt] = (wrong,) if self.deterministic else two
        return super()._respond(prompt)


def wrong_target(flaw: Flaw, convention: Convention[Any, Any], prompt: str, right: str, targets: Sequence[str]) -> Text:
    """Return what a flaw makes of the right target; that itself where it makes nothing of it.

    `targets` are those of the policy's own run; none if a limit stops its first step.
    """
    if flaw.kind == "other":
        return targets[flaw.which % len(targets)] if targets else right
    try:
        return WAYS[flaw.kind](random.Random(flaw.which), right, prompt, convention)
    except (TypeError, ValueError):  # a step can't leave so many instructions
        return right
