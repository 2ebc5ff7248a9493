"""Ctrl-C during training: the current step is finished and stored first."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Whether the training was asked to stop."""

    def __init__(self) -> None:
        self.made = False


@contextmanager
def stop_request() -> Iterator[StopRequest]:
    """Only record Ctrl-C or SIGTERM while the block runs; a second one takes effect at once. Does nothing outside the
    main thread, which no signal reaches, and to an ignored signal, as a shell's background jobs ignore interrupts.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}

    def note(number: int, _frame: FrameType | None) -> None:
        request.made = True
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
