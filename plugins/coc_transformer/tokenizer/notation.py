"""How a text is written for the model: numbers units first, in decimal or in binary digits, and where lists end.

With the units first, a sum is written in the order in which it is computed: each digit follows from the digits at its
place and the carry before it. Binary digits help with numbers that are larger than those in training. Up to 20, the
only tens digits are 1 and 2, and a model that is trained on these numbers has never seen a 3 there. In binary, both
digits occur at every place but the highest.

Where brackets are tokens of their own, the model says that a list ends before it decides how the text goes on.
"""

from collections.abc import Callable, Mapping

from attrs import frozen

NO_TEXT = "\ufffd"
"""Stands for whatever has no text. No convention's targets contain it, so a target with it is a protocol fault."""

_MOST_DECIMAL = 599  # digits: Python converts 640 at least, whatever limit a user has set
_MOST_BINARY = 1_990  # digits of the largest such number


@frozen
class Notation:
    """How a kind of tokens writes a text.

    Attributes:
        digits: A regular expression of a digit.
        write: A decimal number in these digits.
        read: The decimal number of these digits.
        brackets: Whether each bracket is a token of its own.
    """

    digits: str
    write: Callable[[str], str]
    read: Callable[[str], str]
    brackets: bool = False


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
    "brackets": Notation("[01]", _to_binary, _to_decimal, brackets=True),
}
"""Those of the kinds of tokens that read a text as names, digits and the chunks between them."""
