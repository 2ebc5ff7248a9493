"""The sums of a folder show that a file was damaged."""

import subprocess
from hashlib import sha256

import pytest

from coc_core.errors import ArtefactError
from coc_core.storage import SUMS, check_sums, sums_of, write_files
from coc_core.storage.sums import sha256_of
from tests.support.for_each import for_each

FILES = {"b.bin": b"\0\1", "a.txt": b"one\n"}


def digest(name):
    return sha256(FILES[name]).hexdigest()


@pytest.fixture
def folder(tmp_path):
    for name, data in (FILES | {SUMS: sums_of(FILES)}).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_sums_are_those_of_sha256sum(folder):
    assert (folder / SUMS).read_text() == f"{digest('a.txt')}  a.txt\n{digest('b.bin')}  b.bin\n"
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=folder, check=True, capture_output=True)


def test_sums_that_are_right_or_not_there_are_accepted(folder):
    check_sums(folder, {name: digest(name) for name in FILES})
    check_sums(folder, {"c": ""})
    (folder / SUMS).unlink()
    check_sums(folder, {"a.txt": "0" * 64})


@for_each(
    ("found", "reason"),
    [
        ({"a.txt": "0" * 64}, "a.txt was changed: its SHA-256 is not the one in SHA256SUMS; restore"),
        ({"c": "0" * 64}, "c was changed: its SHA-256 is not the one in SHA256SUMS; restore"),
        ({"a.txt": ""}, r"a\.txt is missing, but is in SHA256SUMS; restore the folder"),
    ],
)
def test_a_file_that_was_changed_or_removed_is_found(folder, found, reason):
    with pytest.raises(ArtefactError, match=reason):
        check_sums(folder, found)


@for_each(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data + b"\n",
        lambda data: b"x" + data,
        lambda data: data.replace(b"  ", b" "),
        lambda data: data.upper(),
        lambda data: data + data,
        lambda data: data.replace(b"a.txt", b"../a.txt"),
        lambda data: data.replace(b"a.txt", "é".encode()),
        lambda data: data.replace(b"a.txt", b"\x1b[2J"),
        lambda data: b"\xff\xfe" + data,
    ],
)
def test_a_list_that_sha256sum_would_not_write_is_refused(folder, damage):
    (folder / SUMS).write_bytes(damage(sums_of(FILES)))
    with pytest.raises(ArtefactError, match=r"SHA256SUMS is not a list of SHA-256 sums") as caught:
        check_sums(folder, {"b.bin": digest("b.bin")})
    assert str(caught.value).isprintable()
    (folder / SUMS).write_bytes(sums_of({f"{number}": b"" for number in range(1_000)}))
    with pytest.raises(ArtefactError, match="at most 65,536 are allowed"):
        check_sums(folder, {})


WHOLE = b"some words\nand more"
PARTS = [b"some ", memoryview(b"words\n"), b"", b"and more"]


def test_parts_are_written_one_after_another(tmp_path):
    write_files(tmp_path, {"whole": WHOLE, "parts": PARTS, "empty": b"", "none": []})
    assert (tmp_path / "whole").read_bytes() == WHOLE == (tmp_path / "parts").read_bytes()
    assert (tmp_path / "empty").read_bytes() == b"" == (tmp_path / "none").read_bytes()


def test_the_sum_is_that_of_all_parts():
    assert sha256_of(WHOLE) == sha256(WHOLE).hexdigest() == sha256_of(PARTS)
