"""What a training leaves behind as it goes: `metrics.jsonl`, a line of JSON for each report and each measurement."""

import json
import os
from pathlib import Path
from typing import Any

from attrs import frozen

METRICS = "metrics.jsonl"
LARGEST = 64_000
"""Bytes of the lines that go into a checkpoint."""


@frozen
class Metrics:
    """The lines in a file, which grows."""

    path: Path

    def cut(self, length: int) -> None:
        """Keep the first `length` bytes; the file is there then."""
        with self.path.open("ab") as file:
            file.truncate(length)

    def add(self, **values: Any) -> None:
        """Add a line."""
        with self.path.open("ab") as file:
            file.write((json.dumps(values, allow_nan=False) + "\n").encode())

    def sync(self) -> int:
        """Bring all lines to the disk; gives how many bytes they have."""
        with self.path.open("ab") as file:
            os.fsync(file.fileno())
            return file.tell()


def thinned(lines: bytes, most: int = LARGEST) -> bytes:
    """All lines, or every second, fourth, ... of them up to the last, so that they have at most `most` bytes."""
    kept = lines.splitlines(keepends=True)
    while sum(map(len, kept)) > most:
        kept = kept[-1::-2][::-1] if len(kept) > 1 else []
    return b"".join(kept)
