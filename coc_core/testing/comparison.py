"""The one comparison with Algorithm 1: what a run did and left, and the first thing in which two runs differ."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_core.execution import Listener, StepRecord
from coc_core.memories import Memory
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.testing.plain import run_plainly
from coc_core.types import Outcome


@frozen
class Trace:
    """One run: the steps that its listeners were told of, how it ended, and what it left."""

    steps: tuple[StepRecord, ...]
    outcome: Outcome
    state: Any
    pointer: int
    windows: tuple[str, ...]

    @classmethod
    def of(cls, steps: Sequence[StepRecord], outcome: Outcome, state: Any, memory: Memory[Any, Any]) -> "Trace":
        """What can be seen now."""
        return cls(tuple(steps), outcome, state, memory.pointer, tuple(memory.windows()))

    @property
    def end(self) -> tuple[Any, ...]:
        """The outcome's kinds, numbers and texts, without its wording, calls and seconds."""
        end, fault = self.outcome, self.outcome.fault
        known = (fault.step, fault.kind, fault.text, fault.offset) if fault else None
        return end.status, end.steps, end.actions, known

    @property
    def plan(self) -> tuple[Any, ...]:
        """The actions of all steps."""
        return tuple(action for record in self.steps for action in record.actions)


class Watched:
    """A machine whose steps are kept; then the `others` are told of them."""

    def __init__(self, setting: Setting, problem: Any, others: Sequence[Listener] = ()) -> None:
        self.steps: list[StepRecord] = []
        self.ends: list[Trace] = []  # what a caller has noted
        self.machine = setting.machine(problem, [lambda record: self.steps.append(record.detached()), *others])

    def trace(self, outcome: Outcome | None = None) -> Trace:
        """What the machine has done and holds now, by default with the outcome that it says itself."""
        machine = self.machine
        own = outcome or Outcome(machine.status, machine.steps, machine.actions, machine.fault)
        return Trace.of(self.steps, own, machine.state, machine.memory)


def plain_trace(setting: Setting, problem: Any, model: Model, *others: Listener) -> Trace:
    """The run that Algorithm 1 makes of a problem. The `others` are told of its steps, too."""
    steps: list[StepRecord] = []
    run = run_plainly(setting, problem, model, [*others, lambda record: steps.append(record.detached())])
    return Trace.of(steps, run.outcome, run.state, run.memory)


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


_OF_A_STEP = {
    "step": "the step's number",
    "window": "the window that was read",
    "prompt": "the prompt",
    "target": "the target",
    "actions": "the actions",
    "numbers": "the numbers that may be wrong",
    "before": "the state before the step",
    "after": "the state after the step",
    "pointer": "the memory's pointer",
    "windows": "the memory's windows",
}
_OF_THE_END = {
    "end": "how the run ended",
    "state": "the last state",
    "pointer": "the memory's pointer",
    "windows": "the memory's windows",
}
_REPORTED = "what listeners were told"


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


def _first(problem: int, step: int, wanted: Any, found: Any, names: dict[str, str]) -> Difference | None:
    for name, what in names.items():
        if getattr(wanted, name) != getattr(found, name):
            return Difference(problem, step, what, _shown(wanted, name), _shown(found, name))
    return None


def _shown(run: Any, name: str) -> str:
    if name != "end":
        return ascii(getattr(run, name))
    end, fault = run.outcome, run.outcome.fault
    told = f", at step {fault.step} {fault.kind}: {fault.message}, with {fault.text!a}" if fault else ""
    return f"{end.status} after {end.steps} steps and {end.actions} actions{told}"
