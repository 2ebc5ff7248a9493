"""Numbers in plain decimal, with exactly one spelling each."""

import re

from coc_core.text.display import quoted

_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z", re.ASCII)


def parse_decimal(text: str) -> int:
    """Parse a plain decimal number: ASCII digits, no sign, no leading zero, at most 19 digits.

    Raises:
        ValueError: `text` is anything else.
    """
    if not _DECIMAL.match(text):
        raise ValueError(f"{quoted(text, 24)} is not a plain decimal number")
    return int(text)


def parse_number(text: str) -> int:
    """Parse a plain decimal number or -1, the only negative number that an address can be.

    Raises:
        ValueError: `text` is anything else.
    """
    return -1 if text == "-1" else parse_decimal(text)
