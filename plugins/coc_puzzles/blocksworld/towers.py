"""Towers of blocks: their texts, such as `[B1, B2]` from the table up, how they stand, and their pictures."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, TypeVar

from coc_core.domain import Column, Item, Scene
from coc_core.text import Codec, ItemNumbers, item_codec, list_codec, quoted

MOST_BLOCKS = 10_000
TABLE = 0
NOTHING = -2
"""What is on a block that is clear."""

BLOCK = item_codec("B", "block")
TOWER = list_codec("B", "block")

Block = Annotated[int, BLOCK]
Tower = Annotated[ItemNumbers, TOWER]
Towers = tuple[Tower, ...]

ThingT = TypeVar("ThingT")


def _parse_several(text: str) -> Towers:
    if text == "[]":
        return ()
    if not (text.startswith("[[") and text.endswith("]]")):
        raise ValueError(f"{quoted(text, 60)} is not a list of lists of blocks")
    towers = tuple(TOWER.parse(f"[{part}]") for part in text[2:-2].split("], ["))
    if () in towers:
        raise ValueError("a tower is empty; leave it out")
    return towers


ONE_TOWER: Codec[Towers] = Codec(
    lambda text: (TOWER.parse(text),) if text != "[]" else (), lambda towers: TOWER.format(sum(towers, ()))
)
"""The codec of at most one tower, without outer brackets."""
SEVERAL_TOWERS = Codec(_parse_several, lambda towers: f"[{', '.join(map(TOWER.format, towers))}]")


def cut(blocks: Sequence[ThingT], ends: Iterable[int]) -> tuple[tuple[ThingT, ...], ...]:
    """Towers of the blocks in this order, which end after so many of them, and after the last; none of no blocks."""
    return tuple(tuple(blocks[first:last]) for first, last in pairwise((0, *ends, len(blocks)))) if blocks else ()


def standing(below: Sequence[int]) -> dict[int, Tower]:
    """Return the towers, by their lowest blocks, where `below[b - 1]` is what block b is on."""
    above = {lower: block for block, lower in enumerate(below, 1)}
    found: dict[int, Tower] = {}
    for base in (block for block, lower in enumerate(below, 1) if lower == TABLE):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found[base] = tuple(tower)
    return found


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
