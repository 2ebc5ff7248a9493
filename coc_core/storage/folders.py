"""A folder that is written whole or not at all."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from coc_core.errors import StorageError, UsageError
from coc_core.storage.files import sync


def write_folder(folder: Path, files: Mapping[str, bytes], *, marker: str) -> None:
    """Make `folder` of these files, as `fresh_folder` does."""
    with fresh_folder(folder, marker=marker) as fresh:
        for name, data in files.items():
            (fresh / name).write_bytes(data)


@contextmanager
def fresh_folder(folder: Path, *, marker: str, kind: str = "checkpoint") -> Iterator[Path]:
    """An empty folder to be filled, which takes the place of `folder` when the block has ended well.

    It is a temporary one beside `folder`. Its files reach the disk before the folders change names. What may be
    replaced is an empty folder or one that has the file `marker`; UsageError, with `kind`, if something else is there.
    StorageError if the file system refuses, in the block too: what was there is there still, and nothing temporary
    stays.
    """
    check_replaceable(folder, marker=marker, kind=kind)
    target = folder.absolute()
    scratch: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        fresh = scratch / "new"
        fresh.mkdir()
        yield fresh
        for path in fresh.iterdir():
            sync(path)
        sync(fresh)
        _swap(fresh, target, scratch / "old")
    except OSError as error:
        raise StorageError(f"can't write the {kind} {folder}: {error.strerror or error}") from error
    finally:
        if scratch is not None and (target.exists() or not (scratch / "old").exists()):
            shutil.rmtree(scratch, ignore_errors=True)


def check_replaceable(folder: Path, *, marker: str, kind: str = "checkpoint") -> None:
    """UsageError if something is at `folder` that is neither empty nor a folder with the file `marker`.

    StorageError if nobody can look.
    """
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UsageError(f"{folder} is there already and is no folder", remedy="choose another place")
        if folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir()):
            raise UsageError(f"{folder} is there already and is no {kind}", remedy="choose another folder")
    except OSError as error:
        raise StorageError(f"can't write the {kind} {folder}: {error.strerror or error}") from None


def _swap(fresh: Path, target: Path, old: Path) -> None:
    """Put `fresh` in the place of `target`, which becomes `old`; undo it if that fails or is interrupted."""
    try:
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        sync(target.parent)
    except BaseException:
        if not fresh.exists():
            target.rename(fresh)
        if old.exists():
            old.rename(target)
        raise
