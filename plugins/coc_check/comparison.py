"""The one comparison with Algorithm 1: what a run did and left, and the first thing in which two runs differ."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_check.check import require
from coc_check.plain import Trace
from coc_core.execution import Listener, StepRecord
from coc_core.setting import Setting
from coc_core.types import Outcome


class Watched:
    """A machine whose steps are kept; then the `others` are notified of them. If it is `silent`, nobody is."""

    def __init__(
        self, setting: Setting, problem: Any, others: Sequence[Listener] = (), *, silent: bool = False
    ) -> None:
        self.steps: list[StepRecord] = []
        self.ends: list[Trace] = []  # what a caller has noted
        heard = [] if silent else [self.steps.append, *others]
        self.machine = setting.machine(problem, heard)

    def trace(self, outcome: Outcome | None = None) -> Trace:
        """What the machine has done and holds now, by default with the outcome that it says itself."""
        machine = self.machine
        own = outcome or Outcome(machine.status, machine.steps, machine.actions, machine.fault)
        return Trace(tuple(self.steps), own, machine.state, machine.pointer, tuple(machine.windows))


@frozen
class Difference:
    """The first thing in which a run is not what Algorithm 1 says.

    `problem` is its index, `step` counts from 1, `what` names the thing in words; the other two show it.
    """

    problem: int
    step: int
    what: str
    wanted: str
    found: str


_OF_A_STEP = ("step", "window", "prompt", "target", "actions", "numbers", "before", "after", "pointer", "windows")
_OF_THE_END = ("end", "state", "pointer", "windows")
_WORDS = {"before": "state before the step", "after": "state after the step"}
_REPORTED = "what listeners were notified of"


def compare(problem: int, wanted: Trace, found: Trace) -> Difference | None:
    """The first difference between two runs of a problem; None if there is none."""
    difference = compare_steps(problem, wanted.steps, found.steps)
    if difference is not None:
        return difference
    if len(found.steps) < len(wanted.steps) and found.end == wanted.end:
        step = wanted.steps[len(found.steps)]
        return Difference(problem, step.step, _REPORTED, ascii(step.target), "nothing")
    last = min(run.outcome.fault.step if run.outcome.fault else run.outcome.steps for run in (wanted, found))
    return _first(problem, last, wanted, found, _OF_THE_END)


def compare_steps(problem: int, wanted: Sequence[StepRecord], found: Sequence[StepRecord]) -> Difference | None:
    """The first difference among the steps of two runs, the second of which may have ended early."""
    for one, other in zip(wanted, found, strict=False):
        difference = _first(problem, one.step, one, other, _OF_A_STEP)
        if difference is not None:
            return difference
    if len(found) > len(wanted):
        extra = found[len(wanted)]
        return Difference(problem, extra.step, _REPORTED, "nothing", ascii(extra.target))
    return None


def require_same(wanted: Trace, found: Trace, which: str, rule: str) -> None:
    """Nonconforming, with the first difference, unless two runs are the same; `rule` says what the wanted one is by."""
    difference = compare(0, wanted, found)
    if difference is not None:
        what = f"{difference.what} is {difference.found}"
        require(False, f"at step {difference.step} {what}, {rule} it is {difference.wanted}", which)


def _first(problem: int, step: int, wanted: Any, found: Any, names: Sequence[str]) -> Difference | None:
    for name in names:
        if getattr(wanted, name) != getattr(found, name):
            return Difference(problem, step, f"the {_WORDS.get(name, name)}", _shown(wanted, name), _shown(found, name))
    return None


def _shown(run: Any, name: str) -> str:
    if name != "end":
        return ascii(getattr(run, name))
    end, fault = run.outcome, run.outcome.fault
    cause = f", at step {fault.step} {fault.kind}: {fault.message}, with {fault.text!a}" if fault else ""
    return f"{end.status} after {end.steps} steps and {end.actions} actions{cause}"
