"""Where the words go: results to stdout, everything else to stderr, colour only for a terminal that wants it.

Every command writes by what is here. No text is taken for markup: `text` and `panel` take the styles beside it.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.panel import Panel
from rich.segment import Segment
from rich.status import Status
from rich.table import Table
from rich.text import Text

from coc_core.cli.streams import GuardedStream, Output, ReaderGone, output_of, results_output, visible

if TYPE_CHECKING:
    from coc_core.plugin import Registry

verbose: ContextVar[bool] = ContextVar("verbose", default=False)
"""Whether the traceback of an error is shown."""
quiet: ContextVar[bool] = ContextVar("quiet", default=False)
"""Whether no details, no progress and no notes are printed."""
_json: ContextVar[bool] = ContextVar("json", default=False)
_installed: ContextVar["Registry | None"] = ContextVar("installed", default=None)


Words = str | tuple[str, str] | Text
"""A text, with its style where it has one."""

Shown = Words | RenderableType | list[Any] | Iterator[Any]
"""A result, or a list of what goes with one."""

_GOOD, _BAD = {"solved", "certified"}, {"fault", "illegal", "rejected", "not certified"}

PIPE_WIDTH, PIPE_HEIGHT = 80, 24
"""The columns that a line may have where the output is no terminal and COLUMNS is not set, and the lines of a picture
there: those of the classic terminal."""


class _Console(Console):
    """A console whose control characters are its own: those in the texts that it prints are shown as escapes."""

    def __init__(self, output: Output, *, quiet: bool = False) -> None:
        file: Any = GuardedStream(output, clean=str)
        # rich takes FORCE_COLOR for a terminal even when piped; a terminal is what the system calls one.
        terminal = output.isatty()
        super().__init__(file=file, force_terminal=terminal, highlight=False, markup=False, emoji=False, quiet=quiet)
        if not terminal:  # rich would take the size of the terminal that the input comes from
            self.size = ConsoleDimensions(_columns() or PIPE_WIDTH, PIPE_HEIGHT)
        elif self.width < 1:  # COLUMNS=0
            self.width = PIPE_WIDTH

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(visible(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def out() -> Console:
    """Return the console for results."""
    return _Console(results_output())


def err() -> Console:
    """Return the console for progress and notes, which print nothing with -q."""
    return _Console(_remarks(), quiet=quiet.get())


def text(*parts: Words, style: str = "", **how: Any) -> Text:
    """Return a text of parts, each with a style of its own if it has one; what a terminal would obey is escaped.

    `how` is what `rich.text.Text` takes, such as `no_wrap`.
    """
    told = [part if isinstance(part, tuple | Text) else (part, "") for part in parts]
    escaped = [part if isinstance(part, Text) else (visible(part[0]), part[1]) for part in told]
    return Text.assemble(*escaped, style=style, **how)


def panel(inside: RenderableType, title: str, **how: Any) -> Panel:
    """Return a frame around `inside`. `how` is what `rich.panel.Panel` takes, such as `border_style`."""
    return Panel(inside, title=text(title), title_align="left", **how)


def verdict(word: str, said: str, reason: str = "") -> Text:
    """Return a line that begins with a verdict, and below it what is wrong, if anything is."""
    colour = "green" if word in _GOOD else "red" if word in _BAD else "yellow"
    return text((word, f"bold {colour}"), f"  {said}", (f"\n  {reason}" if reason else "", colour))


def table(headings: Sequence[str], rows: Iterable[Iterable[Words]], numbers: int = 0) -> Table:
    """Return a table without lines. Its last columns, as many as hold `numbers`, are aligned to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold", show_header=any(headings))
    for left, heading in enumerate(headings, numbers - len(headings)):
        made.add_column(text(heading), justify="left" if left < 0 else "right", overflow="fold")
    for row in rows:
        made.add_row(*map(text, row))
    return made


def report(found: Mapping[str, Any] | Callable[[], Mapping[str, Any]], *shown: Shown) -> None:
    """Print a result: with --json its fields, or what gives them, as a line of JSON, otherwise what a person reads."""
    show(*shown)
    if _json.get():
        # DEL is the one control character that JSON leaves as it is.
        echo(json.dumps(found() if callable(found) else found).replace("\x7f", r"\u007f"))


def show(*shown: Shown) -> None:
    """Print what a person reads of a result, lines, which are never broken, tables and pictures; nothing with --json.

    Those in a list or from a generator go with the result: -q leaves them out, and lines are indented unless of `text`.
    """
    results = out()
    for each in () if _json.get() else shown:
        indent = "  " if isinstance(each, list | Iterator) else ""
        for part in each if isinstance(each, list | Iterator) else [each]:
            if indent and quiet.get():
                break
            line = text(indent if part else "", part) if isinstance(part, str | tuple) else part
            results.print(line, soft_wrap=isinstance(line, Text))


def echo(line: str, keep: str = "") -> None:
    """Print a result as it is, never broken into lines; control characters become escapes, except `keep`."""
    results = results_output()
    parts = line.split(keep) if keep else [line]
    results.write(keep.join(map(visible, parts)) + "\n")
    results.flush()


def put(text: str) -> None:
    """Print a piece of a result, at once and as it is, but for control characters other than ends of lines and tabs."""
    results = results_output()
    results.write(re.sub(r"[^\n\t]+", lambda piece: visible(piece[0]), text))
    results.flush()


def stream(line: str) -> None:
    """Print one of many results; ReaderGone if nobody reads them any longer."""
    echo(line)
    if results_output().reader_gone:
        raise ReaderGone


def status(doing: str) -> Status:
    """Show, on a terminal and while the block runs, what the command is doing."""
    console = err()
    return console.status(text(doing), spinner="line" if console.options.ascii_only else "dots")


def is_json() -> bool:
    """Return whether the command line says --json."""
    return _json.get()


def be_json(asked: bool) -> None:
    """Print results as documents, in the context of the command, if that is asked for there."""
    _json.set(asked)


def error(message: str) -> None:
    """Print the line that says what was wrong."""
    _Console(_remarks()).print(text(("coc: error:", "bold red"), f" {message}"), soft_wrap=True)


def show_traceback(lines: str) -> None:
    """Print a traceback on stderr."""
    _Console(_remarks()).print(text(lines, end=""), soft_wrap=True)


def warn(message: str) -> None:
    """Print one line about something that does not stop the command."""
    err().print(text(("coc: note:", "yellow"), f" {message}"), soft_wrap=True)


def registry(files: Sequence[Path] | None = None) -> "Registry":
    """Return the installed plugins and those in `files`; each that is broken or refused is mentioned once."""
    found = (_installed.get() or load_plugins()).with_files(files or ())
    for failure in found.failures():
        warn(failure)
    return found


def load_plugins() -> "Registry":
    """Load the installed plugins, which `registry` then gives to the command."""
    from coc_core.plugin import Registry  # `coc --version` does without

    found = Registry.installed()
    _installed.set(found)
    return found


def _columns() -> int | None:
    """Return the width that the environment asks for."""
    found = os.environ.get("COLUMNS", "")
    return int(found) if re.fullmatch("[1-9][0-9]{0,3}", found) else None


def _remarks() -> Output:
    return output_of(sys.stderr, needed=False)
