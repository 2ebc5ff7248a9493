"""The bytes of a dataset's files, and how many of them there may be."""

import gzip
from hashlib import sha256

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_learn.datasets import dataset as rows
from coc_learn.datasets.dataset import Subset, encode, read_rows, write_rows
from tests.support.for_each import for_each

PAIR = Pair("n=1", "ß → \u2028")


def written(path, count, pair=PAIR):
    return write_rows(path, [encode(pair)] * count)


def test_a_file_has_neither_a_name_nor_a_time_in_its_header(tmp_path):
    written(tmp_path / "a", 3)
    data = (tmp_path / "a").read_bytes()
    # No flags, no time, neither the best nor the fastest level.
    assert data[:10] == b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    assert gzip.decompress(data) == 3 * encode(PAIR)


def test_a_row_may_be_as_long_as_allowed(monkeypatch):
    row = encode(PAIR)
    monkeypatch.setattr(rows, "LONGEST_ROW", len(row))
    assert encode(PAIR) == row
    with pytest.raises(
        UsageError, match=f"^a pair takes {len(row) + 1} bytes, and at most {len(row)} are allowed; choo"
    ):
        encode(Pair("n=12", PAIR.target))


@for_each(("name", "most"), [("MOST_PAIRS", 3), ("MOST_BYTES", 3 * len(encode(PAIR)))])
def test_a_file_may_be_as_large_as_allowed(tmp_path, monkeypatch, name, most):
    row = encode(PAIR)
    monkeypatch.setattr(rows, name, most)
    assert written(tmp_path / "a", 3) == Subset(3, 3 * len(row), sha256(3 * row).hexdigest())
    limits = f"{rows.MOST_PAIRS:,} pairs or {rows.MOST_BYTES:,} bytes"
    with pytest.raises(UsageError, match=f"^b would have more than {limits}; choose fewer sizes or instances$"):
        written(tmp_path / "b", 4)


def test_a_packed_file_may_be_a_64th_larger_than_what_it_unpacks_to(tmp_path, monkeypatch):
    """And a few bytes more: what cannot be compressed has a header and marks between its blocks."""
    monkeypatch.setattr(rows, "_CHUNK", 1_000)
    path, count = tmp_path / "a", 200
    writer = written(path, count)
    size, data = writer.bytes, path.read_bytes()
    most = size + size // 64 + 1_000
    assert size // 64 != size // 65
    assert size % 64
    path.write_bytes(data.ljust(most, b"\0"))  # zeros may follow the compressed data
    assert len(list(read_rows(path, writer))) == count
    path.write_bytes(data.ljust(most + 1, b"\0"))
    with pytest.raises(ArtefactError, match=f"has {most + 1:,} bytes, and at most {most:,} are allowed$"):
        list(read_rows(path, writer))
