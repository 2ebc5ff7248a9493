"""Ctrl-C: the step under way is finished first; a second one is immediate."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from coc_core.machine import Machine


@contextmanager
def interruptible(machine: Machine) -> Iterator[None]:
    """While the block runs, the first Ctrl-C ends the machine's run at its next step."""

    def first(_signal: int, _frame: FrameType | None) -> None:
        machine.interrupt()
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
