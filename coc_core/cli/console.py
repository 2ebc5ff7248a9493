"""Where the words go: results to stdout, everything else to stderr, colour only for a terminal that wants it."""

import sys
from typing import TextIO

from rich.console import Console
from rich.markup import escape

from coc_core.registry import Registry


def out() -> Console:
    """The console for results."""
    return _console(sys.stdout)


def err() -> Console:
    """The console for progress and warnings."""
    return _console(sys.stderr)


def complain(message: str) -> None:
    """The one line that says what was wrong."""
    err().print(f"[bold red]coc: error:[/] {escape(message)}", soft_wrap=True)


def warn(message: str) -> None:
    """One line about something that does not stop the command."""
    err().print(f"[yellow]coc: note:[/] {escape(message)}", soft_wrap=True)


def registry() -> Registry:
    """The installed plugins; each that is broken or refused is mentioned once."""
    found = Registry.installed()
    for plugin in found.plugins:
        if plugin.error:
            warn(f"the plugin {plugin} failed to load: {plugin.error}")
    for conflict in found.conflicts:
        warn(str(conflict))
    return found


def _console(file: TextIO) -> Console:
    # rich takes FORCE_COLOR for a terminal even when piped; a terminal is what the system calls one.
    return Console(file=file, force_terminal=file.isatty(), highlight=False)
