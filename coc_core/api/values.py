"""What callers pass to the front door, checked as the command line checks it; and how callers are warned."""

import operator
import os
import sys
import warnings
from collections.abc import Iterable
from enum import StrEnum
from numbers import Real
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from coc_core.errors import UsageError
from coc_core.text import MOST_SIZES, parse_sizes, quoted

PathLike = str | os.PathLike[str]
Files = PathLike | Iterable[PathLike]
Names = str | Iterable[str]
Sizes = int | str | Iterable[int]

_TOO_LARGE = 10**18  # as on the command line

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


def paths(files: Files) -> list[Path]:
    """One path or several, as a list."""
    return [Path(file) for file in ([files] if isinstance(files, str | os.PathLike) else files)]


def names(choice: Names) -> list[str]:
    """One name or several, as a list."""
    return [choice] if isinstance(choice, str) else list(choice)


def whole(option: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """The whole number from `least` to `most` that `value` is; UsageError, naming the option, for anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise UsageError(f"Invalid value for '{option}': {quoted(str(value), 24)} is not a whole number.")
    if not -_TOO_LARGE < number < _TOO_LARGE:
        raise UsageError(f"Invalid value for '{option}': it must have at most 18 digits.")
    if (least is not None and number < least) or (most is not None and number > most):
        allowed = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise UsageError(f"Invalid value for '{option}': it must be {allowed}, not {number:,}.")
    return number


def fraction(option: str, value: Any) -> float:
    """The number from 0 to 1 that `value` is; UsageError, which names the option, for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UsageError(f"Invalid value for '{option}': {quoted(str(value), 24)} is not a number such as 0.5.")
    number: Any = value
    if not 0 <= number <= 1:
        raise UsageError(f"Invalid value for '{option}': it must be from 0 to 1.")
    return float(number)


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


def one_of(option: str, value: str, choices: type[ChoiceT]) -> ChoiceT:
    """The choice of this name; UsageError, with what there is, for any other."""
    try:
        return choices(value)
    except ValueError:
        known = ", ".join(repr(str(choice)) for choice in choices)
        raise UsageError(f"Invalid value for '{option}': {value!r} is not one of {known}.") from None


def warn(notes: Iterable[str]) -> None:
    """Issue each note that is not empty as a UserWarning, at the line outside coc_core that called the front door."""
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "coc_core":
        frame, level = frame.f_back, level + 1
    for note in filter(None, notes):
        warnings.warn(note, UserWarning, stacklevel=level + 1)
