"""Links from one block to another, as instructions and records have them: a block in brackets, or none."""

from collections.abc import Mapping

from coc_blocksworld.towers import BLOCK
from coc_core.text import Codec, quoted

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
