"""`coc view`: a recorded run, or a plan that is a grammar, as one page for a browser."""

from functools import partial
from pathlib import Path

from attrs import frozen

from coc_certify.commands.plan import described as described_plan
from coc_certify.plan_grammar import is_plan_file, read_plan
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import UsageError
from coc_core.options import OUTPUT, File, Flag, Option, PluginOptions, option, shared
from coc_core.plugin import DomainSpec, Registry
from coc_core.runfile import RunFile
from coc_core.text import counted
from coc_view.commands import arguments
from coc_view.plan import write_plan
from coc_view.recorded_run import Page, RecordedRun
from coc_view.terminal.places import described


@frozen(kw_only=True, slots=False)
class ViewCommand(PluginOptions):
    """What `coc view` takes."""

    source: Path = option(
        Option(
            "A recorded run, written by `coc run --save`, or a plan, written by `coc run --plan-format grammar`.",
            (),
            File("RUN|PLAN"),
        )
    )
    out: Path = option(shared.OUT, help="Write the page to this file.")
    first: int | None = arguments.step("--from", "Start the page after step K.", "0")
    last: int | None = arguments.step("--to", "End the page after step K.", "the last step")
    svg: bool = option(
        Option(
            "Write an animated picture (SVG) of a run instead, for a README or a paper.", ("--svg",), Flag(), OUTPUT
        ),
        False,
    )
    as_json: bool = option(shared.JSON, False)


@command(ViewCommand)
def view(options: ViewCommand) -> int:
    """Write a web page that shows a recorded run or a plan.

    The page of a run plays forward and backward; the page of a plan jumps to any action. It is one file and works
    offline.

    Examples:
        coc view twelve.run -o twelve.html
        coc view twelve.run -o middle.html --from 1000 --to 1200
        coc view twelve.run -o twelve.svg --svg --to 60
        coc view 64.plan -o 64.html
    """
    source, out, as_json = options.source, options.out, options.as_json
    first, last, svg = options.first, options.last, options.svg
    if not is_plan_file(source):
        with RunFile.open(source) as runfile:
            recorded = RecordedRun(console.registry(options.plugins), runfile)
            _told(recorded, source, out, recorded.write(out, first, last, svg=svg), as_json)
    elif (first, last, svg) == (None, None, False):
        _view_plan(source, out, console.registry(options.plugins), as_json)
    else:
        raise UsageError("the page of a plan has all of it", remedy="leave out --from, --to and --svg")
    return 0


def _told(recorded: RecordedRun, source: Path, out: Path, page: Page, as_json: bool) -> None:
    begin, end, size = page
    if as_json:
        document = described(source, recorded.runfile) | {"verified": recorded.verified}
        console.document(document | {"page": str(out), "from": begin, "to": end, "bytes": size})
    else:
        told = f"{out}: {_range(begin, end)} of {source}, {counted(size, 'byte')}"
        console.line(told)


def _view_plan(source: Path, out: Path, registry: Registry, as_json: bool) -> None:
    plan = read_plan(source, partial(registry.create, DomainSpec))
    size = write_plan(plan, source, out)
    if as_json:
        console.document(described_plan(plan, source) | {"page": str(out), "bytes": size})
    else:
        told = f"{out}: {counted(plan.length, 'action')} of {source}, {counted(size, 'byte')}"
        console.line(told)


def _range(begin: int, end: int) -> str:
    return f"step {begin:,}" if begin == end else f"steps {begin:,} to {end:,}"
