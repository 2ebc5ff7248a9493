"""Towers of blocks: their texts, such as `[B1, B2]` from the table up, how they stand, and links between blocks."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, TypeVar

from coc_core.text import Codec, ItemNumbers, item_codec, list_codec, quoted

MOST_BLOCKS = 1000
TABLE = 0
NOTHING = -2
"""No block: the end of a list, or nothing on a block."""

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


def bracketed(words: Mapping[int, str]) -> Codec[int]:
    """The codec of a block in brackets, or of what may stand in place of one."""
    places = {word: place for place, word in words.items()}

    def parse(text: str) -> int:
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{quoted(text, 24)} is not in brackets")
        return places[text[1:-1]] if text[1:-1] in places else BLOCK.parse(text[1:-1])

    return Codec(parse, lambda place: f"[{words[place] if place in words else BLOCK.format(place)}]")


Linked = Annotated[int, bracketed({})]
MaybeLinked = Annotated[int, bracketed({NOTHING: ""})]
"""A block, or NOTHING."""


def cut(blocks: Sequence[ThingT], ends: Iterable[int]) -> tuple[tuple[ThingT, ...], ...]:
    """Towers of the blocks in this order, which end after so many of them, and after the last; none of no blocks."""
    return tuple(tuple(blocks[first:last]) for first, last in pairwise((0, *ends, len(blocks)))) if blocks else ()


def standing(below: Sequence[int]) -> dict[int, Tower]:
    """The towers, by their lowest blocks, where `below[b - 1]` is what block b is on."""
    above = {lower: block for block, lower in enumerate(below, 1)}
    found: dict[int, Tower] = {}
    for base in (block for block, lower in enumerate(below, 1) if lower == TABLE):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found[base] = tuple(tower)
    return found
