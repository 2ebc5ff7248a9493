"""A Ctrl-C ends a training once the current step is finished and stored."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_request() -> Iterator[threading.Event]:
    """Only set an event at Ctrl-C or SIGTERM while the block runs; a second one takes effect at once. Does nothing
    outside the main thread, which no signal reaches, and to an ignored signal, as a shell's background jobs ignore
    interrupts.
    """
    request = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    before = {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}

    def note(number: int, _frame: FrameType | None) -> None:
        request.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
