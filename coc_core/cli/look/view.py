"""`coc view`: a recorded run as one page for a browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import asdict
from rich.text import Text

from coc_core.cli import console, options
from coc_core.cli.look.reel import Reel, described, ending
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.runfile import RunFile
from coc_core.text import escaped
from coc_core.view import build_timeline, render_page, write_page

MOST_STEPS = 20_000


def view(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The file of a run, as `coc run --save` writes it.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The page to write.", show_default=False)],
    first: Annotated[
        int | None,
        typer.Option("--from", parser=options.whole_number, metavar="K", help="The first step.", show_default="0"),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option("--to", parser=options.whole_number, metavar="K", help="The last step.", show_default="the end"),
    ] = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Write a page that shows the run in a browser, forward and backward, and needs no network."""
    with RunFile.open(run) as runfile:
        if _same(out, run):
            raise UsageError("the page would take the place of the run", remedy="choose another file with -o")
        reel = Reel(console.registry(plugins), runfile)
        begin = reel.check(first or 0, "--from")
        end = reel.check(reel.last if last is None else last, "--to")
        if end < begin:
            raise UsageError(f"--from {begin:,} is behind --to {end:,}")
        if end - begin > MOST_STEPS:
            raise UsageError(
                f"{end - begin:,} steps are too many for a page, the most is {MOST_STEPS:,}",
                remedy="choose some with --from and --to",
            )
        text = render_page({**about(reel, end), **build_timeline(reel.setting.domain, _moments(reel, begin, end))})
        size = write_page(out, text)
        if as_json:
            typer.echo(
                json.dumps({**described(run, runfile), "page": str(out), "from": begin, "to": end, "bytes": size})
            )
        else:
            console.out().print(Text(f"{out}: the steps {begin:,} to {end:,} of {run}, {size:,} bytes"), soft_wrap=True)
    return 0


def _same(out: Path, run: Path) -> bool:
    try:
        return out.samefile(run)
    except OSError:  # there is nothing yet
        return False


def _moments(reel: Reel, begin: int, end: int) -> Iterator[StepRecord]:
    return (reel.moment(place) for place in range(min(begin, reel.steps), min(end, reel.steps) + 1))


def about(reel: Reel, end: int) -> dict[str, Any]:
    """What the page says of the run, beside its film. The fault is there if the page goes as far as that."""
    manifest, fault = reel.runfile.manifest, reel.fault if end > reel.steps else None
    facts = {
        "domain": manifest.domain,
        "problem": manifest.problem,
        "memory": manifest.memory,
        "arithmetic": manifest.arith,
        "executor": manifest.executor,
        **{
            f"{role.replace('_', ' ')} {key}": value
            for role, record in manifest.records.items()
            for key, value in record.items()
        },
        **manifest.plugins,
        **manifest.versions,
    }
    outcome = reel.runfile.outcome
    return {
        "title": escaped(f"{manifest.domain}, n={manifest.n}"),
        "problem": escaped(manifest.problem),
        "outcome": ending(outcome),
        "steps": reel.steps,
        "memory": escaped(manifest.memory),
        "stack": manifest.memory == "pda",
        "facts": [(escaped(name), escaped(value)) for name, value in facts.items()],
        "fault": fault and {**asdict(fault), "text": escaped(fault.text), "message": escaped(fault.message)},
    }
