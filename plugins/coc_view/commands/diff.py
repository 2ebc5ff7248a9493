"""`coc diff`: what was run, each step and the ends of two recorded runs, compared."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from attrs import asdict, field, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.report import complaint_of
from coc_core.errors import EXIT_NOT_SOLVED
from coc_core.execution import StepRecord
from coc_core.options import option
from coc_core.runfile import Manifest, RunFile, ending as how_it_ends
from coc_core.text import counted, escaped, quoted, shortened
from coc_view.commands import RUN
from coc_view.terminal.places import described, ending

Kind = Literal["equal", "problem", "dialect", "step", "prefix", "ending"]
_COMPARED = ("prompt", "target", "pointer", "actions")


@frozen
class Difference:
    """How two runs differ. `kind` is `problem` or `dialect` if they have other problems or dialects, so that no step
    was compared; `step` if they differ at a step, `prefix` if one has all steps of the other and more, `ending` if only
    their outcomes differ, otherwise `equal`. Of the first `step` that differs, or that only one has, there are both
    records and the fields that differ; `manifests` are other differences, such as versions: the name and both values.
    """

    kind: Kind
    step: int | None = None
    one: StepRecord | None = field(default=None, repr=False)
    other: StepRecord | None = field(default=None, repr=False)
    parts: tuple[str, ...] = ()
    manifests: tuple[tuple[str, Any, Any], ...] = field(default=(), repr=False)


def compare_runs(one: RunFile, other: RunFile) -> Difference:
    """Return the first difference of two runs. Steps are read one at a time, so runs may be long."""
    a, b = one.manifest, other.manifest
    manifests = tuple(_manifests(a, b))
    if (a.domain, a.problem) != (b.domain, b.problem):
        return Difference("problem", manifests=manifests)
    if (a.memory, a.notation) != (b.memory, b.notation):
        return Difference("dialect", manifests=manifests)
    for step, (ours, theirs) in enumerate(zip_longest(one.records(), other.records()), 1):
        if ours is None or theirs is None:
            return Difference("prefix", step, ours, theirs, manifests=manifests)
        parts = tuple(name for name in _COMPARED if getattr(ours, name) != getattr(theirs, name))
        if parts:
            return Difference("step", step, ours, theirs, parts, manifests)
    return Difference(
        "equal" if how_it_ends(one.outcome) == how_it_ends(other.outcome) else "ending", manifests=manifests
    )


def _manifests(one: Manifest, other: Manifest) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name and both values of each entry that differs; None where a manifest lacks it."""
    first, second = dict(_flat("", asdict(one))), dict(_flat("", asdict(other)))
    for name in dict.fromkeys([*first, *second]):
        if first.get(name) != second.get(name):
            yield name, first.get(name), second.get(name)


def _flat(prefix: str, values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, value


_PARTS = ("prompt", "target", "actions", "pointer")
_LONGEST = 200  # characters of a value of the manifest
_LONGEST_TEXT = 4_000  # characters of a text
_MOST = 40  # values of the manifest


@frozen(kw_only=True, slots=False)
class DiffCommand:
    """What `coc diff` takes."""

    one: Path = option(RUN)
    other: Path = option(RUN)


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
        runs = [(one, first, found.one), (other, second, found.other)]
        fields = {
            "equal": found.kind == "equal",
            "kind": found.kind,
            "step": found.step,
            "parts": list(found.parts),
            **{name: _side(*run) for name, run in zip("ab", runs, strict=True)},
            "manifest": {name: values for name, *values in found.manifests},
        }
        table = console.table(("", str(one), str(other)), _rows(found, runs))
        table.padding, table.columns[0].style = (0, 3, 0, 0), "dim"
        for column in table.columns[1:]:
            column.ratio = 1
        headline = _headline(found, first, second), "green" if found.kind == "equal" else "bold"
        console.report(fields, headline, [table])
    return 0 if found.kind == "equal" else EXIT_NOT_SOLVED


def _side(path: Path, run: RunFile, recorded: StepRecord | None) -> dict[str, Any]:
    step = {name: getattr(recorded, name) for name in ("step", *_PARTS)} if recorded else None
    return {**described(path, run), "recorded": step}


def _rows(found: Difference, runs: list[tuple[Path, RunFile, StepRecord | None]]) -> Iterator[list[str]]:
    """Yield the parts of the step of both runs, how they end, and the values of the manifest that differ."""
    for name in _PARTS if found.step is not None else ():
        yield [name, *(shortened(escaped(_text(run, step, name)), _LONGEST_TEXT) for _, run, step in runs)]
    yield ["recorded end", *(shortened(_ends(run), _LONGEST_TEXT) for _, run, _ in runs)]
    for each in found.manifests[:_MOST]:
        yield ["" if value is None else quoted(str(value), _LONGEST)[1:-1] for value in each]
    if (more := len(found.manifests) - _MOST) > 0:
        yield ["", f"and {more:,} more, which --json lists", ""]


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


def _text(run: RunFile, record: StepRecord | None, name: str) -> str:
    """Return a part of a step; of one that the run does not have, the text at fault, if it ended with a fault there."""
    if record is None:
        fault = run.outcome.fault if run.outcome else None
        return fault.text if fault and name == "target" else ""
    value = getattr(record, name)
    return "; ".join(value) if isinstance(value, tuple) else str(value)


def _ends(run: RunFile) -> str:
    """Return how a run ends, in a line."""
    line = f"{ending(run.outcome)} after {counted(run.steps, 'step')}"
    complaint = complaint_of(run.outcome) if run.outcome else ""
    return f"{line}; {escaped(complaint)}" if complaint else line
