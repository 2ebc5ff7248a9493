"""A file that is written whole or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

from coc_core.errors import StorageError
from coc_core.storage.exchange import swap
from coc_core.storage.files import absolute
from coc_core.storage.scratch import NEW, OLD, scratch_folder


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
    with FreshFile(path, kind) as file:
        file.write(data)
        file.keep()


class FreshFile:
    """A file that is written bit by bit, and replaces `path` when it is kept; other processes can't write it meanwhile.

    A context manager. If its block ends without `keep`, nothing has changed and nothing is left behind. The arguments
    and errors of its methods are those of `write_file`.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self._path = path
        self._kind = kind
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with refusing(self._path, self._kind), ExitStack() as stack:
            mode = _replaced_mode(self._path, self._kind)
            self._scratch = stack.enter_context(scratch_folder(self._path))
            self._file = stack.enter_context((self._scratch / NEW).open("xb"))
            if mode is not None:
                os.fchmod(self._file.fileno(), mode)
            self._stack = stack.pop_all()
        return self

    def write(self, data: bytes) -> None:
        """Add to the new content."""
        try:  # a plan has millions of lines, and a context for each would take longer than its writing
            self._file.write(data)
        except OSError:
            with refusing(self._path, self._kind):
                raise

    def keep(self) -> None:
        """Put the new content in its place, once all of it has reached the disk."""
        with refusing(self._path, self._kind):
            self._file.flush()
            os.fsync(self._file.fileno())
            _replaced_mode(self._path, self._kind)  # again, since only now is it replaced
            swap(self._scratch / NEW, self._path, self._scratch / OLD)

    def __exit__(self, *raised: object) -> None:
        with suppress(OSError):  # closing writes what is left of a file that is not kept
            self._stack.close()


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
    absolute(path)
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
