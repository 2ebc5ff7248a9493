"""What callers pass to the front door, checked as the command line checks it; and how callers are warned."""

import inspect
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.options import PathLike, Sizes, Whole
from coc_core.text import MOST_SIZES, parse_sizes, quoted

Files = PathLike | Iterable[PathLike]


def paths(files: Files) -> list[Path]:
    """One path or several, as a list."""
    return [Path(file) for file in ([files] if isinstance(files, str | os.PathLike) else files)]


def whole(option: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """The whole number from `least` to `most` that `value` is; UsageError, naming the option, for anything else."""
    try:
        return Whole(least, most).check(value)
    except ValueError as error:
        raise UsageError(f"Invalid value for '{option}': {error}") from None


def sizes_of(sizes: Sizes) -> tuple[int, ...]:
    """Problem sizes, in ascending order, each once: a number, several, or a text such as `1-3,5`.

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


def warn(notes: Iterable[str]) -> None:
    """Issue each note that is not empty as a UserWarning, at the line outside coc that called the front door."""
    frame = inspect.currentframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("coc_"):
        frame, level = frame.f_back, level + 1
    for note in filter(None, notes):
        warnings.warn(note, UserWarning, stacklevel=level + 1)
