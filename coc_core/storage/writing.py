"""A file that is written whole or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coc_core.errors import StorageError
from coc_core.storage.files import check_name
from coc_core.storage.scratch import NEW, OLD, scratch_folder
from coc_core.storage.swap import swap


def write_file(path: Path, data: bytes, kind: str) -> None:
    """Write `path`, which has its old content or the new one at any time. A replaced file keeps its permissions.

    Args:
        path: The file to make or replace.
        data: The new content.
        kind: What the file is called in error messages.

    Raises:
        StorageError: The file system refused, another process writes the file, or something that is not a regular file
            is at `path`, such as a device or a symbolic link. Then nothing has changed and nothing is left behind.
    """
    with refusing(path, kind):
        mode = _replaced_mode(path, kind)
        with scratch_folder(path) as scratch:
            new = scratch / NEW
            with new.open("xb") as file:
                if mode is not None:
                    os.fchmod(file.fileno(), mode)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _replaced_mode(path, kind)  # again, since only now is it replaced
            swap(new, path, scratch / OLD)


def check_file(path: Path, kind: str) -> None:
    """Check that `write_file` can make or replace `path`, and change nothing; arguments and errors are the same."""
    with refusing(path, kind):
        _replaced_mode(path, kind)
        with scratch_folder(path):
            pass


@contextmanager
def refusing(path: Path, kind: str) -> Iterator[None]:
    """Turn every OSError into a StorageError of one line, which calls what was to be written at `path` a `kind`."""
    try:
        yield
    except BlockingIOError:
        raise StorageError(f"another process is writing the {kind} {path}", remedy="wait until it has ended") from None
    except OSError as error:
        raise StorageError(f"can't write the {kind} {path}: {error.strerror or error}") from error


def _replaced_mode(path: Path, kind: str) -> int | None:
    """The permissions of the file at `path`, None if there is nothing; StorageError unless it may be replaced."""
    check_name(path)
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(found):
        reason, remedy = "it is a symbolic link", "name the file that it leads to, or choose another place"
    elif not stat.S_ISREG(found):
        reason, remedy = "it exists and is not a regular file", "choose another place"
    elif not os.access(path, os.W_OK):
        reason, remedy = "it is read-only", "choose another place, or change its permissions"
    else:
        return stat.S_IMODE(found)
    raise StorageError(f"can't write the {kind} {path}: {reason}", remedy=remedy)
