"""Ctrl-C: the step under way is finished first; a second one is immediate."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol


class Interruptible(Protocol):
    """A machine, or whatever else can be asked to stop after the step under way."""

    def interrupt(self) -> None: ...


@contextmanager
def interruptible(machine: Interruptible) -> Iterator[None]:
    """End the machine's run at its next step when Ctrl-C comes first, while the block runs.

    Where interrupts are ignored, as in a job that a shell started in the background, they stay so.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return

    def first(_signal: int, _frame: FrameType | None) -> None:
        machine.interrupt()
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
