"""Progress of something that counts by itself.

A thread asks for the count now and then, so the loop that counts pays nothing for being watched. On a terminal it moves
a bar; piped, it prints a plain line every half minute in which the count has come further.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from rich.console import Console

from coc_core.cli.console import text

DRAWN_EVERY = 0.125  # seconds between two looks of the bar
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
    started, done, said = time.monotonic(), threading.Event(), ""
    bar = _bar(console, label) if console.is_terminal else None

    def rate() -> str:
        new = max(0, (count() or 0) - before)
        return f"{new / max(time.monotonic() - started, 1e-9):,.0f} steps/s"

    def look() -> None:
        nonlocal said
        most, reached, words = total(), count(), (note or rate)()
        place = "" if reached is None else f"{reached:,} of {most:,}" if most else f"{reached:,}"
        if bar is not None:
            bar.update(
                bar.task_ids[0], total=most, completed=reached, place=place, note=words, refresh=bar.live.is_started
            )
        elif (place or words) != said:
            said = place or words
            console.print(text(f"{label}: {', '.join(filter(None, (place, words)))}"), soft_wrap=True)

    def watch() -> None:
        while not done.wait(PLAIN_EVERY if bar is None else DRAWN_EVERY):
            look()

    thread = threading.Thread(target=watch, daemon=True)
    if bar is not None:
        look()
    with bar or nullcontext():
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def _bar(console: Console, label: str) -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # for a terminal

    named, place, note = (
        TextColumn(f"{{task.{each}}}", markup=False) for each in ("description", "fields[place]", "fields[note]")
    )
    columns = named, BarColumn(), place, note, TimeElapsedColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
    bar.add_task(label, total=None, place="", note="")
    return bar
