"""Lists: of numbered things, such as the tower `[B1, B2]`, with the check that two of them match; and of anything."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from coc_core.text.codec import POSITIVE, Codec, parse_decimal
from coc_core.text.display import quoted

T = TypeVar("T")
ItemNumbers = tuple[int, ...]

_CACHED = 1 << 12  # short lists; each of many runs repeats the same goal at every step
_CACHED_LONG = 1 << 6
_SHORT = 1 << 10  # characters


def item_codec(letter: str, noun: str) -> Codec[int]:
    """Make the codec of one thing, such as `B1`: a letter and a number. Errors call it by its noun."""

    def parse(text: str) -> int:
        if not text.startswith(letter) or text == f"{letter}0":
            raise ValueError(f"{quoted(text, 24)} is not a {noun}; {noun}s are {letter}1, {letter}2, and so on")
        return parse_decimal(text.removeprefix(letter))

    return Codec(parse, lambda number: f"{letter}{number}", f"{letter}{POSITIVE}")


def list_codec(letter: str, noun: str) -> Codec[ItemNumbers]:
    """Make the codec of a list of such things: `[]`, `[B1]`, `[B1, B2]`. The arguments are those of `item_codec`."""
    item = item_codec(letter, noun)
    number = lru_cache(_CACHED)(lambda text: 0 if text == f"{letter}0" else item.parse(text))
    text_of = lru_cache(_CACHED)(item.format)

    def read(text: str) -> ItemNumbers:
        if text == "[]":
            return ()
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{quoted(text, 60)} is not a list of {noun}s")
        items = text[1:-1].split(", ")
        try:
            return tuple(map(number, items))
        except ValueError:
            return tuple(map(item.parse, items))  # its error names the first item that is not one

    def write(items: ItemNumbers) -> str:
        return f"[{', '.join(map(text_of, items))}]"

    read_short, read_long = lru_cache(_CACHED)(read), lru_cache(_CACHED_LONG)(read)
    write_short, write_long = lru_cache(_CACHED)(write), lru_cache(_CACHED_LONG)(write)
    return Codec(
        lambda text: read_short(text) if len(text) <= _SHORT else read_long(text),
        lambda numbers: write_short(numbers) if 8 * len(numbers) <= _SHORT else write_long(numbers),
        list_pattern(f"{letter}(?:0|{POSITIVE})"),
    )


def list_of(item: Codec[T], noun: str) -> Codec[tuple[T, ...]]:
    """Make the codec of a list of anything: `[]`, `[a]`, `[a, b]`, and, for items that are lists, `[[a, b], [c]]`.

    Args:
        item: The codec of an item, whose text has brackets in pairs and, outside of them, no comma before a space.
        noun: What an item is called in error messages.
    """

    def parse(text: str) -> tuple[T, ...]:
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"{quoted(text, 60)} is not a list of {noun}s")
        return tuple(map(item.parse, _items(text[1:-1]))) if text != "[]" else ()

    return Codec(parse, lambda items: f"[{', '.join(map(item.format, items))}]", list_pattern(item.pattern))


def list_pattern(item: str, empty: bool = True) -> str:
    """Return the pattern of a list of items that match this one, which may be empty or not."""
    return rf"\[(?:{item}(?:, {item})*){'?' * empty}\]"


def _items(text: str) -> Iterator[str]:
    """Yield the texts between the commas that are in no brackets."""
    depth = begin = 0
    for mark in re.finditer(r"[][]|, ", text):
        if mark[0] != ", ":
            depth += 1 if mark[0] == "[" else -1
        elif not depth:
            yield text[begin : mark.start()]
            begin = mark.end()
    yield text[begin:]


def check_permutation(letter: str, start: Iterable[int], goal: ItemNumbers) -> None:
    """Raise ValueError unless `start`, in any order, and `goal` both hold each of the numbers 1 to n once.

    The message names the first offending thing, by its letter and number.
    """
    both = {"the start": tuple(start), "the goal": goal}
    numbers = set(range(1, len(goal) + 1))
    if all(len(held) == len(numbers) and set(held) == numbers for held in both.values()):
        return
    for where, held in both.items():
        number, count = Counter(held).most_common(1)[0] if held else (0, 0)
        if count > 1:
            raise ValueError(f"{letter}{number} appears twice in {where}")
    (first, second), (one, other) = both, map(set, both.values())
    for where, missing in ((first, other - one), (second, one - other)):
        if missing:
            raise ValueError(f"{letter}{min(missing)} is missing from {where}")
    unknown = min(set(goal) - numbers)
    raise ValueError(f"{letter}{unknown} is unknown: {len(goal)} of them are {letter}1 to {letter}{len(goal)}")
