"""Files that callers pass to the front door, and how callers are warned."""

import inspect
import os
import warnings
from collections.abc import Iterable
from pathlib import Path

from coc_core.options import PathLike

Files = PathLike | Iterable[PathLike]


def paths(files: Files) -> list[Path]:
    """One path or several, as a list."""
    return [Path(file) for file in ([files] if isinstance(files, str | os.PathLike) else files)]


def warn(notes: Iterable[str]) -> None:
    """Issue each note that is not empty as a UserWarning, at the line outside coc that called the front door."""
    frame = inspect.currentframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("coc_"):
        frame, level = frame.f_back, level + 1
    for note in filter(None, notes):
        warnings.warn(note, UserWarning, stacklevel=level + 1)
