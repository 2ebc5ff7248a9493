"""`coc check`: whether the parts of a plugin keep what their interfaces promise."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_check.check import Result, examine, select
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import PluginError
from coc_core.options import Name, Option, PluginOptions, Several, option
from coc_core.text import counted, duration, escaped

CHECKS = "Checks"
"""The panel of the options that choose checks."""

_PART = "The part to check, such as hanoi, the plugin whose parts to check, or a checkpoint's folder."
_KIND = "Check only parts of this kind: domain, memory, arithmetic, model or executor."
_ONLY = "Run only this check, even if one before it fails. Repeatable."
_STYLES = {"passed": "green", "failed": "bold red", "skipped": "dim"}
_NOTES = ("not stated", "warning")  # what is said of a part that passes
_LONGEST = 1_000  # characters of a line; the document has all of it


@frozen(kw_only=True, slots=False)
class CheckCommand(PluginOptions):
    """What `coc check` takes."""

    name: str = option(Option(_PART, (), Name("NAME")))
    kind: str | None = option(Option(_KIND, ("--kind",), Name("KIND"), CHECKS), None)
    only: tuple[str, ...] = option(Option(_ONLY, ("--only",), Several("CHECK"), CHECKS), ())


@command(CheckCommand)
def check(options: CheckCommand) -> int:
    """Run the conformance checks of a plugin.

    A failure is shown with a small example, and with the line of your code if it is known. The checks of that part
    that come after it are skipped, so you see the root cause. The exit code is 0 if all checks pass.

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
    documents = [_document(result, options.plugins) for result in results]
    counts = Counter[str](result.outcome for result in results)
    said = ", ".join(f"{counts[each]} {each}" for each in _STYLES if counts[each])
    console.report(
        {
            **{outcome: counts[outcome] for outcome in _STYLES},
            "tried": {f"{each.check.kind} {each.check.part}": dict(each.check.tried) for each in results},
            "checks": documents,
        },
        *_parts(results),
        *(line for each in documents if each["outcome"] == "failed" for line in _failure(each)),
        f"{counted(len(results), 'check')}: {said}",
    )
    return PluginError.exit_code if counts["failed"] else 0


def _parts(results: Sequence[Result]) -> Iterator[console.Shown]:
    """Yield the results of each part, and what it was tried with."""
    for part, group in groupby(results, lambda result: f"{result.check.kind} {result.check.part}"):
        *_, last = found = list(group)
        rows = [(each.check.name, (each.outcome, _STYLES[each.outcome]), duration(each.seconds)) for each in found]
        yield [console.text((escaped(part), "bold")), console.table(("check", "result", "time"), rows, numbers=1)]
        for what, how in last.check.tried.items():
            yield [(f"{'' if what in _NOTES else 'tried: '}{what}: {escaped(how)}", "dim")]
        yield [(f"skipped {why}", "dim") for why in dict.fromkeys(each.reason for each in found) if why]
        yield [""]


def _failure(document: Mapping[str, Any]) -> Iterator[console.Shown]:
    """Yield what was expected, what was found and with what, where to look, and what runs the check alone."""
    names = {"promised": "promise", "found": "complaint", "with": "example", "at": "where", "hint": "hint"}
    told = {label: document[name] for label, name in names.items() if document[name]}
    shown = {label: f"{text[:_LONGEST]}..." if len(text) > _LONGEST else text for label, text in told.items()}
    yield f"failed: {document['kind']} {escaped(document['part'])}, {document['check']}", _STYLES["failed"]
    yield console.table(("", ""), [((label, "dim"), escaped(text)) for label, text in shown.items()])
    # A command that is not broken into lines can be copied.
    yield console.text(("again     ", "dim"), escaped(document["command"]))
    yield ""


def _document(result: Result, plugins: Sequence[Path]) -> dict[str, Any]:
    check, names = result.check, ("outcome", "complaint", "example", "where", "reason")
    command = " ".join([check.command, *(f"--plugin {shlex.quote(str(path))}" for path in plugins)])
    return {
        **{"kind": check.kind, "part": check.part, "check": check.name, "promise": check.promise},
        **{name: getattr(result, name) for name in names},
        **{"hint": check.hint, "command": command, "seconds": round(result.seconds, 3)},
    }
