"""Pictures of states, drawn only where all of them fits."""

from typing import Any

from rich.console import Console
from rich.table import Table

from coc_core.cli.console import text
from coc_core.domain import Domain

_GAP = 6  # columns between two pictures
_SUMMARY = 7  # lines of a terminal that are kept for what follows the pictures


def picture(domain: Domain[Any, Any, Any, Any], state: Any, width: int, height: int | None = None) -> str | None:
    """Return a picture of a state in at most `width` columns and `height` lines; None if it doesn't fit."""
    if width < 1:
        return None
    drawn = domain.render(state, width)
    lines = drawn.splitlines()
    fits = max(map(len, lines)) <= width and (height is None or len(lines) <= height)
    return drawn if fits else None


def puzzle(console: Console, domain: Domain[Any, Any, Any, Any], before: Any, after: Any) -> None:
    """Print both states, side by side or one above the other; nothing where they don't fit."""
    height = console.height - (_SUMMARY if console.is_terminal else 0)
    states = {"before": before, "after": after}
    half = (console.width - _GAP) // 2
    if all(beside := [picture(domain, state, half, height - 1) for state in states.values()]):
        table = Table.grid(padding=(0, _GAP, 0, 0))
        table.add_row(*(text(title, style="dim") for title in states))
        table.add_row(*(text(drawn or "", no_wrap=True) for drawn in beside))
        console.print(table)
        console.print()
    elif all(stacked := [picture(domain, state, console.width, height // 2 - 1) for state in states.values()]):
        for title, drawn in zip(states, stacked, strict=True):
            console.print(text(title, style="dim"))
            console.print(text(drawn or "", no_wrap=True))
        console.print()
