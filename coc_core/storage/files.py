"""Reading a file that may not be trusted, and flushing a file to disk."""

import os
from pathlib import Path

from coc_core.errors import ArtefactError


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file.

    Raises:
        ArtefactError: The file has more than `max_bytes` bytes or can't be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
    if len(data) > max_bytes:
        raise ArtefactError(f"{path} is larger than {max_bytes:,} bytes")
    return data


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk.

    Raises:
        OSError: The file system refused. It must not be tried again.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
