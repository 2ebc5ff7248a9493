"""Towers of blocks, and how they are written: `[B1, B2]` is a tower from the table up."""

from collections import Counter

from coc_core.text import Codec, parse_decimal, shown

MOST_BLOCKS = 1000

Tower = tuple[int, ...]
Towers = tuple[Tower, ...]


def _parse_block(text: str) -> int:
    if not text.startswith("B"):
        raise ValueError(f"{shown(text)} is no block; blocks are B1, B2, and so on")
    return parse_decimal(text[1:])


def _format_block(block: int) -> str:
    return f"B{block}"


def _parse_tower(text: str) -> Tower:
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError(f"{shown(text)} is no list of blocks")
    return tuple(map(_parse_block, text[1:-1].split(", "))) if text != "[]" else ()


def _format_tower(tower: Tower) -> str:
    return f"[{', '.join(map(_format_block, tower))}]"


def _parse_one(text: str) -> Towers:
    tower = _parse_tower(text)
    return (tower,) if tower else ()


def _format_one(towers: Towers) -> str:
    return _format_tower(towers[0] if towers else ())


def _parse_several(text: str) -> Towers:
    if text == "[]":
        return ()
    if not (text.startswith("[[") and text.endswith("]]")):
        raise ValueError(f"{shown(text)} is no list of lists of blocks")
    towers = tuple(_parse_tower(f"[{part}]") for part in text[2:-2].split("], ["))
    if () in towers:
        raise ValueError("a stack is empty; leave it out")
    return towers


def _format_several(towers: Towers) -> str:
    return f"[{', '.join(map(_format_tower, towers))}]"


BLOCK = Codec(_parse_block, _format_block)
TOWER = Codec(_parse_tower, _format_tower)
ONE_TOWER = Codec(_parse_one, _format_one)
"""Towers of which there is at most one, written without the outer brackets."""
SEVERAL_TOWERS = Codec(_parse_several, _format_several)


def check_blocks(start: Towers, goal: Tower) -> None:
    """ValueError unless both hold the blocks B1 to Bn, each once."""
    both = {"start": tuple(block for tower in start for block in tower), "goal": goal}
    for where, blocks in both.items():
        counts = Counter(blocks)
        for block, count in counts.items():
            if count > 1:
                raise ValueError(f"B{block} stands twice in {where}")
        for block in (*both["start"], *both["goal"]):
            if block not in counts:
                raise ValueError(f"B{block} is missing from {where}")
    for block in goal:
        if not 1 <= block <= len(goal):
            raise ValueError(f"B{block} is unknown; {len(goal)} blocks are B1 to B{len(goal)}")
