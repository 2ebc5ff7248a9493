"""A file is written whole or not at all, and only over a regular file."""

import errno
import os
import stat
from pathlib import Path

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.storage import (
    FreshFile,
    check_file,
    check_replaceable,
    fresh_folder,
    scratch,
    scratch_folder,
    write_file,
    write_folder,
)
from tests.support.failing_syscalls import Failing
from tests.support.for_each import for_each
from tests.support.special_files import KINDS, die, killed, looks, put


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_a_new_file_has_the_permissions_of_any_other_and_a_replaced_one_keeps_them(tmp_path):
    path, mask = tmp_path / "it", os.umask(0o027)
    try:
        write_file(path, b"old", "page")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    write_file(path, b"new", "page")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(tmp_path) == ["it"]


@for_each("write", [write_file, lambda path, _, kind: check_file(path, kind)])
@for_each("kind", KINDS)
def test_what_is_not_a_regular_file_is_never_replaced(tmp_path, kind, write):
    path = put(tmp_path / "it", kind)
    before = looks(path)
    with pytest.raises(StorageError, match=r"^can't write the page .*: it exists and is not a regular file; choose"):
        write(path, b"new", "page")
    assert looks(path) == before
    assert names(tmp_path) == ["it"]


@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_is_neither_replaced_nor_followed(tmp_path, there):
    path = tmp_path / "link"
    if there:
        (tmp_path / "file").write_text("old")
    path.symlink_to(tmp_path / "file")
    with pytest.raises(StorageError, match="it is a symbolic link; name the file that it leads to"):
        write_file(path, b"new", "page")
    assert path.is_symlink()
    assert (tmp_path / "file").exists() == there
    assert not there or (tmp_path / "file").read_text() == "old"


def test_what_takes_the_place_of_the_file_meanwhile_is_not_replaced(tmp_path, monkeypatch):
    """The kind is checked before anything is done, and once more before the names are changed."""
    path = tmp_path / "it"
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (real(descriptor), put(path, "pipe")))
    with pytest.raises(StorageError, match="it exists and is not a regular file"):
        write_file(path, b"new", "page")
    assert path.is_fifo()
    assert names(tmp_path) == ["it"]


@pytest.mark.parametrize("name", ["nowhere/it", "x" * 300, "a\0b", "\ud800", "file/it"])
def test_a_path_that_no_file_can_have_is_a_storage_error(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="can't write the page") as caught:
        write_file(tmp_path / name, b"new", "page")
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("length", [240, 255])
def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path, length):
    for name in ("x" * length, os.fsdecode(b"\xff" * length)):
        write_file(tmp_path / name, b"one", "page")
        write_file(tmp_path / name, b"two", "page")
        assert (tmp_path / name).read_bytes() == b"two"
        assert names(tmp_path) == [name]
        (tmp_path / name).unlink()


class Full:
    """A file on a disk that is full."""

    def write(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_can_t_be_written_is_said_and_the_old_file_kept(tmp_path, monkeypatch):
    path = tmp_path / "it"
    path.write_text("old")
    with FreshFile(path, "plan") as file:
        monkeypatch.setattr(file, "_file", Full())
        with pytest.raises(StorageError, match=r"can't write the plan .*it: No space left on device"):
            file.write(b"new")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anything
    with pytest.raises(StorageError, match="it is read-only; choose another place, or change its permissions"):
        write_file(path, b"new", "page")
    assert (path.read_text(), names(tmp_path)) == ("old", ["it"])


def refuse(*_):
    raise PermissionError(errno.EPERM, "Operation not permitted")


OLD, NEW = {"config.json": b"old", "stale": b""}, {"config.json": b"{}", "b": b"new"}


def content(path):
    """What is at a path: the bytes of a file, those of the files of a folder by name, or nothing."""
    if path.is_dir():
        return {each.name: each.read_bytes() for each in path.iterdir()}
    return path.read_bytes() if path.exists() else None


@for_each("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@for_each("call", range(6))
@for_each("name", ["os.fsync", "Path.rename", "Path.mkdir", "os.fchmod"])
@for_each("linking", [True, False])
@for_each("old", [True, False])
@for_each(
    ("write", "before", "after"),
    [
        (lambda path, data: write_file(path, data, "page"), b"old", b"new"),
        (lambda path, files: write_folder(path, files, marker="config.json"), OLD, NEW),
    ],
)
def test_the_old_one_survives_whichever_call_fails(
    tmp_path, monkeypatch, write, before, after, name, call, old, error, linking
):
    path = tmp_path / "it"
    if old:
        write(path, before)
    if not linking:
        monkeypatch.setattr(os, "link", refuse)
    failing = Failing(monkeypatch, name, call, error)
    try:
        write(path, after)
        expected = after
    except (StorageError, KeyboardInterrupt):
        expected = before if old else None
    calls = failing.calls
    monkeypatch.undo()
    assert (expected == after) == (calls <= call)
    assert content(path) == expected
    assert names(tmp_path) == ([] if expected is None else ["it"])


@pytest.mark.parametrize("moment", ["fsync", "fchmod"])
def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path, moment):
    path = tmp_path / "it"
    path.write_text("old")

    def begin():
        setattr(os, moment, die)
        write_file(path, b"new", "page")

    killed(begin)
    assert path.read_text() == "old"
    assert sorted(names(tmp_path)) == [".it.coc-scratch", "it"]
    write_file(path, b"newer", "page")
    assert path.read_text() == "newer"
    assert names(tmp_path) == ["it"]


def test_a_file_that_a_killed_process_had_put_aside_comes_back(tmp_path):
    """Where there are no links there is a moment in which only the scratch folder has the old file."""
    path = tmp_path / "it"
    path.write_text("old")

    def begin():
        os.link = refuse
        real = Path.rename

        def rename(one, other):
            real(one, other)
            die()

        Path.rename = rename
        write_file(path, b"new", "page")

    killed(begin)
    assert not path.exists()
    check_file(path, "page")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["it"]


def test_a_scratch_folder_of_another_user_is_not_used(tmp_path, monkeypatch):
    (tmp_path / ".it.coc-scratch").mkdir()
    (tmp_path / ".it.coc-scratch" / "theirs").touch()
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(StorageError, match=r"\.it\.coc-scratch belongs to another user"):
        write_file(tmp_path / "it", b"new", "page")
    assert (tmp_path / ".it.coc-scratch" / "theirs").exists()


@for_each("make", [Path.touch, os.mkfifo, lambda path: path.symlink_to(path.parent)])
def test_what_has_the_name_of_a_scratch_folder_is_left_alone(tmp_path, make):
    path = tmp_path / ".it.coc-scratch"
    make(path)
    before = looks(path)
    with pytest.raises(StorageError, match=r"can't write the page .*: Not a directory"):
        write_file(tmp_path / "it", b"new", "page")
    assert (looks(path), names(tmp_path)) == (before, [path.name])


@pytest.mark.parametrize("before", ["open", "lstat"])
def test_a_scratch_folder_that_its_last_user_has_just_removed_is_made_again(tmp_path, monkeypatch, before):
    path, removed = tmp_path / "it", []
    folder = tmp_path / ".it.coc-scratch"

    def removing(real):
        def call(*arguments, **options):
            if folder.exists() and not removed:
                folder.rmdir()
                removed.append(folder)
            return real(*arguments, **options)

        return call

    if before == "open":
        monkeypatch.setattr(os, "open", removing(os.open))
    else:
        monkeypatch.setattr(scratch.fcntl, "flock", removing(scratch.fcntl.flock))
    write_file(path, b"new", "page")
    assert removed
    assert names(tmp_path) == ["it"]


def test_a_scratch_folder_that_was_removed_and_made_again_is_not_taken_for_the_locked_one(tmp_path, monkeypatch):
    folder, keep = tmp_path / ".it.coc-scratch", tmp_path / "keep"
    real, calls = scratch.fcntl.flock, []

    def flock(*arguments):
        if not calls:
            folder.rename(keep)
            folder.mkdir()
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(scratch.fcntl, "flock", flock)
    write_file(tmp_path / "it", b"new", "page")
    assert len(calls) == 2
    monkeypatch.setattr("coc_core.storage.scratch._ATTEMPTS", 0)
    with pytest.raises(StorageError, match="another process is writing"):
        write_file(tmp_path / "it", b"new", "page")


def test_a_folder_is_made_with_its_parents_and_replaced_only_by_one_of_its_kind(tmp_path):
    write_folder(tmp_path / "a" / "b", NEW, marker="config.json")
    assert (content(tmp_path / "a" / "b"), names(tmp_path / "a")) == (NEW, ["b"])
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path)
    for name, marker, reason in (
        ("file", "config.json", "a folder"),
        ("link", "config.json", "a folder"),
        (".", "config.json", "a dataset"),
        ("a/b", "card.json", "a dataset"),
    ):
        with (
            pytest.raises(UsageError, match=f"already exists and is not {reason}"),
            fresh_folder(tmp_path / name, marker=marker, kind="dataset"),
        ):
            pass
    assert (tmp_path / "file").read_text() == "mine"


def test_a_block_that_fails_leaves_nothing(tmp_path):
    def half():
        with fresh_folder(tmp_path / "deep" / "it", marker="config.json") as fresh:
            (fresh / "half").write_bytes(b"written")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert list(tmp_path.iterdir()) == []


def test_whether_a_folder_can_be_written_is_seen_without_a_trace_and_a_second_process_refused(tmp_path):
    for folder in (tmp_path / "it", tmp_path / "deep" / "below"):
        check_replaceable(folder, marker="config.json")
    assert list(tmp_path.iterdir()) == []
    told = r"another process is writing the {} .*it; wait until it has ended"
    with scratch_folder(tmp_path / "it"):
        with pytest.raises(StorageError, match=told.format("checkpoint")):
            check_replaceable(tmp_path / "it", marker="config.json")
        with pytest.raises(StorageError, match=told.format("page")):
            write_file(tmp_path / "it", b"new", "page")
