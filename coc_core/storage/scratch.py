"""Locks, and scratch folders: beside a file or folder that is being written, and in the place for temporary files.

A lock is the system's own, and ends with the process that has it, however it ends.

One beside a target is the room for the new content, and the lock. Its name depends on the target alone. It is locked
while it is used, and that lock ends with the process, however the process ends. So a second process is
refused at once, and what a killed one has left is removed by the next one.
"""

try:
    import fcntl
except ImportError:
    raise ImportError("coc runs on Linux and macOS; on Windows, run it in WSL") from None
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO

from coc_core.errors import StorageError
from coc_core.storage.files import absolute, sync

NEW = "new"
"""The new content, in a scratch folder."""
OLD = "old"
"""The folder that is being replaced, in a scratch folder, for a moment."""

_SUFFIX = ".coc-scratch"
_LONGEST = 255  # bytes of a file's name
_ATTEMPTS = 100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@contextmanager
def scratch_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder beside `target`, removed at the end; BlockingIOError if another process has it."""
    target = absolute(target)
    folder = _beside(target)
    descriptor = _locked(folder)
    try:
        _clear(folder, target)
        yield folder
    finally:
        with suppress(OSError):
            _clear(folder, target)
            folder.rmdir()
        os.close(descriptor)


@contextmanager
def temporary_folder(place: Path | None = None) -> Iterator[Path]:
    """Yield an empty folder in `place`, by default the system's for temporary files; StorageError if it can't."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="coc-temporary-", dir=place, ignore_cleanup_errors=True)
    except OSError as error:
        raise StorageError(f"can't make a folder for temporary files: {error.strerror}", remedy="set TMPDIR") from None
    with folder as name:
        yield Path(name)


def _beside(target: Path) -> Path:
    """Return the scratch folder of a target, whose name is a hash if the target's name is long."""
    name = f".{target.name}{_SUFFIX}"
    if len(os.fsencode(name)) > _LONGEST:
        name = f".{sha256(os.fsencode(target.name)).hexdigest()}{_SUFFIX}"
    return target.parent / name


def _locked(folder: Path) -> int:
    """Make a folder unless it exists, and return a descriptor that locks it until it is closed."""
    for _ in range(_ATTEMPTS):
        made = True
        try:
            folder.mkdir(0o700)
        except FileExistsError:
            made = False
        with suppress(FileNotFoundError):  # the process that had it has just removed it
            descriptor = lock_folder(folder, links=False)
            try:
                found = os.fstat(descriptor)
                if os.path.samestat(found, folder.lstat()):
                    if not made and found.st_uid != os.geteuid():
                        raise PermissionError(errno.EPERM, f"{folder.name} belongs to another user")
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def lock_file(file: IO[bytes] | int) -> None:
    """Lock an open file or folder until it is closed; BlockingIOError if another process has locked it."""
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_byte(file: IO[bytes], position: int) -> None:
    """Lock one byte of an open file, together with others who read; BlockingIOError if somebody writes."""
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, position)


def lock_folder(folder: Path, *, links: bool = True) -> int:
    """Return a descriptor of a folder, which locks it until it is closed or the process ends.

    BlockingIOError if another process has locked it; OSError if it can't be opened, or is a link without `links`.
    """
    descriptor = os.open(folder, _FOLDER if links else _FOLDER | os.O_NOFOLLOW)
    try:
        lock_file(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _clear(folder: Path, target: Path) -> None:
    """Empty a scratch folder; but if the target was moved into it, and nothing took its place, the target goes back."""
    old = folder / OLD
    if old.exists() and not os.path.lexists(target):
        old.rename(target)
        sync(target.parent)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
