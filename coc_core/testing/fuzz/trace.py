"""What a run leaves behind, to be compared: the steps as a listener heard them, and how it ended."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_core.execution import StepRecord
from coc_core.types import Outcome


@frozen
class Trace:
    """One run: its steps, its outcome (without calls and seconds), the last state and the memory."""

    heard: tuple[StepRecord, ...]
    outcome: Outcome
    state: Any
    pointer: int
    windows: tuple[str, ...]


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


_WORDS = {
    "step": "the step's number",
    "window": "the window that was read",
    "prompt": "the prompt",
    "target": "the target",
    "actions": "the actions",
    "before": "the state before the step",
    "after": "the state after the step",
    "pointer": "the memory's pointer",
    "windows": "the memory's windows",
    "outcome": "how the run ended",
    "state": "the last state",
}


def compare(problem: int, wanted: Trace, found: Trace) -> Difference | None:
    """The first difference between two runs of a problem; None if there is none."""
    heard = compare_heard(problem, wanted.heard, found.heard)
    if heard is not None:
        return heard
    if len(found.heard) < len(wanted.heard) and found.outcome == wanted.outcome:
        step = wanted.heard[len(found.heard)]
        return Difference(problem, step.step, "what listeners heard", ascii(step.target), "nothing")
    step_of_end = min(run.outcome.fault.step if run.outcome.fault else run.outcome.steps for run in (wanted, found))
    return _first(problem, step_of_end, wanted, found, ("outcome", "state", "pointer", "windows"))


def compare_heard(problem: int, wanted: Sequence[StepRecord], found: Sequence[StepRecord]) -> Difference | None:
    """The first difference among the steps of two runs, the second of which may have ended early."""
    names = [name for name in _WORDS if name in (*StepRecord._fields, "windows")]
    for one, other in zip(wanted, found, strict=False):
        different = _first(problem, one.step, one, other, names)
        if different is not None:
            return different
    if len(found) > len(wanted):
        extra = found[len(wanted)]
        return Difference(problem, extra.step, "what listeners heard", "nothing", ascii(extra.target))
    return None


def _first(problem: int, step: int, wanted: Any, found: Any, names: Sequence[str]) -> Difference | None:
    for name in names:
        one, other = getattr(wanted, name), getattr(found, name)
        if one != other:
            return Difference(problem, step, _WORDS[name], _shown(one), _shown(other))
    return None


def _shown(value: Any) -> str:
    if not isinstance(value, Outcome):
        return ascii(value)
    end = f"{value.status} after {value.steps} steps and {value.actions} actions"
    if value.fault is None:
        return end
    fault = value.fault
    return f"{end}, at step {fault.step} {fault.kind}: {fault.message}, with {fault.text!a}"
