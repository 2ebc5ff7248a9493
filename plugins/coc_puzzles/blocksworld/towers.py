"""Towers of blocks: their texts, such as `[B1, B2]` from the table up, and how they stand."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, TypeVar

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
