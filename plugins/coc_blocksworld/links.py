"""Fields of instructions and records: a block in brackets, and the block that an instruction names."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from attrs import frozen

from coc_blocksworld.towers import BLOCK
from coc_core.text import Codec, quoted

ContentsT = TypeVar("ContentsT")

NOTHING = -2
"""No block: the end of a list, or nothing on a block."""


def bracketed(words: Mapping[int, str]) -> Codec[int]:
    """The codec of a block in brackets, or of what may stand in place of one."""
    places = {word: place for place, word in words.items()}

    def parse(text: str) -> int:
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{quoted(text, 24)} is not in brackets")
        return places[text[1:-1]] if text[1:-1] in places else BLOCK.parse(text[1:-1])

    return Codec(parse, lambda place: f"[{words[place] if place in words else BLOCK.format(place)}]")


@frozen
class Place(Generic[ContentsT]):
    """The block that an instruction names; and its record, once that has been read."""

    block: int
    contents: ContentsT | None = None


def place_codec(contents: Codec[ContentsT]) -> Codec[Place[ContentsT]]:
    """The codec of a place, such as `B1`, or `B1: ` and the contents of its record."""

    def parse(text: str) -> Place[ContentsT]:
        name, colon, rest = text.partition(": ")
        return Place(BLOCK.parse(name), contents.parse(rest) if colon else None)

    def write(place: Place[ContentsT]) -> str:
        name = BLOCK.format(place.block)
        return name if place.contents is None else f"{name}: {contents.format(place.contents)}"

    return Codec(parse, write)
