"""Towers of blocks and their text forms: `[B1, B2]` is a tower from the table up."""

from coc_core.text import Codec, ItemNumbers, item_codec, list_codec, quoted

MOST_BLOCKS = 1000

Tower = ItemNumbers
Towers = tuple[Tower, ...]

BLOCK = item_codec("B", "block")
TOWER = list_codec("B", "block")


def _parse_one(text: str) -> Towers:
    tower = TOWER.parse(text)
    return (tower,) if tower else ()


def _format_one(towers: Towers) -> str:
    return TOWER.format(towers[0] if towers else ())


def _parse_several(text: str) -> Towers:
    if text == "[]":
        return ()
    if not (text.startswith("[[") and text.endswith("]]")):
        raise ValueError(f"{quoted(text, 60)} is not a list of lists of blocks")
    towers = tuple(TOWER.parse(f"[{part}]") for part in text[2:-2].split("], ["))
    if () in towers:
        raise ValueError("a tower is empty; leave it out")
    return towers


def _format_several(towers: Towers) -> str:
    return f"[{', '.join(map(TOWER.format, towers))}]"


ONE_TOWER = Codec(_parse_one, _format_one)
"""The codec of at most one tower, without outer brackets."""
SEVERAL_TOWERS = Codec(_parse_several, _format_several)
