"""Sizes of problems: from Python, and as text: single sizes and ranges, separated by commas, as in `1-3,5`."""

import re
from collections.abc import Iterable
from typing import Any

from coc_core.errors import UsageError
from coc_core.options import Whole
from coc_core.text import parse_decimal, quoted

Sizes = int | str | Iterable[int]

MOST_SIZES = 10_000

_SIZES = re.compile(r"[0-9]{1,18}(-[0-9]{1,18})?(,[0-9]{1,18}(-[0-9]{1,18})?)*\Z")
_LONGEST = 4_096  # characters


def whole(option: str, value: Any) -> int:
    """Return the whole number that `value` is; UsageError, naming the option, for anything else."""
    try:
        return Whole().check(value)
    except ValueError as error:
        raise UsageError(f"Invalid value for '{option}': {error}") from None


def sizes_of(sizes: Sizes) -> tuple[int, ...]:
    """Return problem sizes, in ascending order, each once: a number, several, or a text such as `1-3,5`.

    UsageError if there are none, too many, or if one is not a whole number.
    """
    if isinstance(sizes, str):
        return parse_sizes(sizes)
    several = sizes if isinstance(sizes, Iterable) else [sizes]
    found = sorted({whole("--n", size) for _, size in zip(range(MOST_SIZES + 1), several, strict=False)})
    if not found:
        raise UsageError(f"the range of sizes {quoted(repr(sizes), 40)[1:-1]!r} is empty")
    if len(found) > MOST_SIZES:
        raise UsageError(f"{quoted(repr(sizes), 40)} names more than {MOST_SIZES:,} sizes", remedy="choose fewer")
    return tuple(found)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that a text such as `8`, `1-20` or `1-3,5` names, in ascending order, each once.

    UsageError for another form, an empty range, or more than `MOST_SIZES` sizes.
    """
    if len(text) > _LONGEST or not _SIZES.match(text):
        raise _refusal(text)
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        try:
            sizes = range(parse_decimal(first), parse_decimal(last or first) + 1)
        except ValueError:  # a leading zero
            raise _refusal(text) from None
        if not sizes:
            raise UsageError(f"the range of sizes {part!r} is empty")
        if len(found) + len(sizes) > MOST_SIZES:
            raise UsageError(f"{quoted(text, 40)} names more than {MOST_SIZES:,} sizes", remedy="choose fewer")
        found.update(sizes)
    return tuple(sorted(found))


def _refusal(text: str) -> UsageError:
    return UsageError(f"{quoted(text, 40)} is not a list of sizes", remedy="write it like 8, 1-20 or 1-3,5")
