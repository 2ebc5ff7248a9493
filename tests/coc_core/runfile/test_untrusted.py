"""How a file that may be hostile is opened: locked, without writing, within limits, and with errors of one line."""

import os
import shutil
import sqlite3
import tempfile
import tracemalloc
from contextlib import ExitStack

import pytest

from coc_core.errors import ArtefactError, StorageError
from coc_core.runfile import RunFile, database, untrusted
from coc_core.runfile.untrusted import open_untrusted
from tests.support.damage import change
from tests.support.for_each import for_each
from tests.support.recorded_runs import refusal


@pytest.fixture
def connection(run):
    with ExitStack() as stack:
        yield open_untrusted(run, stack)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, which is empty."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def elsewhere(act):
    """Whether `act` does without an error in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("kind", ["run", "cut_off"])
def test_nobody_writes_to_a_file_while_it_is_open(request, kind):
    path = request.getfixturevalue(kind)

    def write():
        database.reopen(path, 22).close()

    def refused():
        with pytest.raises(StorageError, match="in use by another process"):
            write()

    with RunFile.open(path):
        assert elsewhere(refused)
    assert elsewhere(write)


def test_a_file_that_is_locked_by_its_writer_is_refused(run, monkeypatch):
    def read():
        assert refusal(run) == "it is still being written"

    with database.opened(run) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert elsewhere(read)

    def locked(*_):
        raise BlockingIOError

    monkeypatch.setattr(untrusted, "lock_byte", locked)
    read()


@pytest.mark.parametrize("kind", ["run", "cut_off"])
def test_nothing_can_be_written_over_the_connection(request, kind, temporary):
    path = request.getfixturevalue(kind)
    with ExitStack() as stack:
        connection = open_untrusted(path, stack)
        for statement in (
            "UPDATE run SET outcome = NULL",
            "CREATE TABLE t(a)",
            "PRAGMA user_version = 3",
            "ATTACH ':memory:' AS other",
        ):
            with pytest.raises(sqlite3.Error, match=r"readonly|attached databases"):
                connection.execute(statement)


def test_a_log_is_read_from_a_copy_that_is_gone_at_once(cut_off, temporary):
    beside = sorted(cut_off.parent.iterdir())
    with RunFile.open(cut_off) as runfile:
        assert [list(folder.iterdir()) for folder in temporary.iterdir()] == [[]]
        assert len(list(runfile.records())) == 22
    assert list(temporary.iterdir()) == []
    assert sorted(cut_off.parent.iterdir()) == beside


def test_a_file_without_a_log_is_not_copied(run, temporary):
    with RunFile.open(run):
        assert list(temporary.iterdir()) == []


def test_a_log_may_not_be_larger_than_a_file(cut_off, monkeypatch):
    log = cut_off.with_name("run-wal")
    size = max(cut_off.stat().st_size, log.stat().st_size)
    with log.open("ab") as file:
        file.truncate(size + 1)
    monkeypatch.setattr(untrusted, "MAX_FILE", size)
    with pytest.raises(ArtefactError, match=f"bytes, and at most {size:,} are allowed"):
        RunFile.open(cut_off)
    monkeypatch.setattr(untrusted, "MAX_FILE", size + 1)
    with RunFile.open(cut_off) as runfile:
        assert runfile.steps == 22


@for_each(("limit", "value"), untrusted._CAPS.items())
def test_the_limits_of_sqlite_are_set(connection, limit, value):
    assert connection.getlimit(limit) == value


ENDLESS = "WITH RECURSIVE c(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM c LIMIT 1000000) SELECT max(n) FROM c"


def test_work_without_end_is_interrupted(run, monkeypatch):
    monkeypatch.setattr(untrusted, "_MOST_WORK", 0)
    with ExitStack() as stack:
        connection = open_untrusted(run, stack)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(ENDLESS)


def test_a_large_file_that_is_no_run_is_not_read(tmp_path):
    with (tmp_path / "run").open("wb") as file:
        file.truncate(1 << 26)
    tracemalloc.start()
    try:
        assert refusal(tmp_path / "run") == "it is not an SQLite file"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@for_each(
    ("statement", "reason"),
    [
        *(
            (f"user_version = {version}", f"its format is version {version % (1 << 32)}, and this coc reads 2")
            for version in (0, 1, 3, 258, 2 + (1 << 24), -1)
        ),
        *(
            (f"application_id = {database.APPLICATION ^ 1 << bit}", "it is an SQLite file, but not a run file")
            for bit in (0, 8, 16, 24)
        ),
    ],
)
def test_all_bytes_of_the_version_and_of_the_application_count(run, statement, reason):
    change(run, f"PRAGMA {statement}")
    assert refusal(run) == reason


@for_each(
    ("name", "told"),
    [
        ("short", "(short) - incomplete input"),
        ("two\nlines\t and\r\nmore", "(two lines and more) - incomplete input"),
        ("\x1b[31mred", "(\\x1b[31mred) - incomplete input"),
        ("bühne", "(b\\xfchne) - incomplete input"),
        ("n" * 1_000, f"({'n' * 173}"),
    ],
)
def test_what_sqlite_says_is_told_on_one_short_line_that_is_safe_for_a_terminal(run, tmp_path, name, told):
    path = shutil.copy(run, tmp_path / "other")
    renamed = "UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = 'CREATE TABLE' WHERE name = 'run'"
    change(path, (renamed, (name, name)))
    assert refusal(path) == f"malformed database schema {told}"
