"""Pictures of the pegs: in plain text, and as a scene."""

from coc_core.domain import Column, Item, Scene
from coc_hanoi.state import Pegs, disks

GAP = "  "


def render(state: Pegs, width: int) -> str:
    """Draw the pegs side by side: bars if they fit into `width` columns, otherwise numbers."""
    piles = [disks(pile) for pile in state]
    n = sum(map(len, piles))
    drawn = _bar if len(GAP.join(_bar(n) for _ in piles)) <= width else _number
    column = len(drawn(n))
    layers = [
        GAP.join(drawn(pile[layer - n + len(pile)] if layer >= n - len(pile) else 0).center(column) for pile in piles)
        for layer in range(n)
    ]
    base = GAP.join("─" * column for _ in piles)
    names = GAP.join(str(peg).center(column) for peg in range(1, len(piles) + 1))
    return "\n".join(line.rstrip() for line in (*layers, base, names))


def scene(state: Pegs) -> Scene:
    """Make a scene of the pegs. The width of disk d is 0.25 + 0.75 d / n of a column."""
    piles = [disks(pile) for pile in state]
    n = sum(map(len, piles))
    return Scene(
        tuple(
            Column(str(peg), tuple(Item(str(disk), str(disk), 0.25 + 0.75 * disk / n) for disk in reversed(pile)))
            for peg, pile in enumerate(piles, 1)
        ),
        posts=True,
    )


def _bar(disk: int) -> str:
    """A bar as wide as its number, with half columns at both ends if that is even."""
    if not disk:
        return "│"
    return "█" * disk if disk % 2 else f"▐{'█' * (disk - 1)}▌"


def _number(disk: int) -> str:
    return f"[{disk:^4}]" if disk else "│"
