"""The files of a dataset: compressed JSON lines, {"prompt": ..., "target": ...} each.

The same pairs are written as the same bytes. Files are read without trust: every size is bounded, so that no file takes
more time or memory than allowed, whatever it unpacks to.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_core.storage import open_regular, parse_json_object

LONGEST_ROW = 1 << 20  # bytes, including the newline
MOST_BYTES = 2 << 30  # in one file, uncompressed
MOST_PAIRS = 20_000_000  # in one file

_LEVEL = 6
_CHUNK = 1 << 16


def encode(pair: Pair) -> bytes:
    """Return the row of a pair; UsageError if it is longer than `LONGEST_ROW`."""
    row = json.dumps({"prompt": pair.prompt, "target": pair.target}, ensure_ascii=False).encode() + b"\n"
    if len(row) > LONGEST_ROW:
        raise UsageError(
            f"a pair takes {len(row):,} bytes, and at most {LONGEST_ROW:,} are allowed", remedy="choose a smaller n"
        )
    return row


def decode(row: bytes, where: str) -> Pair:
    """Return the pair in a row; ArtefactError, beginning with `where`, if there is none."""
    try:
        row.decode()
    except UnicodeDecodeError as error:
        raise ArtefactError(f"{where} is not UTF-8: {error.reason} at byte {error.start}") from None
    if b"\0" in row or not row.startswith(b"{"):  # it could be read as UTF-16, or as UTF-8 with a byte order mark
        raise ArtefactError(f"{where} is not a JSON object")
    fields = parse_json_object(row, where)
    match fields:
        case {"prompt": str(prompt), "target": str(target)} if len(fields) == 2:
            try:
                (prompt + target).encode()
            except UnicodeEncodeError:
                raise ArtefactError(f"{where} contains half of a surrogate pair") from None
            return Pair(prompt, target)
    raise ArtefactError(f"{where} must have the texts 'prompt' and 'target', and nothing else")


class RowWriter:
    """Writes rows to a new file and counts them. A context manager; OSError if the file system refuses."""

    def __init__(self, path: Path) -> None:
        self.rows = 0
        self.bytes = 0
        self._path = path
        self._hash = sha256()

    def __enter__(self) -> "RowWriter":
        self._raw = self._path.open("xb")
        # Without a name and a time in the header, the bytes depend on the rows alone.
        self._packed = gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=self._raw, mtime=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._raw:
            self._packed.close()

    @property
    def sha256(self) -> str:
        """The SHA-256 of all rows so far."""
        return self._hash.hexdigest()

    def write(self, row: bytes) -> None:
        """Write a row; UsageError if the file becomes larger than allowed."""
        self.rows += 1
        self.bytes += len(row)
        if self.bytes > MOST_BYTES or self.rows > MOST_PAIRS:
            raise UsageError(
                f"{self._path.name} would have more than {MOST_PAIRS:,} pairs or {MOST_BYTES:,} bytes",
                remedy="choose fewer sizes or instances",
            )
        self._hash.update(row)
        self._packed.write(row)


def read_rows(path: Path, pairs: int, size: int, digest: str) -> Iterator[tuple[int, Pair]]:
    """Read a file of so many pairs, which unpacks to `size` bytes, and never more than a row beyond; yield each row's
    line number from 1 on and its pair. ArtefactError at the first row that is no pair, naming the line, or if a count
    or the SHA-256 `digest` differs.
    """
    number, total, found = 0, 0, sha256()
    with _opened(path, most=size + size // 64 + _CHUNK) as file, gzip.GzipFile(fileobj=file) as packed:
        while row := _line(packed, f"{path}, line {number + 1}"):
            number += 1
            total += len(row)
            if number > pairs or total > size:
                raise ArtefactError(f"{path}, line {number} is beyond the card's {pairs:,} pairs in {size:,} bytes")
            found.update(row)
            yield number, decode(row, f"{path}, line {number}")
    if (number, total) != (pairs, size):
        raise ArtefactError(f"{path} has {number:,} pairs in {total:,} bytes, but its card says {pairs:,} in {size:,}")
    if found.hexdigest() != digest:
        raise ArtefactError(f"{path} does not match its card: the SHA-256 of its rows is {found.hexdigest()}")


def _opened(path: Path, most: int) -> IO[bytes]:
    """Open a regular file of at most `most` bytes, and not through a link, which could lead out of the folder."""
    try:
        return open_regular(path, most, links=False)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None


def _line(packed: gzip.GzipFile, where: str) -> bytes:
    """Return the next row with its newline; empty at the end of the file."""
    try:
        row = packed.readline(LONGEST_ROW)
    except EOFError:
        raise ArtefactError(f"{where}: the file is cut off") from None
    except (OSError, zlib.error) as error:
        raise ArtefactError(f"{where}: the compression is broken: {error}") from None
    if row and not row.endswith(b"\n"):
        reason = "is cut off" if len(row) < LONGEST_ROW else f"is longer than {LONGEST_ROW:,} bytes"
        raise ArtefactError(f"{where} {reason}")
    return row
