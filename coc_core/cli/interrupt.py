"""Ctrl-C: the step under way is finished first; a second one is immediate."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible(interrupt: Callable[[], object]) -> Iterator[None]:
    """Call what ends a run after the step under way, when Ctrl-C comes first while the block runs.

    Where interrupts are ignored, as in a job that a shell started in the background, they stay so.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return

    def first(_signal: int, _frame: FrameType | None) -> None:
        interrupt()
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
