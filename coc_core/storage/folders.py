"""A folder that is written whole or not at all."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from coc_core.errors import StorageError, UsageError
from coc_core.storage.files import sync


def write_folder(folder: Path, files: Mapping[str, bytes], *, marker: str) -> None:
    """Write `folder` with these files, as `fresh_folder` does. The arguments and errors are the same."""
    with fresh_folder(folder, marker=marker) as fresh:
        for name, data in files.items():
            (fresh / name).write_bytes(data)


@contextmanager
def fresh_folder(folder: Path, *, marker: str, kind: str = "checkpoint") -> Iterator[Path]:
    """Yield an empty temporary folder, which replaces `folder` when the block ends without an exception.

    The files reach the disk before the folders change names. If anything fails, whatever was at `folder` is unchanged
    and nothing temporary is left.

    Args:
        folder: The folder to create or replace.
        marker: The name of a file that shows that an existing folder may be replaced. An empty one always may.
        kind: What the folder is called in error messages.

    Raises:
        UsageError: Something else is at `folder`.
        StorageError: The file system refused, in the block too.
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
    """Check that `fresh_folder` may create or replace `folder`; the arguments are the same.

    Raises:
        UsageError: Something is at `folder` that must not be replaced.
        StorageError: The file system does not allow a look.
    """
    article = "an" if kind[0] in "aeiou" else "a"
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UsageError(f"{folder} already exists and is not a folder", remedy="choose another place")
        if folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir()):
            raise UsageError(f"{folder} already exists and is not {article} {kind}", remedy="choose another folder")
    except OSError as error:
        raise StorageError(f"can't write the {kind} {folder}: {error.strerror or error}") from None


def _swap(fresh: Path, target: Path, old: Path) -> None:
    """Rename `target` to `old` and `fresh` to `target`; undo both if that fails or is interrupted."""
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
