"""Contents are written and summed up alike, whole or in parts."""

from hashlib import sha256

from coc_core.storage import sha256_of, write_files

WHOLE = b"some words\nand more"
PARTS = [b"some ", memoryview(b"words\n"), b"", b"and more"]


def test_parts_are_written_one_after_another(tmp_path):
    write_files(tmp_path, {"whole": WHOLE, "parts": PARTS, "empty": b"", "none": []})
    assert (tmp_path / "whole").read_bytes() == WHOLE == (tmp_path / "parts").read_bytes()
    assert (tmp_path / "empty").read_bytes() == b"" == (tmp_path / "none").read_bytes()


def test_the_sum_is_that_of_all_parts():
    assert sha256_of(WHOLE) == sha256(WHOLE).hexdigest() == sha256_of(PARTS)
