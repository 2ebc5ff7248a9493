"""`coc fuzz`: whether an executor does what Algorithm 1 says, whatever a model writes and wherever a run is cut off."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import PluginError, UsageError
from coc_core.options import Decimal, Option, PluginOptions, Whole, option, shared
from coc_core.plugin import Registry
from coc_core.text import counted, duration

if TYPE_CHECKING:
    from coc_check.fuzz.hunt import Finding

EXAMPLES = 300
_MOST_EXAMPLES = 1_000_000_000
SEARCH = "Search"
"""The panel of the options of the search."""


@frozen(kw_only=True, slots=False)
class FuzzCommand(PluginOptions):
    """What `coc fuzz` takes."""

    executor: str = option(shared.EXECUTOR, help="Choose the executor to test.")
    domain: str | None = option(shared.DOMAIN, None, help="Use only this puzzle.", shown="all puzzles")
    memory: str | None = option(shared.MEMORY, None, help="Use only this memory.", shown="all memories")
    arith: str | None = option(shared.ARITH, None, help="Use only this arithmetic.", shown="all kinds")
    seed: int | None = option(
        Option("Random seed that selects the cases.", ("--seed",), Whole(), SEARCH, "a random seed"), None
    )
    examples: int | None = option(
        Option("Try K cases.", ("--examples",), Whole(1, _MOST_EXAMPLES, "K"), SEARCH, str(EXAMPLES)), None
    )
    seconds: float | None = option(
        Option("Try cases for this many seconds instead.", ("--seconds",), Decimal(0.1, 86_400, "SECONDS"), SEARCH),
        None,
    )
    as_json: bool = option(shared.JSON, False)


@command(FuzzCommand)
def fuzz(options: FuzzCommand) -> int:
    """Search for a case in which an executor goes wrong.

    The executor is compared with the paper's Algorithm 1, with models that are right, sometimes wrong, truncated,
    looping or hostile, or fail in batches; with up to 300 runs at once, some of which are stopped early; and in runs
    that are recorded, interrupted and resumed. A failing case is made as small as possible and printed as a test. The
    last lines say which settings and endings were reached.

    Examples:
        coc fuzz -x cached
        coc fuzz -x speculative -d hanoi --memory tape --seconds 60
    """
    executor, seconds = options.executor, options.seconds
    if options.examples is not None and seconds is not None:
        raise UsageError("--examples and --seconds both limit the search", remedy="give one of them")
    number = int.from_bytes(os.urandom(4)) if options.seed is None else options.seed
    registry = console.registry(options.plugins)
    from coc_check.fuzz.hunt import Hunt  # with hypothesis, which takes time

    hunt = Hunt(registry, executor, options.domain, options.memory, options.arith, number)
    most = sys.maxsize if seconds is not None else options.examples or EXAMPLES
    started = time.monotonic()

    def note() -> str:
        return f"shrinking what was found; seed {number}" if hunt.found else f"seed {number}"

    total = None if seconds else most
    tried = progress(console.err(), f"fuzzing {executor}", lambda: total, lambda: hunt.tried, note)
    with tried:
        found = hunt.run(most, seconds or float("inf"))
    took = time.monotonic() - started
    if options.as_json:
        document = {"executor": executor, "seed": number, "cases": hunt.tried, "seconds": round(took, 3)}
        document |= {"reached": hunt.reached.document()}
        case = found and _document(registry, found, options.plugins)
        console.document(document | {"found": case})
    elif found is None:
        cases = f"{counted(hunt.tried, 'case')}, {duration(took)} (seed {number})"
        console.result(f"nothing found: {executor} agreed with Algorithm 1 in {cases}", *hunt.reached.lines())
    else:
        _show(registry, found, options.plugins)
        for line in (f"after {counted(hunt.tried, 'case')}, {duration(took)} (seed {number})", *hunt.reached.lines()):
            console.echo(f"# {line}")
    return 0 if found is None else PluginError.exit_code


def _show(registry: Registry, found: "Finding", files: Sequence[Path]) -> None:
    """What was found, for a person: as comments before a test, so that all of it can be pasted."""
    from coc_check.fuzz.report import as_test, in_words, size_of

    case = found.case
    for line in in_words(case, found.difference):
        console.echo(f"# {line}")
    console.echo(f"# {case.domain} on {case.memory} with {case.arith} arithmetic, n = {size_of(registry, case)}")
    console.echo(f"\n{as_test(case, files)}")


def _document(registry: Registry, found: "Finding", files: Sequence[Path]) -> dict[str, Any]:
    from coc_check.fuzz.report import as_test, size_of

    return {
        "n": size_of(registry, found.case),
        "difference": asdict(found.difference),
        "case": asdict(found.case),
        "test": as_test(found.case, files),
    }
