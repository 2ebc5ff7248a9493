"""What is stored of a training: `snapshot.json`, and `metrics.jsonl`, a line for each report and measurement."""

import errno
import json
import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from attrs import asdict, evolve, field, frozen, validators

from coc_core.storage import parse_json_object, read_bytes
from coc_learn.metrics import METRICS

STATE = r"state-[0-9]{1,9}\.safetensors"
"""The name of a state's file, as a regular expression."""

_COUNT: Any = validators.ge(0)


@frozen
class Progress:
    """How far a training has come: steps, tokens, seconds, and the step since which all pairs are exact, or 0."""

    step: int = field(default=0, validator=_COUNT)
    tokens: int = field(default=0, validator=_COUNT)
    seconds: float = field(default=0.0, validator=_COUNT)
    exact_at: int = field(default=0, validator=_COUNT)


@frozen
class Snapshot:
    """The contents of `snapshot.json`: the fingerprint of the job, length and SHA-256 of the metrics, name and SHA-256
    of the state's file, the SHA-256 of everything else, and what some older versions kept, whose digest includes it.
    """

    job: str
    step: int = field(validator=_COUNT)
    tokens: int = field(validator=_COUNT)
    seconds: float = field(validator=_COUNT)
    metrics: int = field(validator=_COUNT)
    metrics_sha256: str
    state: str = field(validator=validators.matches_re(STATE))
    sha256: str
    digest: str
    stretches: tuple[Any, ...] = ()
    exact_at: int = field(default=0, validator=_COUNT)

    @classmethod
    def sealed(cls, progress: Progress, **others: Any) -> "Snapshot":
        """Return a snapshot with its digest."""
        unsealed = cls(**asdict(progress), **others, digest="")
        return evolve(unsealed, digest=unsealed.seal())

    def seal(self) -> str:
        """Return the digest that goes with the other values."""
        facts = asdict(
            evolve(self, digest=""), filter=lambda key, value: key.name not in ("stretches", "exact_at") or bool(value)
        )
        return sha256(json.dumps(facts).encode()).hexdigest()

    @property
    def progress(self) -> Progress:
        """How far the training had come."""
        return Progress(self.step, self.tokens, self.seconds, self.exact_at)


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
        """Yield the values of each line; ArtefactError if the file can't be read."""
        for number, line in enumerate(read_bytes(self.path, LARGEST_FILE).splitlines(), start=1):
            yield parse_json_object(line, f"{self.path}: line {number}")

    def sync(self) -> int:
        """Flush all lines to the disk; returns how many bytes they have."""
        with self._open() as file:
            os.fsync(file.fileno())
            return file.tell()

    def sum(self, length: int) -> str:
        """Return the SHA-256 of the first `length` bytes; ArtefactError if the file can't be read."""
        return sha256(read_bytes(self.path, LARGEST_FILE)[:length]).hexdigest()

    def _open(self) -> IO[bytes]:
        """Return the file, to be added to; OSError if it is not a regular one, which could block."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
        file = os.fdopen(os.open(self.path, flags, 0o666), "ab")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise OSError(errno.EINVAL, f"{METRICS} is not a regular file")
        return file


def subsampled(lines: bytes, most: int = LARGEST) -> bytes:
    """Return every line, or every second, fourth, ... counted from the last: at most `most` bytes."""
    kept = lines.splitlines(keepends=True)
    while sum(map(len, kept)) > most:
        kept = kept[-1::-2][::-1] if len(kept) > 1 else []
    return b"".join(kept)
