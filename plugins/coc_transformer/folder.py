"""A folder that is written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from coc_core.errors import StorageError, UsageError


def write_folder(folder: Path, files: Mapping[str, bytes], *, marker: str) -> None:
    """Make `folder` of these files, in the place of an older folder that has the file `marker`.

    The files go to a temporary folder beside it, reach the disk, and the folders change names. UsageError if what is
    there now is no such folder. StorageError if the file system refuses: what was there is there still, and nothing
    temporary stays.
    """
    check_replaceable(folder, marker=marker)
    target = folder.absolute()
    scratch: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        fresh = scratch / "new"
        fresh.mkdir()
        for name, data in files.items():
            _write(fresh / name, data)
        _sync(fresh)
        _swap(fresh, target, scratch / "old")
    except OSError as error:
        raise StorageError(f"can't write the checkpoint {folder}: {error.strerror or error}") from error
    finally:
        if scratch is not None and (target.exists() or not (scratch / "old").exists()):
            shutil.rmtree(scratch, ignore_errors=True)


def check_replaceable(folder: Path, *, marker: str) -> None:
    """UsageError if something is at `folder` that is neither empty nor a folder with the file `marker`."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} is there already and is no folder", remedy="choose another place")
    if folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir()):
        raise UsageError(f"{folder} is there already and is no checkpoint", remedy="choose another folder")


def _swap(fresh: Path, target: Path, old: Path) -> None:
    """Put `fresh` in the place of `target`, which becomes `old`; undo it if that fails or is interrupted."""
    try:
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        _sync(target.parent)
    except BaseException:
        if not fresh.exists():
            target.rename(fresh)
        if old.exists():
            old.rename(target)
        raise


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Bring a folder's entries to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
