"""A folder that is written whole or not at all."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from coc_core.errors import UsageError
from coc_core.storage.contents import Contents, parts_of
from coc_core.storage.exchange import swap
from coc_core.storage.files import absolute, sync
from coc_core.storage.scratch import NEW, OLD, check_unused, scratch_folder
from coc_core.storage.writing import refusing


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
        _check(folder, marker, kind)
        target = absolute(folder)
        with _parents(target), scratch_folder(target) as scratch:
            fresh = scratch / NEW
            fresh.mkdir()
            yield fresh
            for path in fresh.iterdir():
                sync(path)
            sync(fresh)
            _check(folder, marker, kind)  # again, since only now is it replaced
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
    """Check that `fresh_folder` may create or replace `folder`; the arguments are the same.

    Raises:
        UsageError: Something is at `folder` that must not be replaced.
        StorageError: The file system does not allow a look, or another process is writing `folder`.
    """
    with refusing(folder, kind):
        _check(folder, marker, kind)
        check_unused(folder)


def _check(folder: Path, marker: str, kind: str) -> None:
    article = "an" if kind[0] in "aeiou" else "a"
    absolute(folder)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} already exists and is not a folder", remedy="choose another place")
    if folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir()):
        raise UsageError(f"{folder} already exists and is not {article} {kind}", remedy="choose another folder")
