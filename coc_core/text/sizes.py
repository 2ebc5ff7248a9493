"""Sizes of problems as text: single sizes and ranges, separated by commas, as in `1-3,5`."""

import re
from collections.abc import Iterable

from coc_core.errors import UsageError
from coc_core.text.display import quoted
from coc_core.text.numerals import parse_decimal

MOST_SIZES = 10_000

_SIZES = re.compile(r"[0-9]{1,18}(-[0-9]{1,18})?(,[0-9]{1,18}(-[0-9]{1,18})?)*\Z")
_LONGEST = 4_096  # characters


def parse_sizes(text: str) -> tuple[int, ...]:
    """The sizes that a text such as `8`, `1-20` or `1-3,5` names, in ascending order, each once.

    Raises:
        UsageError: The text is of another form, a range is empty, or there are more than `MOST_SIZES` sizes.
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


def format_sizes(sizes: Iterable[int]) -> str:
    """The shortest text that `parse_sizes` reads as these sizes."""
    runs: list[list[int]] = []
    for size in sorted(set(sizes)):
        if runs and runs[-1][-1] == size - 1:
            runs[-1][1:] = [size]
        else:
            runs.append([size])
    return ",".join("-".join(map(str, run)) for run in runs)


def _refusal(text: str) -> UsageError:
    return UsageError(f"{quoted(text, 40)} is not a list of sizes", remedy="write it like 8, 1-20 or 1-3,5")
