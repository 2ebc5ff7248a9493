"""`coc fuzz`: whether an executor does what Algorithm 1 says, whatever a model writes and wherever a run is cut off."""

import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import asdict

from coc_core.cli import console, options
from coc_core.cli.progress import progress
from coc_core.errors import PluginError, UsageError
from coc_core.options import shared
from coc_core.plugin import Registry
from coc_core.runfile import check_new
from coc_core.storage import temporary_folder
from coc_core.text import counted, duration

if TYPE_CHECKING:
    from coc_check.fuzz.hunt import Finding

EXAMPLES = 300
_MOST_EXAMPLES = 1_000_000_000
SEARCH = "Search"
"""The panel of the options of the search."""


def fuzz(
    executor: Annotated[
        str,
        options.changed(shared.EXECUTOR, "Choose the executor to test.", show_default=False),
    ],
    domain: Annotated[
        str | None,
        options.changed(shared.DOMAIN, "Use only this puzzle.", "all puzzles"),
    ] = None,
    memory: Annotated[
        str | None,
        options.changed(shared.MEMORY, "Use only this memory.", "all memories"),
    ] = None,
    arith: Annotated[
        str | None,
        options.changed(shared.ARITH, "Use only this arithmetic.", "all kinds"),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=options.whole(),
            metavar="N",
            help="Random seed that selects the cases.",
            show_default="a random seed",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option(
            "--examples",
            parser=options.whole(1, _MOST_EXAMPLES),
            metavar="K",
            help="Try K cases.",
            show_default=str(EXAMPLES),
            rich_help_panel=SEARCH,
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            parser=options.decimal(0.1, 86_400),
            metavar="SECONDS",
            help="Try cases for this many seconds instead.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="RUN",
            help="Record the correct run of the case found in this new file.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Search for a case in which an executor goes wrong.

    The executor is compared with the paper's Algorithm 1, with models that are right, sometimes wrong, truncated,
    looping or hostile, or fail in batches; with up to 300 runs at once, some of which are stopped early; and in runs
    that are recorded, interrupted and resumed. A failing case is made as small as possible and printed as a test. The
    last lines say which settings, endings and branches of the executor were reached.

    Examples:
        coc fuzz -x cached
        coc fuzz -x speculative -d hanoi --memory tape --seconds 60
    """
    if examples is not None and seconds is not None:
        raise UsageError("--examples and --seconds both limit the search", remedy="give one of them")
    if save is not None:
        check_new(save)  # now, not after the hunt
    number = int.from_bytes(os.urandom(4)) if seed is None else seed
    registry = console.registry(plugins)
    from coc_check.fuzz.hunt import Hunt  # with hypothesis, which takes time

    hunt = Hunt(registry, executor, domain, memory, arith, number)
    most = sys.maxsize if seconds is not None else examples or EXAMPLES
    started = time.monotonic()

    def note() -> str:
        return f"shrinking what was found; seed {number}" if hunt.found else f"seed {number}"

    total = None if seconds else most
    tried = progress(console.err(), f"fuzzing {executor}", lambda: total, lambda: hunt.tried, note)
    with tried, _leaving_no_files():
        found = hunt.run(most, seconds or float("inf"))
    took = time.monotonic() - started
    if found is not None and save is not None:
        from coc_check.fuzz.session import record_plainly

        record_plainly(save, registry, found.case, found.difference.problem)
    if as_json:
        document = {"executor": executor, "seed": number, "cases": hunt.tried, "seconds": round(took, 3)}
        document |= {"reached": hunt.reached.document()}
        case = found and _document(registry, found, plugins or [], save)
        console.document(document | {"found": case})
    elif found is None:
        cases = f"{counted(hunt.tried, 'case')}, {duration(took)} (seed {number})"
        console.result(f"nothing found: {executor} agreed with Algorithm 1 in {cases}", *hunt.reached.lines())
    else:
        _show(registry, found, plugins or [], save)
        for line in (f"after {counted(hunt.tried, 'case')}, {duration(took)} (seed {number})", *hunt.reached.lines()):
            console.echo(f"# {line}")
    return 0 if found is None else PluginError.exit_code


@contextmanager
def _leaving_no_files() -> Iterator[None]:
    """Keeps hypothesis from making a folder where the command is run."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with temporary_folder() as folder:
        set_hypothesis_home_dir(str(folder))
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _show(registry: Registry, found: "Finding", files: list[Path], save: Path | None) -> None:
    """What was found, for a person: as comments before a test, so that all of it can be pasted."""
    from coc_check.fuzz.report import as_test, in_words, size_of

    case = found.case
    for line in in_words(case, found.difference):
        console.echo(f"# {line}")
    console.echo(f"# {case.domain} on {case.memory} with {case.arith} arithmetic, n = {size_of(registry, case)}")
    if save is not None:
        console.echo(f"# as it should be: coc replay {shlex.quote(str(save))}")
    console.echo(f"\n{as_test(case, files)}")


def _document(registry: Registry, found: "Finding", files: list[Path], save: Path | None) -> dict[str, Any]:
    from coc_check.fuzz.report import as_test, size_of

    return {
        "n": size_of(registry, found.case),
        "difference": asdict(found.difference),
        "case": asdict(found.case),
        "test": as_test(found.case, files),
        "save": save and str(save),
    }
