"""The result of a run, for a person, in a few lines."""

from collections.abc import Iterable, Sequence
from typing import Any

from coc_core.cli import console
from coc_core.execution import Executor
from coc_core.models import Model, outside
from coc_core.setting import Setting
from coc_core.text import counted, duration, escaped, quoted, shortened
from coc_core.types import Expectation, Fault, Outcome

FEWEST = 100  # steps for which a rate means something
LONGEST = 60  # characters of a problem in a line

_COLOURS = {"solved": "green", "unsolved": "yellow", "unsolvable": "yellow", "fault": "red", "interrupted": "yellow"}


def summary(
    setting: Setting,
    problem: Any,
    model: str,
    outcome: Outcome,
    expected: Expectation | None,
    skipped: int = 0,
    reported: Sequence[str] = (),
    before: int = 0,
) -> None:
    """Print what happened, in three or four lines, of which -q leaves the first one and that of a fault.

    Args:
        setting: Where the run took place.
        problem: What was to be solved.
        model: What is said of the model.
        outcome: How the run ended.
        expected: How many actions the run was to have, if that is known.
        skipped: How many of the steps were skipped, because what they do was composed.
        reported: What the executor reported, a line each.
        before: How many of the steps were recorded before, and not taken now.
    """
    stated = shortened(setting.domain.problems.format(problem), LONGEST)
    where = " · ".join((setting.domain.name, stated, setting.memory.name, setting.arithmetic.name))
    console.line((outcome.status, f"bold {_COLOURS[outcome.status]}"), f"  {where}")
    new = max(0, outcome.steps - before)
    took = f", in {duration(outcome.seconds)}" if skipped else f"; {speed(new, outcome.seconds)}"
    took = f"; {before:,} recorded before, {new:,} new{took}" if before else took
    checks = legality(outcome.actions, skipped, outcome.steps)
    console.detail(f"  {counted(outcome.steps, 'step')}, {checks}{took}")
    console.detail(f"  {counted(outcome.model_calls, 'model call')} to {model}")
    for line in reported:
        console.detail(f"  {line}")
    if setting.arith_model is not None:
        calls = counted(setting.arith_model.calls, "call")
        console.detail(f"  {calls} to the arithmetic model {setting.arith_model.describe()}")
    for mistake in setting.arithmetic.mistakes:
        remark(mistake)
    if (complaint := complaint_of(outcome)) is not None:
        console.line("  ", (complaint, "red"))
    elif outcome.status == "solved" and expected is not None and outcome.actions == expected.actions:
        known = f"the known optimum ({expected.optimum})" if expected.optimum else "the expected number"
        console.detail(f"  {counted(expected.actions, 'action')}, {known}")


def legality(actions: int, skipped: int, steps: int) -> str:
    """Return how many actions a run has, and how it is known that they are legal.

    Args:
        actions: How many there are.
        skipped: How many steps were skipped, because what they do was composed.
        steps: How many steps there are in all.
    """
    if not actions:
        return counted(actions, "action")
    each, every, them = ("", "", "it") if actions == 1 else ("each one ", "all ", "them")
    if not skipped:
        how = f"{each}checked as it was taken"
    else:
        how = f"{every}{'checked, or ' if skipped < steps else ''}proved legal without stepping through {them}"
    return f"{counted(actions, 'action')}, {how}"


def remark(line: str) -> None:
    """Print one line about a result that is not as it should be."""
    console.detail("  ", (line, "yellow"))


def choice(executor: Executor) -> None:
    """Print which executor ran, where the one that was named chose among others."""
    if executor.used != executor.name:
        console.detail(f"  executor: {executor.used}, chosen by {executor.name}")


def speed(steps: int, seconds: float) -> str:
    """Return how long a loop took, and its rate unless the steps were too few for one."""
    if steps < FEWEST or not seconds:
        return duration(seconds)
    return f"{duration(seconds)}, {steps / seconds:,.0f} steps/s"


def complaint_of(outcome: Outcome) -> str | None:
    """Return what ended a run before it halted, in one line that is safe for a terminal; None if nothing did."""
    if outcome.fault is not None:
        return fault_line(outcome.fault)
    why = "no plan solves it: " if outcome.status == "unsolvable" else ""
    return f"{why}{escaped(outcome.reason)}" if outcome.reason else None


def fault_line(fault: Fault) -> str:
    """Return a fault in one line, its text made safe for a terminal."""
    tail = f"; the text was {quoted(fault.text)}" if fault.text else ""
    if fault.text and fault.offset is not None:
        tail = f" at character {fault.offset + 1:,} of the text, which begins {quoted(fault.text)}"
    return f"{fault.kind} fault at step {fault.step:,}: {fault.message}{tail}"


def warn_outside(model: Model, sizes: Iterable[int]) -> str:
    """Print a note about sizes that the model was not trained on, if there are any; gives it."""
    sentence = outside(model, sizes)
    if sentence:
        console.warn(sentence)
    return sentence
