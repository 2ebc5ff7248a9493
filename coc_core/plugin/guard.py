"""How the code of a third-party plugin is imported: with its name at hand, and away from standard output."""

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from coc_core.text import escaped

PATIENCE = 5.0
"""Seconds until a note says which plugin is still loading."""


class UserInterrupt(KeyboardInterrupt):
    """Ctrl-C was pressed while the code of a plugin ran; the message names the plugin."""


class _Open:
    """A stream that stays open when a plugin closes it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def close(self) -> None: ...

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def guarded(plugin: str) -> Iterator[None]:
    """The context in which the code of a plugin is imported. What it prints goes to stderr; a slow one is named there.

    Raises:
        UserInterrupt: On Ctrl-C.
    """
    name = escaped(plugin)
    stream: Any = _Open(sys.stderr) if sys.stderr is not None else None
    note = f"coc: note: the plugin {name} is still loading; press Ctrl-C to stop"
    timer = threading.Timer(PATIENCE, print, [note], {"file": stream, "flush": True})
    timer.daemon = True
    with ExitStack() as undo:
        undo.enter_context(redirect_stdout(stream))
        undo.enter_context(redirect_stderr(stream))
        timer.start()
        undo.callback(timer.cancel)
        try:
            yield
        except KeyboardInterrupt as error:
            raise UserInterrupt(f"while the plugin {name} was loading") from error
