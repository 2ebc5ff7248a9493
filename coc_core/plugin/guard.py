"""What a plugin may do to the process while its code is imported: nothing that lasts, and nothing that has no name.

While the code of a third-party plugin runs, what it prints goes to stderr, the standard streams can't be closed, it
can't end the process, Ctrl-C names it, and a note on stderr names it if it takes long.
"""

import io
import os
import signal
import sys
import threading
from contextlib import ExitStack, suppress
from types import FrameType, TracebackType
from typing import Any

from coc_core.text import escaped

PATIENCE = 5.0
"""Seconds until a note says which plugin is still loading."""

_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")


class Misbehaviour(BaseException):
    """A plugin did to the process what no plugin may do."""


class UserInterrupt(KeyboardInterrupt):
    """Ctrl-C was pressed while the code of a plugin ran; the message names the plugin."""


class _Stream(io.TextIOBase):
    """A standard stream that writes to another one, which closing it does not close."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return getattr(self._stream, "errors", None) or "backslashreplace"

    def reconfigure(self, **_: object) -> None: ...

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return ""

    def read(self, size: int | None = -1, /) -> str:
        return ""

    def write(self, text: str, /) -> int:
        if self._stream is not None:
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            self._stream.flush()

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 2


class Guard:
    """The context in which the code of a plugin is imported.

    Args:
        plugin: What the plugin is called.

    Raises:
        UserInterrupt: On leaving, if Ctrl-C was pressed meanwhile.
        Misbehaviour: The plugin called `os._exit`, has closed a stream, or has raised KeyboardInterrupt itself.
    """

    def __init__(self, plugin: str) -> None:
        self._interrupted = False
        self._plugin = escaped(plugin)
        self._process = os.getpid()
        self._open: list[int] = []
        self._undo = ExitStack()
        self._remarks = _Stream(None)

    def __enter__(self) -> "Guard":
        self._keep_streams()
        self._forbid_exits()
        self._name_interrupts()
        timer = threading.Timer(
            PATIENCE, self._tell, [f"the plugin {self._plugin} is still loading; press Ctrl-C to stop"]
        )
        timer.daemon = True
        timer.start()
        self._undo.callback(timer.cancel)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        closed = [name for name in ("stdout", "stderr") if getattr(sys, name) is None or getattr(sys, name).closed]
        closed += [f"descriptor {number}" for number in self._open if not _is_open(number)]
        self._undo.close()
        if self._interrupted:
            raise UserInterrupt(f"while the plugin {self._plugin} was loading") from error
        if isinstance(error, KeyboardInterrupt):
            raise Misbehaviour("it has raised KeyboardInterrupt") from error
        if closed and error is None:
            raise Misbehaviour(f"it has closed {closed[0]}")

    def _tell(self, message: str) -> None:
        with suppress(OSError, ValueError):  # it is full, or closed
            self._remarks.write(f"coc: note: {message}\n")
            self._remarks.flush()

    def _keep_streams(self) -> None:
        """Redirect the descriptors 0 and 1, to nothing and to stderr, and `sys.stdin` and so on likewise."""
        before = {name: getattr(sys, name) for name in _STREAMS}
        self._remarks = _Stream(before["stderr"])
        for name, stream in before.items():
            self._undo.callback(setattr, sys, name, stream)
        for name in ("stdout", "__stdout__"):
            if before[name] is not None:
                with suppress(OSError, ValueError):
                    before[name].flush()
        for name in _STREAMS:
            setattr(sys, name, _Stream(None if "in" in name else before["stderr"]))
        for number in range(3):
            self._undo.callback(_restore, number, _duplicate(number))
        nothing = os.open(os.devnull, os.O_RDONLY)
        if nothing != 0:  # it was open
            os.dup2(nothing, 0)
            os.close(nothing)
        if _is_open(2):
            os.dup2(2, 1)
        self._open = [number for number in (1, 2) if _is_open(number)]

    def _forbid_exits(self) -> None:
        exit_now = os._exit

        def refuse(status: int) -> None:
            if os.getpid() != self._process:  # a process that the plugin has forked
                exit_now(status)
            raise Misbehaviour(f"it has called os._exit({status!r:.20})")

        os._exit = refuse  # type: ignore[assignment]
        self._undo.callback(setattr, os, "_exit", exit_now)

    def _name_interrupts(self) -> None:
        before = signal.getsignal(signal.SIGINT)
        if not callable(before) or threading.current_thread() is not threading.main_thread():
            return

        def note(number: int, frame: FrameType | None) -> None:
            if self._interrupted:
                self._tell(f"interrupted while the plugin {self._plugin} was loading")
            self._interrupted = True
            before(number, frame)

        signal.signal(signal.SIGINT, note)
        self._undo.callback(signal.signal, signal.SIGINT, before)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _duplicate(number: int) -> int | None:
    """A copy that is none of the standard descriptors itself, even if one of them is free; None of a closed one."""
    if not _is_open(number):
        return None
    with ExitStack() as low:
        while (copy := os.dup(number)) < 3:
            low.callback(os.close, copy)
        return copy


def _restore(number: int, copy: int | None) -> None:
    if copy is None:
        with suppress(OSError):
            os.close(number)
    else:
        os.dup2(copy, number)
        os.close(copy)
