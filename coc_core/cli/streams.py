"""Standard output and standard error while a command runs: what all output passes.

What is printed may come from a file, a model or a plugin. So each character that a terminal would obey or hide is
shown as an escape, as is one that the stream's encoding lacks, and a stream that can't be written is an error of
storage, or none at all if the output isn't a result.
"""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

from coc_core.errors import StorageError

_results: "Output | None" = None
"""The standard output of the command that runs."""


class ReaderGone(Exception):
    """Nobody reads the results any longer, so that a command that has nothing else to do may end."""


def visible(text: str) -> str:
    """Return a text with escapes in place of all but printable characters and newlines, which a terminal may obey."""
    if all(map(str.isprintable, text.split("\n"))):
        return text
    return "".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in text)


class Output:
    """One of the standard streams, and whether it can still be written.

    Attributes:
        stream: The stream, None if the process was started without.
        reader_gone: Whether what is written goes nowhere, because nobody reads it.
    """

    def __init__(self, stream: TextIO | None, *, needed: bool) -> None:
        """Prepare to write to a stream; if it isn't `needed`, no failure to do so is reported."""
        self.stream, self.reader_gone = stream, False
        self._needed, self._failure = needed, ""

    def write(self, text: str) -> None:
        """Write a text as far as the encoding goes; StorageError if the stream is needed and can't be written."""
        self._attempt(lambda stream: stream.write(_encodable(text, stream.encoding)))

    def flush(self) -> None:
        """Deliver what has been written; raises the same."""
        self._attempt(lambda stream: stream.flush())

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        try:
            return self.stream is not None and self.stream.isatty()
        except ValueError:  # it has been closed
            return False

    def _attempt(self, action: Callable[[TextIO], object]) -> None:
        if self._failure:
            self._refuse()
        if self.reader_gone:
            return
        try:
            if self.stream is None:
                raise OSError(errno.EBADF, "it is closed")
            action(self.stream)
        except (OSError, ValueError) as error:  # ValueError: it has been closed since
            self._abandon()
            if self._needed and not isinstance(error, BrokenPipeError):
                reason = error.strerror if isinstance(error, OSError) else "it is closed"
                self._failure = f"standard output can't be written: {reason or error}"
                self._refuse()
            self.reader_gone = True

    def _refuse(self) -> NoReturn:
        raise StorageError(self._failure, remedy="send it to a file or a pipe that can be written") from None

    def _abandon(self) -> None:
        """Send what is still buffered nowhere: Python would report it once more when it closes the stream."""
        with suppress(OSError, ValueError):
            if self.stream is not None:
                number = self.stream.fileno()
                nowhere = os.open(os.devnull, os.O_WRONLY)
                if nowhere != number:  # the number was free, because somebody closed it
                    os.dup2(nowhere, number)
                    os.close(nowhere)


class GuardedStream(io.TextIOBase):
    """The text file that stands for a standard stream, so that `print` and other libraries pass through it too.

    It offers no `buffer`, so there is no way around it, and closing or reconfiguring it does nothing.
    """

    def __init__(self, output: Output, clean: Callable[[str], str] = visible) -> None:
        """Write to `output` what `clean` makes of each text."""
        self.output = output
        self._clean = clean

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self.output.stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    def write(self, text: str) -> int:
        self.output.write(self._clean(text))
        return len(text)

    def flush(self) -> None:
        self.output.flush()

    def isatty(self) -> bool:
        return self.output.isatty()

    def fileno(self) -> int:
        if self.output.stream is None:
            raise io.UnsupportedOperation("the stream is closed")
        return self.output.stream.fileno()

    def writable(self) -> bool:
        return True

    def reconfigure(self, **_: object) -> None: ...

    def close(self) -> None: ...


@contextmanager
def gated() -> Iterator[Output]:
    """Let results alone reach the standard output, which this gives, while the block runs; all else goes to stderr.

    What a plugin or a library prints, or writes to the descriptor 1, is no result. So `sys.stdout` and `sys.stderr`
    lead to stderr, and `results_output` is the way to the standard output.
    """
    global _results
    before: Any = sys.stdout, sys.stderr, _results
    remarks: Any = GuardedStream(Output(before[1], needed=False))
    with _kept_apart(before[0]) as stream:
        _results = Output(stream, needed=True)
        sys.stdout = sys.stderr = remarks
        try:
            yield _results
        finally:
            sys.stdout, sys.stderr, _results = before


@contextmanager
def _kept_apart(stream: Any) -> Iterator[Any]:
    """Give the stream another descriptor if it had the descriptor 1, which leads to stderr while the block runs."""
    try:
        if stream is None or stream.fileno() != 1:
            raise io.UnsupportedOperation
        stream.flush()
        os.fstat(2)
        own = os.dup(1)
    except (OSError, ValueError):  # a test's stream, or one that is closed or can't be written
        yield stream
        return
    with open(own, "w", encoding=stream.encoding, errors=stream.errors, closefd=False) as apart:
        os.dup2(2, 1)
        try:
            yield apart
        finally:
            if (ctypes := sys.modules.get("ctypes")) is not None:
                ctypes.CDLL(None).fflush(None)  # what C code has printed into a buffer
            with suppress(OSError):
                apart.flush()
            os.dup2(own, 1)
    os.close(own)


def results_output() -> Output:
    """Return the way to the standard output."""
    return _results or output_of(sys.stdout, needed=True)


def output_of(stream: Any, *, needed: bool) -> Output:
    """Return the output that a stream leads to, which may be guarded already."""
    return stream.output if isinstance(stream, GuardedStream) else Output(stream, needed=needed)


def _encodable(text: str, encoding: str | None) -> str:
    """Return a text that the encoding can write."""
    return text if text.isascii() or encoding is None else text.encode(encoding, "backslashreplace").decode(encoding)
