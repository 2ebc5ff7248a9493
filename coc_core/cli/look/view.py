"""`coc view`: a recorded run as one page for a browser."""

from pathlib import Path
from typing import Annotated

from coc_core.cli import console, options
from coc_core.cli.look.places import described
from coc_core.runfile import RunFile
from coc_core.text import counted
from coc_core.view import RecordedRun


def view(
    run: options.RecordedRun,
    out: Annotated[
        Path,
        options.out("FILE", "Write the page to this file."),
    ],
    first: Annotated[
        int | None,
        options.step("--from", "Start the page after step K.", "0"),
    ] = None,
    last: Annotated[
        int | None,
        options.step("--to", "End the page after step K.", "the end"),
    ] = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Write a page that shows a recorded run in a browser.

    The page plays forward and backward. It is one file and needs no network.

    Examples:
        coc view twelve.run -o twelve.html
        coc view twelve.run -o middle.html --from 1000 --to 1200
    """
    with RunFile.open(run) as runfile:
        recorded = RecordedRun(console.registry(plugins), runfile)
        begin, end, size = recorded.write(out, first, last)
        if as_json:
            page = {"page": str(out), "from": begin, "to": end, "bytes": size}
            console.document(described(run, runfile) | {"verified": recorded.verified} | page)
        else:
            told = f"{out}: {_range(begin, end)} of {run}, {counted(size, 'byte')}"
            console.out().print(console.text(told), soft_wrap=True)
    return 0


def _range(begin: int, end: int) -> str:
    return f"step {begin:,}" if begin == end else f"steps {begin:,} to {end:,}"
