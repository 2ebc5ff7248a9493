"""The command `coc`, also `python -m coc_core`: open standard streams, and a way to handle interrupts.

This is set up before the command line is imported, since that import can take longer than a command. So this module
imports almost nothing.
"""

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

USAGE, INTERRUPTED = 2, 130  # as `coc_core.errors` has them


def main() -> int:
    """Run the command line on the arguments of the process; gives the exit code.

    An interrupt ends the process with one line: at once while the command is imported, and by a `KeyboardInterrupt`
    while it runs. After that the process has its exit code already, and keeps it.
    """
    try:
        open_descriptors()
        gc.set_threshold(50_000, 20, 20)  # each search for unreachable cycles visits all that libraries have made
        try:
            import fcntl  # noqa: F401, the locks of `coc_core.storage` need it
        except ImportError:
            os.write(2, b"coc: error: coc runs on Linux and macOS; on Windows, run it in WSL\n")
            return USAGE
        interrupt = Interrupt()
        from coc_core.cli import main as command

        interrupt.unwinds = True
        code = command()
        interrupt.unwinds, interrupt.code = False, code
    except KeyboardInterrupt:  # outside of what could report it
        leave()
    return code


def open_descriptors() -> None:
    """Open what is closed of the standard streams' descriptors, so that no file gets one and is written over."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is the one that is taken.
            os.set_inheritable(os.open(os.devnull, os.O_WRONLY if number else os.O_RDONLY), True)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115


class Interrupt:
    """What Ctrl-C does to this process; nothing if it was ignored when the process began.

    Attributes:
        unwinds: Whether the next one raises KeyboardInterrupt; the one after that is immediate.
        code: The exit code of the process, once it has one.
    """

    def __init__(self) -> None:
        import signal

        self.unwinds = False
        self.code: int | None = None
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            sys.unraisablehook = self._lost

    def _handle(self, _signal: int, _frame: "FrameType | None") -> None:
        if not self.unwinds:
            leave(self.code)
        self.unwinds = False
        raise KeyboardInterrupt

    def _lost(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Heed an interrupt that came where nothing can be raised, such as while an object was deleted."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            leave(self.code)
        sys.__unraisablehook__(unraisable)


def leave(code: int | None = None) -> "NoReturn":
    """End the process at once: with its exit code if it has one, else as interrupted."""
    if code is None:
        try:  # noqa: SIM105, contextlib is not imported yet
            os.write(2, b"coc: error: interrupted\n")
        except OSError:
            pass
    os._exit(INTERRUPTED if code is None else code)


if __name__ == "__main__":
    sys.exit(main())
