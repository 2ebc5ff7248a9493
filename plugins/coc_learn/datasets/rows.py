"""The files of a dataset: compressed JSON lines, {"prompt": ..., "target": ...} each. The same pairs are written as the
same bytes. Files are read without trust: every size is bounded, whatever a file unpacks to.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from attrs import frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_core.storage import open_regular, parse_json_object

LONGEST_ROW = 1 << 20  # bytes, including the newline
MOST_BYTES = 2 << 30  # in one file, uncompressed
MOST_PAIRS = 20_000_000  # in one file

_LEVEL = 6
_CHUNK = 1 << 16


@frozen
class Subset:
    """The contents of a file: how many pairs, how many bytes uncompressed, and the SHA-256 of these bytes."""

    pairs: Annotated[int, range(MOST_PAIRS + 1)]
    bytes: Annotated[int, range(MOST_BYTES + 1)]
    sha256: Annotated[str, re.compile(r"[0-9a-f]{64}")]


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
    match parse_json_object(row, where):
        case {"prompt": str(prompt), "target": str(target), **more} if not more:
            try:
                f"{prompt}{target}".encode()
            except UnicodeEncodeError:
                raise ArtefactError(f"{where} contains half of a surrogate pair") from None
            return Pair(prompt, target)
    raise ArtefactError(f"{where} must have the texts 'prompt' and 'target', and nothing else")


def write_rows(path: Path, rows: Iterable[bytes]) -> Subset:
    """Write rows to a new file; UsageError if it becomes larger than allowed, OSError if the file system refuses."""
    count, size, digest = 0, 0, sha256()
    # Without a name and a time in the header, the bytes depend on the rows alone.
    with path.open("xb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:
        for row in rows:
            count += 1
            size += len(row)
            if size > MOST_BYTES or count > MOST_PAIRS:
                raise UsageError(
                    f"{path.name} would have more than {MOST_PAIRS:,} pairs or {MOST_BYTES:,} bytes",
                    remedy="choose fewer sizes or instances",
                )
            digest.update(row)
            packed.write(row)
    return Subset(count, size, digest.hexdigest())


def read_rows(path: Path, stated: Subset) -> Iterator[tuple[int, Pair]]:
    """Read a file with the contents that its card states, and never more than a row beyond; yield each row's line
    number from 1 on and its pair. ArtefactError at the first row that is no pair, naming the line, or if a count or the
    SHA-256 differs.
    """
    number, size, digest = 0, 0, sha256()
    try:  # not through a link, which could lead out of the folder
        file = open_regular(path, stated.bytes + stated.bytes // 64 + _CHUNK, links=False)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
    with file, gzip.GzipFile(fileobj=file) as packed:
        while row := _line(packed, f"{path}, line {number + 1}"):
            number += 1
            size += len(row)
            if number > stated.pairs or size > stated.bytes:
                beyond = f"the card's {stated.pairs:,} pairs in {stated.bytes:,} bytes"
                raise ArtefactError(f"{path}, line {number} is beyond {beyond}")
            digest.update(row)
            yield number, decode(row, f"{path}, line {number}")
    if (number, size) != (stated.pairs, stated.bytes):
        found = f"{number:,} pairs in {size:,} bytes"
        raise ArtefactError(f"{path} has {found}, but its card says {stated.pairs:,} in {stated.bytes:,}")
    if digest.hexdigest() != stated.sha256:
        raise ArtefactError(f"{path} does not match its card: the SHA-256 of its rows is {digest.hexdigest()}")


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
