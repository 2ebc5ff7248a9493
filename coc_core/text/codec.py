"""Codecs: how one value is written, and read back; and numbers in plain decimal, with exactly one spelling each."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

from coc_core.text.display import quoted

T = TypeVar("T")

_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z", re.ASCII)


def parse_decimal(text: str) -> int:
    """Parse a decimal number: ASCII digits, no sign, no leading zero, at most 19 digits; ValueError for other text."""
    if not _DECIMAL.match(text):
        raise ValueError(f"{quoted(text, 24)} is not a plain decimal number")
    return int(text)


def parse_number(text: str) -> int:
    """Parse a plain decimal number or -1, the only negative address; ValueError for another text."""
    return -1 if text == "-1" else parse_decimal(text)


@frozen
class Codec(Generic[T]):
    """How one field is parsed and formatted. `parse` raises ValueError for any text that `format` does not write.

    All of these texts match `pattern` as a whole, a regular expression of Python and of JavaScript; few others do.
    """

    parse: Callable[[str], T]
    format: Callable[[T], str] = str
    pattern: str = field(default=".+", eq=False)


POSITIVE = "[1-9][0-9]{0,18}"
INTEGER = Codec(parse_decimal, pattern=f"(?:0|{POSITIVE})")


def number_pattern(most: int) -> str:
    """Return the pattern of a plain decimal number from 1 to this one."""
    digits = str(most)
    found = [f"[1-9][0-9]{{{more}}}" if more else "[1-9]" for more in range(len(digits) - 1)]
    for place, digit in enumerate(digits):
        least, more = int(place == 0), len(digits) - place - 1
        if int(digit) > least:
            found.append(f"{digits[:place]}[{least}-{int(digit) - 1}]{'[0-9]' * more}")
    return f"(?:{'|'.join([*found, digits])})"


def words_pattern(words: Iterable[object]) -> str:
    """Return the pattern of a text that is one of these words."""
    found = [re.escape(str(word)) for word in words]
    return f"(?:{'|'.join(found)})" if found[1:] else found[0]


def ordered_pattern(parts: Sequence[str], between: str) -> str:
    """Return the pattern of one or more of these parts, in their order, with the same text between each two."""
    rests = [part + "".join(f"(?:{between}{later})?" for later in parts[place:]) for place, part in enumerate(parts, 1)]
    return f"(?:{'|'.join(rests)})"
