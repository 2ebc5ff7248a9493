"""`coc diff`: the first step at which two recorded runs differ."""

from pathlib import Path
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.show import complaint_of
from coc_core.errors import EXIT_NOT_SOLVED
from coc_core.execution import StepRecord
from coc_core.options import option, shared
from coc_core.runfile import RunFile
from coc_core.text import counted, escaped, quoted, shortened
from coc_view.commands import arguments
from coc_view.diff import Difference, compare_runs
from coc_view.terminal.places import described, ending

_PARTS = ("prompt", "target", "actions", "pointer")
_LONGEST = 200  # characters of a value of the manifest
_LONGEST_TEXT = 4_000  # characters of a text
_MOST = 40  # values of the manifest


@frozen(kw_only=True, slots=False)
class DiffCommand:
    """What `coc diff` takes."""

    one: Path = option(arguments.RUN)
    other: Path = option(arguments.RUN)
    as_json: bool = option(shared.JSON, False)


@command(DiffCommand)
def diff(options: DiffCommand) -> int:
    """Find the first step at which two recorded runs differ.

    The exit code is 0 if the runs are equal, and 1 if they are not.

    Examples:
        coc diff one.run other.run
    """
    one, other = options.one, options.other
    with RunFile.open(one) as first, RunFile.open(other) as second:
        found = compare_runs(first, second)
        if options.as_json:
            console.document(_document(found, (one, first), (other, second)))
        else:
            _show(console.out(), found, (one, first), (other, second))
    return 0 if found.kind == "equal" else EXIT_NOT_SOLVED


def _document(found: Difference, a: tuple[Path, RunFile], b: tuple[Path, RunFile]) -> dict[str, Any]:
    sides = [
        {**described(*run), "recorded": _plain(recorded) if recorded else None}
        for run, recorded in ((a, found.one), (b, found.other))
    ]
    return {
        "equal": found.kind == "equal",
        "kind": found.kind,
        "step": found.step,
        "parts": list(found.parts),
        "a": sides[0],
        "b": sides[1],
        "manifest": {name: values for name, *values in found.manifests},
    }


def _plain(record: StepRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in ("step", *_PARTS)}


def _show(out: Console, found: Difference, a: tuple[Path, RunFile], b: tuple[Path, RunFile]) -> None:
    console.line(_headline(found, a[1], b[1]), style="green" if found.kind == "equal" else "bold")
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 3, 0, 0))
    table.add_column("", style="dim")
    for path, _ in (a, b):
        table.add_column(console.text(str(path)), overflow="fold", ratio=1)
    if found.step is not None:
        for name in _PARTS:
            sides = ((found.one, a[1]), (found.other, b[1]))
            texts = (_text(side, name) if side else _text_at_fault(run, name) for side, run in sides)
            table.add_row(name, *(console.text(shortened(escaped(text), _LONGEST_TEXT)) for text in texts))
    table.add_row("recorded end", *(console.text(shortened(_ends(run), _LONGEST_TEXT)) for _, run in (a, b)))
    for name, *values in found.manifests[:_MOST]:
        table.add_row(
            console.text(quoted(name, _LONGEST)[1:-1]),
            *(console.text("" if value is None else quoted(str(value), _LONGEST)[1:-1]) for value in values),
        )
    if (more := len(found.manifests) - _MOST) > 0:
        table.add_row("", console.text(f"and {more:,} more, which --json lists"))
    console.details().print(table)


def _headline(found: Difference, one: RunFile, other: RunFile) -> str:
    """Return the result in one line."""
    same = f"the runs have the same {counted(one.steps, 'step')}"
    match found.kind:
        case "problem":
            return "different: the runs are of different problems, so no step was compared"
        case "dialect":
            return "different: the runs are of the same problem in two dialects, so no step was compared"
        case "step":
            return f"different: step {found.step:,} is the first to differ, in its {' and '.join(found.parts)}"
        case "prefix":
            which = "first" if one.steps < other.steps else "second"
            return f"different: the {which} run ends before step {found.step:,}; all steps up to there are the same"
        case "ending":
            return f"different: {same}, but end differently"
    return f"equal: {same} and the same end"


def _text(side: StepRecord, name: str) -> str:
    value = getattr(side, name)
    return "; ".join(value) if isinstance(value, tuple) else str(value)


def _text_at_fault(run: RunFile, name: str) -> str:
    """Return what is shown for a step that a run does not have: the text at fault, if it ended with a fault there."""
    fault = run.outcome.fault if run.outcome else None
    return fault.text if fault and name == "target" else ""


def _ends(run: RunFile) -> str:
    """Return how a run ends, in a line."""
    complaint = complaint_of(run.outcome) if run.outcome else None
    line = f"; {escaped(complaint)}" if complaint else ""
    return f"{ending(run.outcome)} after {counted(run.steps, 'step')}{line}"
