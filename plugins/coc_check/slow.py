"""A line about a `_problem` that does not return, so that its author need not guess."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from coc_core.cli import console

AFTER = 5.0  # seconds


@contextmanager
def naming_a_slow_problem() -> Iterator[None]:
    """Warn once, with its place, of one call of `_problem` in this thread that goes on for `AFTER` seconds."""
    done = threading.Event()
    watch = threading.Thread(target=_watch, args=(threading.get_ident(), done), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()


def _watch(thread: int, done: threading.Event) -> None:
    before: FrameType | None = None
    while not done.wait(AFTER):
        frame = sys._current_frames().get(thread)
        while frame is not None and frame.f_code.co_name != "_problem":
            frame = frame.f_back
        if frame is not None and frame is before:
            code = frame.f_code
            console.warn(f"`_problem` does not return, at {code.co_filename}:{frame.f_lineno}; Ctrl-C stops it")
            return
        before = frame
