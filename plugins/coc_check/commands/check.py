"""`coc check`: whether the parts of a plugin keep what their interfaces promise."""

import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import frozen
from rich.table import Table

from coc_check.check import WARNING, Check
from coc_check.result import Result, examine, select
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import PluginError
from coc_core.options import Name, Option, PluginOptions, Several, option, shared
from coc_core.text import counted, duration, escaped

CHECKS = "Checks"
"""The panel of the options that choose checks."""

_STYLES = {"passed": "green", "failed": "bold red", "skipped": "dim"}
_LONGEST = 1_000  # characters of a line; the document has all of it


@frozen(kw_only=True, slots=False)
class CheckCommand(PluginOptions):
    """What `coc check` takes."""

    name: str = option(
        Option(
            "The part to check, such as hanoi, the plugin whose parts to check, or a checkpoint's folder.",
            (),
            Name("NAME"),
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
    registry = console.registry(options.plugins)
    from coc_check.parts import checks

    chosen = list(checks(registry, options.name, options.kind))
    if options.only:
        chosen = select(chosen, options.only)
    results: list[Result] = []

    def current() -> str:
        return next((check.name for check in chosen[len(results) :]), "")

    with progress(console.err(), f"checking {options.name}", lambda: len(chosen), lambda: len(results), current):
        for each in chosen:
            results.append(examine(each, () if options.only else results))
    if options.as_json:
        console.document(_document(results, options.plugins))
    else:
        _show(results, options.plugins)
    return PluginError.exit_code if any(result.outcome == "failed" for result in results) else 0


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
    skipped: dict[str, list[str]] = {}
    for result in results:
        if result.outcome == "failed":
            _tell(result, plugins)
        elif result.outcome == "skipped":
            skipped.setdefault(f"{escaped(result.check.part)}, {result.reason}", []).append(result.check.name)
    for which, names in skipped.items():
        details.print(console.text(f"skipped: {which}: {', '.join(names)}"), "")
    counts = Counter[str](result.outcome for result in results)
    parts = ", ".join(f"{counts[each]} {each}" for each in _STYLES if counts[each])
    out.print(console.text(f"{counted(len(results), 'check')}: {parts}"))


def _tell(result: Result, plugins: Sequence[Path]) -> None:
    """A failure: what was expected, what was found and with what, where to look, and what runs the check alone."""
    out, check = console.out(), result.check
    out.print(console.text(f"failed: {check.kind} {escaped(check.part)}, {check.name}", style=_STYLES["failed"]))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", width=len("promised"))
    grid.add_column(overflow="fold")
    rows = ("promised", check.promise), ("found", result.complaint), ("with", result.example), ("at", result.where)
    for label, text in (*rows, ("hint", check.hint)):
        if text:
            grid.add_row(label, console.text(escaped(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")))
    out.print(grid)
    # A command that is not broken into lines can be copied.
    console.line(("again     ", "dim"), escaped(_command(check, plugins)))
    out.print()


def _command(check: Check, plugins: Sequence[Path]) -> str:
    """Return what runs this check alone, with the same plugins."""
    return " ".join([check.command, *(f"--plugin {shlex.quote(str(path))}" for path in plugins)])


def _document(results: Sequence[Result], plugins: Sequence[Path]) -> dict[str, Any]:
    """Return those that were skipped count neither as passed nor as failed."""
    counts = Counter(result.outcome for result in results)
    return {
        **{outcome: counts[outcome] for outcome in ("passed", "failed", "skipped")},
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
