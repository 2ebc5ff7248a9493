"""Progress of something that counts by itself.

The bar asks for the count when it is drawn, so the loop that counts pays nothing for being watched. On a terminal it
is a bar; piped, a plain line when there is something new to say.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from coc_core.cli.console import text

PLAIN_EVERY = 5.0  # seconds between two looks, where the output is piped
_PART = 0.1  # of the total; so much is news at once
_PATIENCE = 6  # looks, after which less is news, too

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

    news = _News()

    def lines() -> None:
        while not done.wait(PLAIN_EVERY):
            reached, whole = count(), total()
            place, words = place_of(reached, whole), note()
            if news.is_new(reached, whole, place or words):
                console.print(text(f"{label}: {', '.join(filter(None, (place, words)))}"), soft_wrap=True)

    thread = threading.Thread(target=lines, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class _News:
    """Decides which looks at the progress are worth a line."""

    def __init__(self) -> None:
        self._said, self._reached, self._looks = "", 0, 0

    def is_new(self, reached: int | None, total: int | None, said: str) -> bool:
        """Whether to say it: another place than before, and a tenth of the total further, or some time later."""
        self._looks += 1
        far = not total or (reached or 0) - self._reached >= _PART * total
        if said == self._said or not (self._said == "" or (far and total) or self._looks >= _PATIENCE):
            return False
        self._said, self._reached, self._looks = said, reached or 0, 0
        return True


def place_of(count: int | None, total: int | None) -> str:
    """Such as `3,000 of 10,000`."""
    if count is None:
        return ""
    return f"{count:,} of {total:,}" if total else f"{count:,}"
