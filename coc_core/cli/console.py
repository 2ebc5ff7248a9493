"""Where the words go: results to stdout, everything else to stderr, colour only for a terminal that wants it."""

import os
import re
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from coc_core.plugin import Registry

_verbosity: ContextVar[int] = ContextVar("verbosity", default=0)
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def out() -> Console:
    """The console for results."""
    return _console(sys.stdout, quiet=not speaks())


def err() -> Console:
    """The console for progress and notes, which print nothing with -q."""
    return _console(sys.stderr, quiet=_quiet.get() or not speaks())


def speaks() -> bool:
    """Whether this process has the word: of those that torchrun starts together, only the first one has."""
    return re.fullmatch("[1-9][0-9]*", os.environ.get("RANK", "0")) is None


def verbosity() -> int:
    """How often the command line says -v."""
    return _verbosity.get()


def speak_more(times: int) -> None:
    """Raise the verbosity, for the context of the command."""
    _verbosity.set(_verbosity.get() + times)


def be_quiet() -> None:
    """Print no progress and no notes, in the context of the command."""
    _quiet.set(True)


def complain(message: str) -> None:
    """The one line that says what was wrong, where this process has the word."""
    if speaks():
        accuse(message)


def accuse(message: str) -> None:
    """The same for what only this process may know of: that a plugin or coc itself broke in it."""
    _console(sys.stderr).print(f"[bold red]coc: error:[/] {escape(_harmless(message))}", soft_wrap=True)


def show_traceback(text: str) -> None:
    """A traceback, on stderr."""
    _console(sys.stderr).print(_harmless(text), end="", markup=False, soft_wrap=True)


def warn(message: str) -> None:
    """One line about something that does not stop the command."""
    err().print(f"[yellow]coc: note:[/] {escape(_harmless(message))}", soft_wrap=True)


def registry(files: Sequence[Path] | None = None) -> "Registry":
    """The installed plugins and those in `files`; each that is broken or refused is mentioned once."""
    from coc_core.plugin import Registry  # here, so that `coc --help` starts at once

    found = Registry.installed(files or ())
    for failure in found.failures():
        warn(failure)
    return found


def _harmless(text: str) -> str:
    """A text with its control characters, other than newlines, as escapes."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def _console(file: TextIO, *, quiet: bool = False) -> Console:
    # rich takes FORCE_COLOR for a terminal even when piped; a terminal is what the system calls one.
    return Console(file=file, force_terminal=file.isatty(), highlight=False, quiet=quiet)
