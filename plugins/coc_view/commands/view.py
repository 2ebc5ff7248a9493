"""`coc view`: a recorded run as one page for a browser."""

from pathlib import Path

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.options import OUTPUT, Flag, Option, PluginOptions, option, shared
from coc_core.runfile import RunFile
from coc_core.text import counted
from coc_view.commands import RUN, step as step_option
from coc_view.recorded_run import RecordedRun
from coc_view.terminal.places import described


@frozen(kw_only=True, slots=False)
class ViewCommand(PluginOptions):
    """What `coc view` takes."""

    source: Path = option(RUN)
    out: Path = option(shared.OUT, help="Write the page to this file.")
    first: int | None = step_option("--from", "Start the page after step K.", "0")
    last: int | None = step_option("--to", "End the page after step K.", "the last step")
    svg: bool = option(
        Option(
            "Write an animated picture (SVG) of a run instead, for a README or a paper.", ("--svg",), Flag(), OUTPUT
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
    """
    source, out = options.source, options.out
    with RunFile.open(source) as runfile:
        recorded = RecordedRun(console.registry(options.plugins), runfile)
        begin, end, size = recorded.write(out, options.first, options.last, svg=options.svg)
        found = described(source, runfile) | {"verified": recorded.verified}
        found |= {"page": str(out), "from": begin, "to": end, "bytes": size}
    steps = f"step {begin:,}" if begin == end else f"steps {begin:,} to {end:,}"
    console.report(found, f"{out}: {steps} of {source}, {counted(size, 'byte')}")
    return 0
