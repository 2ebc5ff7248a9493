"""Codecs: how one value is written, and read back."""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from coc_core.text.numerals import parse_decimal

T = TypeVar("T")


@frozen
class Codec(Generic[T]):
    """How one field is parsed and formatted. `parse` raises ValueError for any text that `format` does not write."""

    parse: Callable[[str], T]
    format: Callable[[T], str] = str


INTEGER = Codec(parse_decimal)
