"""Options in a text, as in `lead=3,finish=0.99`."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from coc_core.errors import UsageError
from coc_core.text.display import quoted
from coc_core.text.suggestions import nearest

Reader = Callable[[str], Any]
"""Reads a value; ValueError, with what it should be, for a text that is none."""


def parse_options(text: str, readers: Mapping[str, Reader], whose: str) -> dict[str, Any]:
    """The values of the options in a text, by name.

    Args:
        text: The options, `NAME=VALUE` each, with commas between them; empty for none.
        readers: The options that there are, each with what reads its value.
        whose: What has these options, for error messages.

    Raises:
        UsageError: An option is malformed, unknown or given twice, or its value can't be read.
    """
    found: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        name, sign, value = part.partition("=")
        if not sign:
            raise UsageError(f"{whose} has the option {quoted(part, 40)} without a value", remedy="write NAME=VALUE")
        if name not in readers:
            near = nearest(name, readers)
            suggestion = f"did you mean {near!r}? " if near else ""
            raise UsageError(
                f"{whose} has no option {quoted(name, 40)}",
                remedy=f"{suggestion}choose from {', '.join(sorted(readers))}",
            )
        if name in found:
            raise UsageError(f"{whose} has the option {name!r} twice")
        try:
            found[name] = readers[name](value)
        except ValueError as error:
            raise UsageError(f"{name}={quoted(value, 40)} of {whose}: it must be {error}") from None
    return found


def whole_from(least: int, most: int) -> Reader:
    """Reads a whole number from `least` to `most`, as Python prints it."""

    def read(text: str) -> int:
        if not re.fullmatch("0|[1-9][0-9]{0,17}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least:,} to {most:,}")
        return int(text)

    return read


def one_of(*choices: str) -> Reader:
    """Reads one of a few words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(" or ".join(choices))
        return text

    return read
