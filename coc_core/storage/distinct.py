"""Whether the files that a command reads and writes are different files, whatever they are called."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from coc_core.errors import UsageError

Files = Mapping[str, Sequence[Path]]
"""Files by the options that name them."""


def check_distinct(written: Files, read: Files) -> None:
    """Check that no file that will be written is also written or read through another option.

    Args:
        written: The files that will be written.
        read: The files that are read.

    Raises:
        UsageError: Two options name the same file, by the same path, by a link or through another folder.
    """
    named = [(option, path, True) for option, paths in written.items() for path in paths]
    named += [(option, path, False) for option, paths in read.items() for path in paths]
    for (one, path, is_written), (other, another, _) in combinations(named, 2):
        if is_written and one != other and same_file(path, another):
            raise UsageError(
                f"{one} and {other} name the same file, {path}", remedy="choose another file for one of them"
            )


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file, or would if they existed."""
    with suppress(OSError, ValueError):  # at least one of them does not exist
        return one.samefile(other)
    with suppress(OSError, ValueError):  # no file can have that name, or the current folder no longer exists
        return os.path.realpath(one) == os.path.realpath(other)
    return False
