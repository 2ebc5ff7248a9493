"""Options in a text, as in `lead=3,finish=0.99`, and the name that is likely meant by one that is unknown."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from coc_core.errors import UsageError
from coc_core.text.display import quoted

_ALIKE = 0.7  # of the letters of both, so that `memories` is near `memory`
_SHORTEST = 3  # letters with which a name begins that is near

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


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of some names that is nearly `name`, has its letters, begins with it or is a part of it; None if none."""
    every, name = {each.lower(): each for each in sorted(names)}, name.lower()
    words = re.findall(r"\w+", name)

    def is_near(each: str) -> bool:
        begins = min(len(each), len(name)) >= _SHORTEST and (each.startswith(name) or name.startswith(each))
        return begins or each in words or sorted(each) == sorted(name)

    alike = get_close_matches(name, every, 1, _ALIKE)
    return every.get(alike[0] if alike else min(filter(is_near, every), key=len, default=""))
