"""How numbers are written for the model: units first, in decimal or in binary digits.

The number that follows is then found from left to right, as a sum is: a digit depends on the one beside it, and on a
carry. In binary, each place of a number soon has had every digit that there is. In decimal, numbers up to 20 have no
other tens digit than 1 and 2, and a model that is trained on them has no reason to expect 3.
"""

from collections.abc import Callable, Mapping

from attrs import frozen

NO_TEXT = "\ufffd"
"""Stands for whatever has no text. No convention's targets contain it, so a target with it is a protocol fault."""

_MOST_DECIMAL = 599  # digits: Python converts 640 at least, whatever limit a user has set
_MOST_BINARY = 1_990  # digits of the largest such number


@frozen
class Notation:
    """The digits of a kind of tokens: which characters they are, and a decimal number in them and back."""

    digits: str
    write: Callable[[str], str]
    read: Callable[[str], str]


def _reversed(digits: str) -> str:
    return digits[::-1]


def _to_binary(decimal: str) -> str:
    """As many zeros stand before the number in both; U+FFFD for a number that is too long to be converted."""
    if len(decimal) > _MOST_DECIMAL:
        return NO_TEXT
    zeros, number = _split(decimal)
    return _reversed(f"{zeros}{int(number):b}")


def _to_decimal(binary: str) -> str:
    """The inverse of `_to_binary`; U+FFFD for what is too long, and for other digits."""
    if len(binary) > _MOST_BINARY or binary.strip("01"):
        return NO_TEXT
    zeros, number = _split(_reversed(binary))
    return f"{zeros}{int(number, 2)}"


def _split(digits: str) -> tuple[str, str]:
    """The zeros before a number, and the number."""
    number = digits.lstrip("0") or "0"
    return digits[: len(digits) - len(number)], number


NOTATIONS: Mapping[str, Notation] = {
    "exact": Notation("[0-9]", _reversed, _reversed),
    "binary": Notation("[01]", _to_binary, _to_decimal),
}
"""Those of the kinds of tokens that read a text as names, digits and the chunks between them."""
