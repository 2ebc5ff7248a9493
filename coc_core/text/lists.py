"""Rows of numbered things, such as the tower `[B1, B2]`: how they are written, and what makes two of them match."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from coc_core.text.forms import Codec, parse_decimal, shown

Row = tuple[int, ...]

_REMEMBERED = 256  # rows: a run shows the same goal at each step


def numbered(letter: str, noun: str) -> Codec[int]:
    """The codec of one thing: its `letter`, then its number. `noun` is what a person calls it."""

    def parse(text: str) -> int:
        if not text.startswith(letter):
            raise ValueError(f"{shown(text, 24)} is no {noun}; {noun}s are {letter}1, {letter}2, and so on")
        return parse_decimal(text.removeprefix(letter))

    return Codec(parse, lambda number: f"{letter}{number}")


def row(letter: str, noun: str) -> Codec[Row]:
    """The codec of a list of such things: `[]`, `[B1]`, `[B1, B2]`."""
    item = numbered(letter, noun)
    first, between = f"[{letter}", f", {letter}"
    number = f"{re.escape(letter)}(?:0|[1-9][0-9]{{0,18}})"
    well_formed = re.compile(rf"\[{number}(?:, {number})*\]", re.ASCII)

    @lru_cache(maxsize=_REMEMBERED)
    def parse(text: str) -> Row:
        if well_formed.fullmatch(text):
            return tuple(map(int, text[len(first) : -1].split(between)))
        if text == "[]":
            return ()
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{shown(text, 60)} is no list of {noun}s")
        return tuple(map(item.parse, text[1:-1].split(", ")))

    @lru_cache(maxsize=_REMEMBERED)
    def write(things: Row) -> str:
        return first + between.join(map(str, things)) + "]" if things else "[]"

    return Codec(parse, write)


def check_permutation(letter: str, start: Iterable[int], goal: Row) -> None:
    """ValueError, naming the first culprit, unless `start` and `goal` both hold 1 to n, each once."""
    both = {"the start": tuple(start), "the goal": goal}
    numbers = set(range(1, len(goal) + 1))
    if all(len(row) == len(numbers) and set(row) == numbers for row in both.values()):
        return
    for where, found in both.items():
        number, count = Counter(found).most_common(1)[0] if found else (0, 0)
        if count > 1:
            raise ValueError(f"{letter}{number} stands twice in {where}")
    (first, second), (one, other) = both, map(set, both.values())
    for where, missing in ((first, other - one), (second, one - other)):
        if missing:
            raise ValueError(f"{letter}{min(missing)} is missing from {where}")
    unknown = min(set(goal) - numbers)
    raise ValueError(f"{letter}{unknown} is unknown: {len(goal)} of them are {letter}1 to {letter}{len(goal)}")
