"""`metrics.jsonl`: a line of JSON for each report and each measurement of a training."""

import errno
import json
import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from coc_core.storage import parse_json_object, read_bytes
from coc_learn.metrics import METRICS

LARGEST_FILE = 1 << 32  # bytes
LARGEST = 64_000
"""The most bytes that go into a checkpoint."""


@frozen
class Metrics:
    """The growing file."""

    path: Path

    def cut(self, length: int) -> None:
        """Keep the first `length` bytes, and make the file if it does not exist."""
        with self._open() as file:
            file.truncate(length)

    def add(self, **values: Any) -> None:
        """Add a line."""
        with self._open() as file:
            file.write((json.dumps(values, allow_nan=False) + "\n").encode())

    def lines(self) -> Iterator[dict[str, Any]]:
        """The values of each line; ArtefactError if the file can't be read."""
        for number, line in enumerate(read_bytes(self.path, LARGEST_FILE).splitlines(), start=1):
            yield parse_json_object(line, f"{self.path}: line {number}")

    def sync(self) -> int:
        """Flush all lines to the disk; returns how many bytes they have."""
        with self._open() as file:
            os.fsync(file.fileno())
            return file.tell()

    def sum(self, length: int) -> str:
        """The SHA-256 of the first `length` bytes; ArtefactError if the file can't be read."""
        return sha256(read_bytes(self.path, LARGEST_FILE)[:length]).hexdigest()

    def _open(self) -> IO[bytes]:
        """The file, to be added to; OSError if something other than a regular file is there, which could block."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
        file = os.fdopen(os.open(self.path, flags, 0o666), "ab")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise OSError(errno.EINVAL, f"{METRICS} is not a regular file")
        return file


def thinned(lines: bytes, most: int = LARGEST) -> bytes:
    """Every line, or every second, fourth, ... one counted from the last, so that at most `most` bytes remain."""
    kept = lines.splitlines(keepends=True)
    while sum(map(len, kept)) > most:
        kept = kept[-1::-2][::-1] if len(kept) > 1 else []
    return b"".join(kept)
