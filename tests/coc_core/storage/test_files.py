"""A file that may not be trusted is read, or refused at once and in one line."""

import io
import os
import sys
import tempfile

import pytest

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.storage import check_distinct, open_source, read_bytes, temporary_folder
from coc_core.storage.files import same_file
from tests.support.for_each import for_each
from tests.support.special_files import KINDS, put


def test_a_file_may_have_its_greatest_size_and_no_more(tmp_path):
    path = tmp_path / "it"
    path.write_bytes(b"x" * 1_000)
    assert read_bytes(path, 1_000) == read_bytes(path, 2_000) == b"x" * 1_000
    with pytest.raises(ArtefactError, match=r"^can't read .*/it: it has 1,000 bytes, and at most 999 are allowed$"):
        read_bytes(path, 999)


@for_each("links", [True, False])
def test_only_a_regular_file_is_read_and_nothing_else_waited_for(tmp_path, links):
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder").mkdir()
    for kind in (each for each in KINDS if each != "folder"):
        with pytest.raises(ArtefactError, match=f"^can't read .*/{kind}: it is not a regular file$"):
            read_bytes(put(tmp_path / kind, kind), 10, links=links)
    for name, reason in (
        ("none", "No such file or directory"),
        ("folder", "Is a directory"),
        ("a\0b", "its name contains a null byte"),
        ("\ud800", "its name can't be encoded"),
        *(() if links else [("link", "it is not a regular file")]),
    ):
        with pytest.raises(ArtefactError, match=f"^can't read .*: {reason}$"):
            read_bytes(tmp_path / name, 10, links=links)
    assert read_bytes(tmp_path / ("link" if links else "file"), 10, links=links) == b"text"


@pytest.mark.parametrize("kind", [*KINDS, "link"])
def test_it_is_the_opened_file_that_is_checked(tmp_path, monkeypatch, kind):
    """Between a look at the path and its opening, something else can take its place."""
    path = tmp_path / "it"
    path.write_text("text")
    (tmp_path / "other").write_text("secret")
    real = os.open

    def replaced(name, flags):
        monkeypatch.setattr(os, "open", real)
        path.unlink()
        path.symlink_to("other") if kind == "link" else put(path, kind)
        return real(name, flags)

    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    monkeypatch.setattr(os, "open", replaced)
    with pytest.raises(
        ArtefactError, match=r"not a regular file|Is a directory|No such device or address|Too many levels"
    ):
        read_bytes(path, 10, links=False)
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "it"
    path.write_text("text")
    real = os.fstat
    monkeypatch.setattr(os, "fstat", lambda descriptor: os.stat_result([*real(descriptor)[:6], 3, 0, 0, 0]))
    with pytest.raises(ArtefactError, match="it is being written; try again later"):
        read_bytes(path, 10)


def test_a_temporary_folder_is_gone_with_what_is_in_it(tmp_path):
    with temporary_folder(tmp_path) as one, temporary_folder(tmp_path) as other:
        assert sorted(tmp_path.iterdir()) == sorted([one, other])
        (one / "copy").touch()
    assert not list(tmp_path.iterdir())


def test_a_temporary_folder_that_can_not_be_made_is_a_storage_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(StorageError, match="No such file or directory; set TMPDIR"):
        temporary_folder().__enter__()


def opened(source, most=100):
    with open_source(str(source), most, "plan") as file:
        return file.read()


def test_a_text_comes_from_a_file_standard_input_or_an_open_descriptor(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("café\n", "utf-8")
    assert opened(tmp_path / "file") == "café\n"
    for name in ("-", "/dev/stdin"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("a\nb\n"))
        assert opened(name) == "a\nb\n"
        assert not sys.stdin.closed
    reading, writing = os.pipe()
    os.write(writing, b"through a pipe")
    os.close(writing)
    assert opened(f"/dev/fd/{reading}") == "through a pipe"
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
            opened(source)


@pytest.fixture
def places(tmp_path):
    (tmp_path / "here").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "soft").symlink_to("here")
    (tmp_path / "dangling").symlink_to("new")
    os.link(tmp_path / "here", tmp_path / "hard")
    return tmp_path


@for_each(
    ("one", "other"),
    [
        ("here", "here"),
        ("here", "soft"),
        ("here", "hard"),
        ("soft", "hard"),
        ("new", "new"),
        ("new", "dangling"),
        ("new", "folder/../new"),
        ("nowhere/new", "nowhere/./new"),
    ],
)
def test_one_file_under_two_names_is_refused(places, one, other):
    assert same_file(places / one, places / other)
    with pytest.raises(UsageError, match=r"--plan and --save name the same file, .*; choose another file"):
        check_distinct({"--plan": [places / one], "--save": [places / other]}, {})
    with pytest.raises(UsageError, match="--plan and --resume name the same file"):
        check_distinct({"--plan": [places / one]}, {"--resume": [places / "else", places / other]})


def test_other_files_and_those_that_are_only_read_may_be_named(places):
    for one, other in (("here", "new"), ("new", "newer"), ("here", "folder/here"), ("a\0", "b")):
        assert not same_file(places / one, places / other)
        check_distinct({"--plan": [places / one]}, {"--resume": [places / other]})
    read = {"--problem": [places / "here"], "--plugin": [places / "here"]}
    check_distinct({"--save": [places / "new", places / "new"]}, read)
