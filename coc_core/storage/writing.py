"""Files and folders that are written whole or not at all."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

from coc_core.errors import StorageError, UsageError
from coc_core.storage.files import absolute, sync
from coc_core.storage.scratch import NEW, OLD, scratch_folder
from coc_core.storage.sums import Contents, parts_of


def write_file(path: Path, data: bytes, kind: str) -> None:
    """Write `path`, which has its old content or the new one at any time. A replaced file keeps its permissions.

    Messages call the file by its `kind`.

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
        self._path, self._kind, self._stack = path, kind, ExitStack()

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
    """Return the permissions of the file at `path`, None without one; StorageError unless it may be replaced."""
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


def write_folder(folder: Path, files: Mapping[str, Contents], *, marker: str) -> None:
    """Write `folder` with these files, as `fresh_folder` does. The arguments and errors are the same."""
    with fresh_folder(folder, marker=marker) as fresh:
        write_files(fresh, files)


def write_files(folder: Path, files: Mapping[str, Contents]) -> None:
    """Write these files, by name; OSError if the file system refuses."""
    for name, contents in files.items():
        with (folder / name).open("wb") as file:
            file.writelines(parts_of(contents))


@contextmanager
def fresh_folder(folder: Path, *, marker: str, kind: str = "checkpoint") -> Iterator[Path]:
    """Yield an empty temporary folder, which replaces `folder` when the block ends without an exception.

    The files reach the disk before the folders change names. If anything fails, whatever was at `folder` is unchanged
    and nothing temporary is left. While the block runs, other processes can't write `folder` this way.

    Args:
        folder: The folder to create or replace.
        marker: The name of a file that shows that an existing folder may be replaced. An empty one always may.
        kind: What the folder is called in error messages.

    Raises:
        UsageError: Something else is at `folder`.
        StorageError: The file system refused, in the block too, or another process is writing `folder`.
    """
    with refusing(folder, kind):
        _check_folder(folder, marker, kind)
        target = absolute(folder)
        with _parents(target), scratch_folder(target) as scratch:
            fresh = scratch / NEW
            fresh.mkdir()
            yield fresh
            for path in fresh.iterdir():
                sync(path)
            sync(fresh)
            _check_folder(folder, marker, kind)  # again, since only now is it replaced
            swap(fresh, target, scratch / OLD)


@contextmanager
def _parents(target: Path) -> Iterator[None]:
    """Make the folders above `target`, and remove those that were made if the block fails."""
    made = [folder for folder in target.parents if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def check_replaceable(folder: Path, *, marker: str, kind: str = "checkpoint") -> None:
    """Check that `fresh_folder` may create or replace `folder`; the arguments and exceptions are the same."""
    with refusing(folder, kind):
        _check_folder(folder, marker, kind)
        if folder.parent.is_dir():  # else it is made with the folder
            with scratch_folder(folder):
                pass


def _check_folder(folder: Path, marker: str, kind: str) -> None:
    article = "an" if kind[0] in "aeiou" else "a"
    absolute(folder)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} already exists and is not a folder", remedy="choose another place")
    if folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir()):
        raise UsageError(f"{folder} already exists and is not {article} {kind}", remedy="choose another folder")


def swap(fresh: Path, target: Path, old: Path) -> None:
    """Put the file or folder `fresh` in the place of `target`; undo it if that fails, with OSError, or is interrupted.

    What was at `target` ends up at `old`. A file's name is never missing, and a folder's for a moment.
    """
    try:
        if target.exists():
            try:
                os.link(target, old)
            except OSError:  # a folder, or a file system without links
                target.rename(old)
        fresh.rename(target)
        sync(target.parent)
    except BaseException:
        if not fresh.exists():
            target.rename(fresh)
        if old.exists():
            old.rename(target)
        raise
