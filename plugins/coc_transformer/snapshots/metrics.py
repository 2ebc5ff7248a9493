"""`metrics.jsonl`: a line of JSON for each report and each measurement of a training."""

import json
import os
from pathlib import Path
from typing import Any

from attrs import frozen

METRICS = "metrics.jsonl"
LARGEST = 64_000
"""The most bytes that go into a checkpoint."""


@frozen
class Metrics:
    """The growing file."""

    path: Path

    def cut(self, length: int) -> None:
        """Keep the first `length` bytes, and make the file if it does not exist."""
        with self.path.open("ab") as file:
            file.truncate(length)

    def add(self, **values: Any) -> None:
        """Add a line."""
        with self.path.open("ab") as file:
            file.write((json.dumps(values, allow_nan=False) + "\n").encode())

    def sync(self) -> int:
        """Flush all lines to the disk; returns how many bytes they have."""
        with self.path.open("ab") as file:
            os.fsync(file.fileno())
            return file.tell()


def thinned(lines: bytes, most: int = LARGEST) -> bytes:
    """Every line, or every second, fourth, ... one counted from the last, so that at most `most` bytes remain."""
    kept = lines.splitlines(keepends=True)
    while sum(map(len, kept)) > most:
        kept = kept[-1::-2][::-1] if len(kept) > 1 else []
    return b"".join(kept)
