"""Reading a file that may be a stranger's, and bringing one to the disk."""

import os
from pathlib import Path

from coc_core.errors import ArtefactError


def read_bytes(path: Path, largest: int) -> bytes:
    """All of a file of at most `largest` bytes; ArtefactError if it is larger or can't be read."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
    if len(data) > largest:
        raise ArtefactError(f"{path} is larger than {largest:,} bytes")
    return data


def sync(path: Path) -> None:
    """Bring a file, or a folder's entries, to the disk; OSError if that fails, and then it is not tried again."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
