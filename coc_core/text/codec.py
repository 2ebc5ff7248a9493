"""Codecs: how one value is written, and read back; and numbers in plain decimal, with exactly one spelling each."""

import re
from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from coc_core.text.display import quoted

T = TypeVar("T")

POSITIVE = "[1-9][0-9]{0,18}"
UNSTATED = "(?!)"  # in a pattern that would match other texts, too; so it matches none
_DECIMAL = re.compile(rf"(?:0|{POSITIVE})\Z", re.ASCII)


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

    As a whole, these texts match `pattern`, for Python and for JavaScript; if others do, too, it has `UNSTATED` in it.
    """

    parse: Callable[[str], T]
    format: Callable[[T], str] = str
    pattern: str = f".+{UNSTATED}"


INTEGER = Codec(parse_decimal, pattern=f"(?:0|{POSITIVE})")
