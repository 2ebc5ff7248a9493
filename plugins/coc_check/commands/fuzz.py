"""`coc fuzz`: whether an executor does what Algorithm 1 says, whatever a model writes and wherever a run is cut off."""

import os
import sys
import time

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_SOLVED, PluginError, UsageError
from coc_core.options import Decimal, Option, PluginOptions, Whole, option, shared
from coc_core.text import counted, duration

EXAMPLES = 300
_CASES = Whole(1, 1_000_000_000, "K")
_SEED, _SECONDS = "Random seed that selects the cases.", "Try cases for this many seconds instead."
SEARCH = "Search"
"""The panel of the options of the search."""


@frozen(kw_only=True, slots=False)
class FuzzCommand(PluginOptions):
    """What `coc fuzz` takes."""

    executor: str = option(shared.EXECUTOR, help="Choose the executor to test.")
    domain: str | None = option(shared.DOMAIN, None, help="Use only this puzzle.", shown="all puzzles")
    memory: str | None = option(shared.MEMORY, None, help="Use only this memory.", shown="all memories")
    arith: str | None = option(shared.ARITH, None, help="Use only this arithmetic.", shown="all kinds")
    seed: int | None = option(Option(_SEED, ("--seed",), Whole(), SEARCH, "a random seed"), None)
    examples: int | None = option(Option("Try K cases.", ("--examples",), _CASES, SEARCH, str(EXAMPLES)), None)
    seconds: float | None = option(Option(_SECONDS, ("--seconds",), Decimal(0.1, 86_400, "SECONDS"), SEARCH), None)


@command(FuzzCommand)
def fuzz(options: FuzzCommand) -> int:
    """Search for a case in which an executor goes wrong.

    The executor is compared with the paper's Algorithm 1, with models that are right, sometimes wrong, truncated,
    looping or hostile, or fail in batches; with up to 300 runs at once, some of which are stopped early; and in runs
    that are interrupted and go on. A failing case is made as small as possible and printed as a test. The last lines
    say which settings were reached.

    Examples:
        coc fuzz -x cached
        coc fuzz -x speculative -d hanoi --memory tape --seconds 60
    """
    executor, seconds = options.executor, options.seconds
    if options.examples is not None and seconds is not None:
        raise UsageError("--examples and --seconds both limit the search", remedy="give one of them")
    number = int.from_bytes(os.urandom(4)) if options.seed is None else options.seed
    registry = console.registry(options.plugins)
    from coc_check.fuzz.case import as_test
    from coc_check.fuzz.hunt import Hunt  # with hypothesis, which takes time
    from coc_check.fuzz.trial import in_words

    hunt = Hunt(registry, executor, options.domain, options.memory, options.arith, number)
    most = sys.maxsize if seconds is not None else options.examples or EXAMPLES
    started = time.monotonic()

    total = None if seconds else most
    told, note = console.err(), f"seed {number}"
    with progress(told, f"fuzzing {executor}", lambda: total, lambda: hunt.tried, lambda: note):
        found = hunt.run(most, seconds or float("inf"))
    took = time.monotonic() - started
    cases = f"{counted(hunt.tried, 'case')}, {duration(took)} (seed {number})"
    fields = {"executor": executor, "seed": number, "cases": hunt.tried, "seconds": round(took, 3)}
    fields |= {"settings": sorted(map(list, hunt.settings)), "reached": hunt.reached, "found": None}
    if found is None:
        said = f"nothing found: {executor} agreed with Algorithm 1 in {cases}"
        console.report(fields, said, hunt.lines())
        return EXIT_SOLVED
    case, difference = found
    test = as_test(case, options.plugins)
    console.report(
        fields | {"found": {"difference": asdict(difference), "case": asdict(case), "test": test}},
        *(f"# {line}" for line in in_words(*found)),  # so that all of it can be pasted
        f"\n{test}",
        *(f"# {line}" for line in (f"after {cases}", *hunt.lines())),
    )
    return PluginError.exit_code
