"""Pictures of towers: side by side as text, and as scenes."""

from collections.abc import Iterable, Sequence

from coc_core.domain import Column, Item, Scene


def draw(towers: Sequence[Sequence[str]], width: int) -> str:
    """Draw towers of names side by side, or as lines of text, from the table up, if they don't fit."""
    cell = max((len(name) for tower in towers for name in tower), default=0) + 2
    ground = max(len(towers) * (cell + 1) - 1, 1)
    if ground > width:
        return "\n".join(map(" ".join, towers))
    rows = [
        " ".join((f"[{tower[level]}]" if level < len(tower) else "").center(cell) for tower in towers).rstrip()
        for level in reversed(range(max(map(len, towers), default=0)))
    ]
    return "\n".join((*rows, "─" * ground))


def scene(towers: Iterable[tuple[str, Sequence[str]]]) -> Scene:
    """Make a scene of towers of names, each with the label of its place."""
    return Scene(tuple(Column(label, tuple(Item(name, name) for name in names)) for label, names in towers))
