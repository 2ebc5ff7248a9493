"""The ledger: every response that was paid for, in a file, so that none is paid for twice.

Each line is a JSON object with a response. It is flushed to disk before the response is used, so a process that is
killed at any moment loses no more than the responses that were under way.
"""

import errno
import gc
import json
import os
import threading
import weakref
from collections import defaultdict, deque
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from attrs import asdict, frozen

from coc_core.errors import ArtefactError, ServiceError, StorageError
from coc_core.storage import lock_file, parse_json_object, read_bytes, read_document
from coc_core.text import counted
from coc_llm.choice import Choice

_MOST_BYTES = 1 << 32


@frozen
class Entry:
    """A response: `key` is the SHA-256 of the endpoint's address and the body of the request, `reason` why it ended,
    and tokens are None where the server does not count them; `cost` is by the user's prices, None without them.
    """

    key: str
    prompt: str
    text: str
    reason: str | None
    input_tokens: int | None
    output_tokens: int | None
    seconds: float
    cost: float | None


class Ledger:
    """What has been paid for: in a file if the choice names one, and else for as long as the model lives. ArtefactError
    if the file is no ledger, StorageError if it can't be written or another process writes to it.
    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._lock = threading.Lock()
        self._calls = self._tokens = self._reused = self._pending = 0
        self._cost = 0.0
        self._recorded: defaultdict[str, deque[Entry]] = defaultdict(deque)
        self._file: BinaryIO | None = None
        if choice.ledger is not None:
            path = Path(choice.ledger)
            self._file = _opened(path)
            weakref.finalize(self, self._file.close)
            for entry in _entries(path, self._file):
                self._recorded[entry.key].append(entry)
                self._add(entry)

    def reuse(self, key: str) -> Entry | None:
        """Return the next response of the file to a request, each once; None if there is no further one."""
        with self._lock:
            if not self._recorded.get(key):
                return None
            self._reused += 1
            return self._recorded[key].popleft()

    def reserve(self) -> None:
        """Count a request before it is sent; ServiceError if it would exceed what may be spent."""
        most = self._choice.max_calls
        with self._lock:
            if most is not None and self._calls + self._pending >= most:
                raise ServiceError(f"max_calls={most:,} allows no further call", remedy="raise max_calls to go on")
            self._pending += 1

    def release(self) -> None:
        """Take back `reserve`, for a request that has failed."""
        with self._lock:
            self._pending -= 1

    def record(self, key: str, prompt: str, text: str, reason: str | None, usage: Any, seconds: float) -> Entry:
        """Write down the response to a request that was reserved; StorageError if the file can't be written."""
        tokens = [_count(usage, name) for name in ("prompt_tokens", "completion_tokens")]
        cost, prices = None, (self._choice.price_in, self._choice.price_out)
        if None not in tokens and prices != (None, None):
            cost = sum((count or 0) * (price or 0) for count, price in zip(tokens, prices, strict=True)) / 1e6
        entry = Entry(key, prompt, text, reason, tokens[0], tokens[1], round(seconds, 3), cost)
        with self._lock:
            self._pending -= 1
            self._add(entry)
            if self._file is not None:
                line, end = json.dumps(asdict(entry)).encode() + b"\n", os.fstat(self._file.fileno()).st_size
                try:
                    if self._file.write(line) != len(line):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    os.fsync(self._file.fileno())
                except OSError as error:
                    with suppress(OSError):
                        os.ftruncate(self._file.fileno(), end)  # or else the line of another thread would follow a part
                    raise StorageError(f"can't write the ledger {self._choice.ledger}: {error.strerror}") from None
        return entry

    def _add(self, entry: Entry) -> None:
        self._calls += 1
        self._tokens += (entry.input_tokens or 0) + (entry.output_tokens or 0)
        self._cost += entry.cost or 0.0

    def summary(self) -> str:
        """Return what was sent and paid, in words; empty before the first call."""
        parts = [
            counted(self._calls, "call"),
            counted(self._tokens, "token") if self._tokens else "",
            f"cost {self._cost:.4f}" if self._cost else "",
            f"{counted(self._reused, 'response')} from the ledger" if self._reused else "",
        ]
        return ", ".join(filter(None, parts)) if self._calls else ""


def key_of(url: str, body: dict[str, Any]) -> str:
    """Return what a request has in common with those that are equal to it."""
    return sha256(json.dumps([url, body], sort_keys=True).encode()).hexdigest()


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count <= 10**9 else None


def _opened(path: Path) -> BinaryIO:
    """Return the file, open for appending and locked, until it is closed."""
    try:
        if path.exists() and not path.is_file():
            raise StorageError(f"the ledger {path} is not a regular file")
        file = path.open("ab", buffering=0)
    except (OSError, ValueError) as error:
        raise StorageError(f"can't write the ledger {path}: {error}") from None
    for _ in range(2):
        try:
            lock_file(file)
        except OSError:
            gc.collect()  # a model of this process that an error has left behind
        else:
            return file
    file.close()
    raise StorageError(f"another process writes to the ledger {path}")


def _entries(path: Path, file: BinaryIO) -> list[Entry]:
    """Return the responses in a ledger. A last line that was cut off is removed."""
    data = read_bytes(path, _MOST_BYTES)
    whole = data.rfind(b"\n") + 1
    entries = []
    for number, line in enumerate(data[:whole].splitlines(), 1):
        try:
            entries.append(read_document(Entry, parse_json_object(line, "the response"), "the response"))
        except ArtefactError as error:
            raise ArtefactError(f"the ledger {path} is broken in line {number:,}: {error.message}") from None
    if whole < len(data):
        if not whole and not data.startswith(b'{"key": '[: len(data)]):
            raise ArtefactError(f"{path} is not a ledger")
        os.ftruncate(file.fileno(), whole)
    return entries
