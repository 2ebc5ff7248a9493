"""A file that may not be trusted is read, or refused at once and in one line."""

import os
import tempfile

import pytest

from coc_core.errors import ArtefactError, StorageError
from coc_core.storage import read_bytes, temporary_folder
from tests.support.for_each import for_each
from tests.support.special_files import KINDS, put


def test_a_file_may_have_its_greatest_size_and_no_more(tmp_path):
    path = tmp_path / "it"
    path.write_bytes(b"x" * 1_000)
    assert read_bytes(path, 1_000) == read_bytes(path, 2_000) == b"x" * 1_000
    with pytest.raises(ArtefactError, match=r"^can't read .*/it: it has 1,000 bytes, and at most 999 are allowed$"):
        read_bytes(path, 999)


@pytest.mark.parametrize(("name", "reason"), [("none", "No such file or directory"), (".", "Is a directory")])
def test_what_can_not_be_read_is_named(tmp_path, name, reason):
    with pytest.raises(ArtefactError, match=f"^can't read .*: {reason}$"):
        read_bytes(tmp_path / name, 10)


@for_each("kind", [kind for kind in KINDS if kind != "folder"])
@for_each("links", [True, False])
def test_what_is_not_a_regular_file_is_refused_and_never_waited_for(tmp_path, kind, links):
    path = put(tmp_path / "it", kind)
    with pytest.raises(ArtefactError, match=r"^can't read .*/it: it is not a regular file$"):
        read_bytes(path, 10, links=links)
    with pytest.raises(ArtefactError, match="No such file or directory"):
        read_bytes(tmp_path / "none", 10, links=links)


def test_a_link_is_followed_only_where_that_is_allowed(tmp_path):
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    assert read_bytes(tmp_path / "link", 10) == b"text"
    with pytest.raises(ArtefactError, match="it is not a regular file"):
        read_bytes(tmp_path / "link", 10, links=False)


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


@pytest.mark.parametrize(("name", "reason"), [("a\0b", "contains a null byte"), ("\ud800", "can't be encoded")])
def test_a_name_that_no_file_can_have_is_refused(tmp_path, name, reason):
    with pytest.raises(ArtefactError, match=f"^can't read .*: its name {reason}$"):
        read_bytes(tmp_path / name, 10)


def test_a_temporary_folder_is_gone_with_what_is_in_it(tmp_path):
    with temporary_folder(tmp_path) as one, temporary_folder(tmp_path) as other:
        assert sorted(tmp_path.iterdir()) == sorted([one, other])
        (one / "copy").touch()
    assert not list(tmp_path.iterdir())


def test_a_temporary_folder_that_can_not_be_made_is_a_storage_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(StorageError, match="No such file or directory; set TMPDIR"):
        temporary_folder().__enter__()
