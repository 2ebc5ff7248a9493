"""Texts that the user hands over: files, standard input and open descriptors."""

import io
import os
import sys

import pytest

from coc_core.errors import UsageError
from coc_core.storage import open_source


def read(source, most=100):
    with open_source(str(source), most, "plan") as file:
        return file.read()


def test_a_file(tmp_path):
    (tmp_path / "file").write_text("café\n", "utf-8")
    assert read(tmp_path / "file") == "café\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_stays_open(monkeypatch, name):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\nb\n"))
    assert read(name) == "a\nb\n"
    assert not sys.stdin.closed


def test_an_open_descriptor():
    reading, writing = os.pipe()
    os.write(writing, b"through a pipe")
    os.close(writing)
    assert read(f"/dev/fd/{reading}") == "through a pipe"
    os.close(reading)


def test_what_can_t_be_read_is_refused(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 101)
    (tmp_path / "bytes").write_bytes(b"\xff")
    os.mkfifo(tmp_path / "pipe")
    for source, reason in (
        (tmp_path / "none", "can't read the plan .*none: No such file"),
        (tmp_path, "can't read the plan .*: Is a directory"),
        (tmp_path / "pipe", "can't read the plan .*pipe: it is not a regular file"),
        (tmp_path / "large", "it has 101 bytes, and at most 100 are allowed"),
        (tmp_path / "bytes", "the plan .*bytes is not text"),
        ("/dev/fd/999", "can't read the plan /dev/fd/999: Bad file descriptor"),
    ):
        with pytest.raises(UsageError, match=reason):
            read(source)
