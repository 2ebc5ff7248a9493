"""Progress of something that counts by itself.

The bar asks for the count when it is drawn, so the loop that counts pays nothing for being watched. On a terminal it
is a bar; piped, a plain line every half minute in which it has come further.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from coc_core.cli.console import text

PLAIN_EVERY = 30.0  # seconds between two lines, where the output is piped

Total = Callable[[], int | None]
"""How far there is to go, where that is known."""
Count = Callable[[], int | None]
"""How far it has come, None before the counting begins."""


@contextmanager
def progress(
    console: Console, label: str, total: Total, count: Count, note: Callable[[], str] | None = None, before: int = 0
) -> Iterator[None]:
    """Show `count()` of `total()` while the block runs; `note` adds a few words, by default the rate since `before`."""
    started = time.monotonic()

    def rate() -> str:
        done = max(0, (count() or 0) - before)
        return f"{done / max(time.monotonic() - started, 1e-9):,.0f} steps/s"

    note = note or rate
    if console.is_terminal:
        from coc_core.cli.bar import Bar  # what is piped does without

        with Bar(console, label, total, count, note):
            yield
        return
    done = threading.Event()

    def lines() -> None:
        said = ""
        while not done.wait(PLAIN_EVERY):
            place, words = place_of(count(), total()), note()
            if (place or words) != said:
                said = place or words
                console.print(text(f"{label}: {', '.join(filter(None, (place, words)))}"), soft_wrap=True)

    thread = threading.Thread(target=lines, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def place_of(count: int | None, total: int | None) -> str:
    """Such as `3,000 of 10,000`."""
    if count is None:
        return ""
    return f"{count:,} of {total:,}" if total else f"{count:,}"
