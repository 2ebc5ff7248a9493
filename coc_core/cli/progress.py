"""Progress of something that counts by itself.

The bar asks for the count when it is drawn, so the loop that counts pays nothing for being watched. On a terminal it
is a bar; piped, a plain line now and then.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from coc_core.cli.console import text

PLAIN_EVERY = 5.0  # seconds

Total = Callable[[], int | None]
"""How far there is to go, where that is known."""
Count = Callable[[], int | None]
"""How far it has come, None before the counting begins."""


def _words(template: str) -> TextColumn:
    return TextColumn(template, markup=False)


class _Bar(Progress):
    """A bar that asks where it stands whenever it is drawn."""

    def __init__(self, console: Console, label: str, total: Total, count: Count, note: Callable[[], str]):
        super().__init__(
            _words("{task.description}"),
            BarColumn(),
            _words("{task.fields[place]}"),
            _words("{task.fields[note]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            refresh_per_second=8,
        )
        self._total, self._count, self._note = total, count, note
        self.add_task(label, total=None, place="", note="")

    def get_renderables(self) -> Iterable[RenderableType]:
        for task in self.task_ids:
            total, count = self._total(), self._count()
            self.update(task, total=total, completed=count, place=_place(count, total), note=self._note())
        return super().get_renderables()


@contextmanager
def progress(
    console: Console, label: str, total: Total, count: Count, note: Callable[[], str] | None = None
) -> Iterator[None]:
    """Show `count()` of `total()` while the block runs; `note` adds a few words, by default the rate."""
    started = time.monotonic()

    def rate() -> str:
        return f"{(count() or 0) / max(time.monotonic() - started, 1e-9):,.0f} steps/s"

    note = note or rate
    if console.is_terminal:
        with _Bar(console, label, total, count, note):
            yield
        return
    done = threading.Event()

    def lines() -> None:
        while not done.wait(PLAIN_EVERY):
            said = filter(None, (_place(count(), total()), note()))
            console.print(text(f"{label}: {', '.join(said)}"), soft_wrap=True)

    thread = threading.Thread(target=lines, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _place(count: int | None, total: int | None) -> str:
    """Such as `3,000 of 10,000`."""
    if count is None:
        return ""
    return f"{count:,} of {total:,}" if total else f"{count:,}"
