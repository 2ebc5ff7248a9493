"""`coc view`: a recorded run as one page for a browser."""

from contextlib import ExitStack
from pathlib import Path

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import UsageError
from coc_core.options import OUTPUT, File, Flag, Option, PluginOptions, Several, option, shared
from coc_core.runfile import RunFile, run_files
from coc_core.storage import check_distinct, check_file, write_file
from coc_core.text import counted
from coc_view.commands import RUN, step as step_option
from coc_view.live.document import render_live
from coc_view.recorded_run import RecordedRun
from coc_view.terminal.places import described


@frozen(kw_only=True, slots=False)
class ViewCommand(PluginOptions):
    """What `coc view` takes."""

    sources: tuple[Path, ...] = option(RUN, kind=Several("RUN", File("RUN")))
    out: Path = option(shared.OUT, help="Write the page to this file.")
    first: int | None = step_option("--from", "Start the page after step K.", "0")
    last: int | None = step_option("--to", "End the page after step K.", "the last step")
    svg: bool = option(
        Option(
            "Write an animated picture (SVG) of a run instead, for a README or a paper.", ("--svg",), Flag(), OUTPUT
        ),
        False,
    )
    live: bool = option(
        Option(
            "Write a page that runs the checkpoint itself, token by token, on one or more recorded runs.",
            ("--live",),
            Flag(),
            OUTPUT,
        ),
        False,
    )


@command(ViewCommand)
def view(options: ViewCommand) -> int:
    """Write a web page that shows a recorded run.

    The page plays forward and backward. It is one file and works offline.

    Examples:
        coc view twelve.run -o twelve.html
        coc view twelve.run -o middle.html --from 1000 --to 1200
        coc view twelve.run -o twelve.svg --svg --to 60
        coc view twelve.run --live -o live.html
    """
    if options.live:
        return _live(options)
    source, *more = options.sources
    if more:
        raise UsageError("a page without --live shows one run", remedy="name one run, or add --live")
    out = options.out
    with RunFile.open(source) as runfile:
        recorded = RecordedRun(console.registry(options.plugins), runfile)
        begin, end, size = recorded.write(out, options.first, options.last, svg=options.svg)
        found = described(source, runfile) | {"verified": recorded.verified}
        found |= {"page": str(out), "from": begin, "to": end, "bytes": size}
    steps = f"step {begin:,}" if begin == end else f"steps {begin:,} to {end:,}"
    console.report(found, f"{out}: {steps} of {source}, {counted(size, 'byte')}")
    return 0


def _live(options: ViewCommand) -> int:
    out, sources = options.out, options.sources
    if options.svg or options.first is not None or options.last is not None:
        raise UsageError("--live shows whole runs", remedy="leave out --svg, --from and --to")
    check_distinct({"-o": [out]}, {"RUN": [path for source in sources for path in run_files(source)]})
    check_file(out, "page")
    with ExitStack() as stack:
        runfiles = [stack.enter_context(RunFile.open(source)) for source in sources]
        data = render_live(console.registry(options.plugins), runfiles).encode()
    write_file(out, data, "page")
    found = {"runs": [*map(str, sources)], "page": str(out), "bytes": len(data)}
    console.report(found, f"{out}: {counted(len(sources), 'run')}, {counted(len(data), 'byte')}")
    return 0
