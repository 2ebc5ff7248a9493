"""The result of a run, for a person: the puzzle before and after, and a short summary."""

from typing import Any

from rich.console import Console
from rich.table import Table

from coc_core.cli.console import text
from coc_core.domain import Domain
from coc_core.execution import Executor, describe_votes
from coc_core.setting import Setting
from coc_core.text import counted, duration, escaped, quoted
from coc_core.types import Expectation, Fault, Outcome

FEWEST = 100  # steps for which a rate means something
_LONGEST = 1_000  # characters of a problem

_COLOURS = {"solved": "green", "unsolved": "yellow", "unsolvable": "yellow", "fault": "red", "interrupted": "yellow"}


def puzzle(console: Console, domain: Domain[Any, Any, Any, Any], before: Any, after: Any) -> None:
    """Both states, side by side where the terminal is wide enough."""
    pictures = [domain.render(state, (console.width - 6) // 2) for state in (before, after)]
    widest = max(len(line) for picture in pictures for line in picture.splitlines())
    if 2 * widest + 6 <= console.width:
        table = Table.grid(padding=(0, 6, 0, 0))
        table.add_row(text("before", style="dim"), text("after", style="dim"))
        table.add_row(*(text(picture, no_wrap=True) for picture in pictures))
        console.print(table)
    else:
        for title, state in (("before", before), ("after", after)):
            console.print(text(title, style="dim"))
            console.print(text(domain.render(state, console.width), no_wrap=True), crop=True)
    console.print()


def summary(
    console: Console,
    setting: Setting,
    problem: Any,
    model: str,
    outcome: Outcome,
    expected: Expectation | None,
    composed: bool = False,
) -> None:
    """What happened, in three or four lines; `composed` says whether the steps were composed instead of taken."""
    colour = _COLOURS[outcome.status]
    stated = setting.domain.problems.format(problem)
    stated = stated if len(stated) <= _LONGEST else f"{stated[:_LONGEST]}…"
    where = " · ".join((setting.domain.name, stated, setting.memory.name, setting.arithmetic.name))
    console.print(text((outcome.status, f"bold {colour}"), f"  {where}"), soft_wrap=True)
    console.print(
        text(
            f"  {counted(outcome.steps, 'step')}, {counted(outcome.actions, 'action')}, each one validated;"
            f" {f'composed in {duration(outcome.seconds)}' if composed else speed(outcome.steps, outcome.seconds)}"
        ),
        soft_wrap=True,
    )
    console.print(text(f"  {counted(outcome.model_calls, 'model call')}: {model}"), soft_wrap=True)
    if outcome.votes is not None:
        console.print(text(f"  {describe_votes(outcome.votes)}"), soft_wrap=True)
    if setting.arith_model is not None:
        calls = counted(setting.arith_model.calls, "call")
        console.print(text(f"  {calls} of the arithmetic model: {setting.arith_model.describe()}"), soft_wrap=True)
    for mistake in setting.arithmetic.mistakes:
        remark(console, mistake)
    if (complaint := complaint_of(outcome)) is not None:
        console.print(text("  ", (complaint, "red")), soft_wrap=True)
    elif outcome.status == "solved" and expected is not None and outcome.actions == expected.actions:
        console.print(text(f"  {counted(expected.actions, 'action')}, as the closed form says"), soft_wrap=True)


def remark(console: Console, line: str) -> None:
    """One line about a result that is not as it should be."""
    console.print(text("  ", (line, "yellow")), soft_wrap=True)


def choice(console: Console, executor: Executor) -> None:
    """Which executor ran, where the one that was named chose among others."""
    if executor.used != executor.name:
        console.print(text(f"  executor: {executor.used}, chosen by {executor.name}"), soft_wrap=True)


def speed(steps: int, seconds: float) -> str:
    """How long a loop took, and its rate unless the steps were too few for one."""
    if steps < FEWEST or not seconds:
        return duration(seconds)
    return f"{duration(seconds)}, {steps / seconds:,.0f} steps/s"


def complaint_of(outcome: Outcome) -> str | None:
    """What ended a run before it halted, in one line that is safe for a terminal; None if nothing did."""
    if outcome.fault is not None:
        return fault_line(outcome.fault)
    return f"no plan solves it: {escaped(outcome.reason)}" if outcome.status == "unsolvable" else None


def fault_line(fault: Fault) -> str:
    """A fault in one line, its text made safe for a terminal."""
    where = "" if fault.offset is None else f" at offset {fault.offset}"
    tail = f"; the text{where} was {quoted(fault.text)}" if fault.text else ""
    return f"{fault.kind} fault at step {fault.step:,}: {fault.message}{tail}"
