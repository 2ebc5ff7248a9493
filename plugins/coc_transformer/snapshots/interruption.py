"""Ctrl-C in a training: the step under way is finished first, and stored."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)  # the latter is what torchrun sends to its processes


class StopRequest:
    """Whether someone asked to stop."""

    def __init__(self) -> None:
        self.made = False


@contextmanager
def stop_request() -> Iterator[StopRequest]:
    """While the block runs, Ctrl-C or a request to terminate is only noted; a second one acts at once.

    Outside of the main thread, where no signal arrives, nothing is changed.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def note(number: int, _frame: FrameType | None) -> None:
        request.made = True
        signal.signal(number, before[signal.Signals(number)])

    for number in _SIGNALS:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
