"""`coc check`: whether the parts of a plugin keep what their interfaces promise."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from coc_check.check import WARNING, Check
from coc_check.result import Result, examine, select
from coc_check.slow import naming_a_slow_problem
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import PluginError
from coc_core.options import Name, Option, PluginOptions, Several, option, shared
from coc_core.text import assignments, counted, duration, escaped

CHECKS = "Checks"
"""The panel of the options that choose checks."""

_STYLES = {
    "passed": "green",
    "failed": "bold red",
    "expected failure": "yellow",
    "unexpected pass": "bold red",
    "skipped": "dim",
}
_LONGEST = 1_000  # characters of a line; the document has all of it


@frozen(kw_only=True, slots=False)
class CheckCommand(PluginOptions):
    """What `coc check` takes."""

    name: str = option(
        Option(
            "The part to check, such as hanoi, the plugin whose parts to check, or a checkpoint's folder.",
            (),
            Name("NAME"),
            completes="checkable",
        )
    )
    kind: str | None = option(
        Option(
            "Check only parts of this kind: domain, memory, arithmetic, model or executor.",
            ("--kind",),
            Name("KIND"),
            CHECKS,
        ),
        None,
    )
    only: tuple[str, ...] = option(
        Option(
            "Run only this check, even if checks it depends on fail. Repeatable.", ("--only",), Several("CHECK"), CHECKS
        ),
        (),
    )
    expect: tuple[str, ...] = option(
        Option(
            "Expect this check to fail, for a known reason; if it passes, report that as a failure. Repeatable.",
            ("--expect-failure",),
            Several("CHECK=REASON"),
            CHECKS,
        ),
        (),
    )
    as_json: bool = option(shared.JSON, False)


@command(CheckCommand)
def check(options: CheckCommand) -> int:
    """Run the conformance checks of a plugin.

    Each failure is shown with a small example, and with the line of your code if it is known. Checks that depend on a
    failed check are skipped, so you see the root cause. The exit code is 0 if all checks pass.

    Examples:
        coc check hanoi
        coc check tape --kind memory
        coc check ./my-checkpoint
        coc check my-puzzle --plugin my_puzzle.py
    """
    name, only, plugins = options.name, options.only, options.plugins
    registry = console.registry(plugins)
    from coc_check.parts import checks

    found = list(checks(registry, name, options.kind))
    expected = assignments(options.expect, "--expect-failure", "CHECK=REASON")
    select(found, expected)
    results = _examined(name, select(found, only) if only else found, expected, skip=not only)
    if options.as_json:
        console.document(_document(results, plugins))
    else:
        _show(results, plugins)
    return 0 if all(result.as_promised for result in results) else PluginError.exit_code


def _examined(name: str, chosen: Sequence[Check], expected: Mapping[str, str], *, skip: bool) -> list[Result]:
    results: list[Result] = []

    def current() -> str:
        return next((check.name for check in chosen[len(results) :]), "")

    shown = progress(console.err(), f"checking {name}", lambda: len(chosen), lambda: len(results), current)
    with naming_a_slow_problem(), shown:
        for each in chosen:
            results.append(examine(each, expected, results if skip else ()))
    return results


def _show(results: Sequence[Result], plugins: Sequence[Path]) -> None:
    out, details = console.out(), console.details()
    for part, group in groupby(results, lambda result: f"{result.check.kind} {result.check.part}"):
        details.print(console.text(escaped(part), style="bold"))
        table = Table(box=None, pad_edge=False)
        table.add_column("check")
        table.add_column("result")
        table.add_column("time", justify="right")
        for result in group:
            outcome = console.text(result.outcome, style=_STYLES[result.outcome])
            table.add_row(result.check.name, outcome, duration(result.seconds))
        details.print(table)
        for what, how in result.check.tried.items():
            if what == WARNING:
                out.print(console.text(f"{what}: {escaped(how)}", style="yellow"))
                continue
            label = what if what == "not stated" else f"tried: {what}"
            details.print(console.text(f"{label}: {escaped(how)}", style="dim"))
        details.print()
    for result in results:
        if result.outcome not in ("passed", "skipped"):
            _tell(out, result, plugins)
    skipped: dict[str, list[str]] = {}
    for result in results:
        if result.outcome == "skipped":
            skipped.setdefault(f"{escaped(result.check.part)}, {result.reason}", []).append(result.check.name)
    for which, names in skipped.items():
        details.print(console.text(f"skipped: {which}: {', '.join(names)}"), "")
    counts = Counter[str](result.outcome for result in results)
    parts = ", ".join(f"{counts[each]} {each}" for each in _STYLES if counts[each])
    out.print(console.text(f"{counted(len(results), 'check')}: {parts}"))


def _tell(out: Console, result: Result, plugins: Sequence[Path]) -> None:
    """A failure: what was expected, what was found and with what, where to look, and what runs the check alone."""
    check = result.check
    title = f"{result.outcome}: {check.kind} {escaped(check.part)}, {check.name}"
    out.print(console.text(title, style=_STYLES[result.outcome]))
    told = {
        "promised": check.promise,
        "found": result.complaint,
        "with": result.example,
        "at": result.where,
        "known": result.reason if result.outcome == "expected failure" else "",
        "hint": check.hint if result.outcome == "failed" else "",
    }
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", width=len("promised"))
    grid.add_column(overflow="fold")
    for label, text in told.items():
        if text:
            grid.add_row(label, console.text(escaped(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")))
    out.print(grid)
    # A command that is not broken into lines can be copied.
    console.line(("again     ", "dim"), escaped(_command(check, plugins)))
    out.print()


def _command(check: Check, plugins: Iterable[Path]) -> str:
    """What runs this check alone, with the same plugins."""
    return " ".join([check.command, *(f"--plugin {shlex.quote(str(path))}" for path in plugins)])


def _document(results: Sequence[Result], plugins: Sequence[Path]) -> dict[str, Any]:
    """Those that failed as expected count neither as passed nor as failed, nor do those that were skipped."""
    return {
        "passed": sum(result.outcome == "passed" for result in results),
        "failed": sum(result.outcome in ("failed", "unexpected pass") for result in results),
        "skipped": sum(result.outcome == "skipped" for result in results),
        "tried": {f"{check.kind} {check.part}": dict(check.tried) for check in (result.check for result in results)},
        "checks": [
            {
                "kind": result.check.kind,
                "part": result.check.part,
                "check": result.check.name,
                "promise": result.check.promise,
                "outcome": result.outcome,
                "complaint": result.complaint,
                "example": result.example,
                "where": result.where,
                "reason": result.reason,
                "hint": result.check.hint,
                "command": _command(result.check, plugins),
                "seconds": round(result.seconds, 3),
            }
            for result in results
        ],
    }
