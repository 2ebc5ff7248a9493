"""Pictures of states, drawn only where all of them fits."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from coc_core.cli import console
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


def puzzle(domain: Domain[Any, Any, Any, Any], before: Any, after: Any) -> Iterator[RenderableType]:
    """Yield a picture of both states, side by side or one above the other; none where they don't fit."""
    screen, states = console.out(), {"before": before, "after": after}
    height = screen.height - (_SUMMARY if screen.is_terminal else 0)
    half = (screen.width - _GAP) // 2
    if all(beside := [picture(domain, state, half, height - 1) for state in states.values()]):
        table = Table.grid(padding=(0, _GAP, 0, 0))
        table.add_row(*(text(title, style="dim") for title in states))
        table.add_row(*(text(drawn or "", no_wrap=True) for drawn in beside))
        yield Group(table, "")
    elif all(stacked := [picture(domain, state, screen.width, height // 2 - 1) for state in states.values()]):
        pairs = zip(states, stacked, strict=True)
        parts = [(text(title, style="dim"), text(drawn or "", no_wrap=True)) for title, drawn in pairs]
        yield Group(*chain(*parts), "")
