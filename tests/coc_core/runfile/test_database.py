"""How a run file is opened for writing, locked and closed, and what is said when it can't be."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.runfile import database
from coc_core.storage import scratch_folder

SETTINGS = {  # what SQLite is asked, what it is told before, and what it answers for a run file
    "locking_mode": ("NORMAL", "exclusive"),
    "journal_mode": ("DELETE", "wal"),
    "synchronous": ("OFF", 2),
    "trusted_schema": ("ON", 0),
    "cell_size_check": ("OFF", 1),
    "mmap_size": (1 << 20, 0),
}


@pytest.fixture
def path(tmp_path):
    database.create(tmp_path / "run", lambda connection: database.describe(connection, "{}", None))
    return tmp_path / "run"


@pytest.fixture
def in_use(path):
    with closing(database.reopen(path, 0)):
        yield path


def refusal(act, *arguments):
    with pytest.raises((StorageError, UsageError)) as error:
        act(*arguments)
    return str(error.value)


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", SETTINGS)
def test_a_run_file_is_written_with_its_own_settings_whatever_the_defaults_of_sqlite(path, name):
    before, expected = SETTINGS[name]
    with closing(database.connect(path)) as connection:
        connection.execute(f"PRAGMA {name} = {before}")
        database.configure(connection)
        assert connection.execute(f"PRAGMA {name}").fetchone() in [(expected,), None]


def test_a_connection_waits_for_nobody(path):
    with closing(database.connect(path)) as connection:
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (0,)


def test_a_connection_begins_no_transaction_by_itself(path):
    with closing(database.connect(path)) as connection:
        connection.execute("UPDATE run SET outcome = 'so'")
        assert not connection.in_transaction


def test_a_file_may_have_the_name_that_sqlite_has_for_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with closing(database.connect(Path(":memory:"))) as connection:
        connection.execute("CREATE TABLE t(a)")
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


@pytest.mark.parametrize("statement", ["SELECT * FROM run", "DELETE FROM run"])
def test_nobody_else_reads_or_writes_a_file_that_is_open_for_writing(in_use, statement):
    with closing(sqlite3.connect(in_use, timeout=0)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute(statement)


def test_a_run_in_memory_is_read_from_any_thread():
    with (
        closing(database.in_memory(lambda connection: database.describe(connection, "{}", None))) as connection,
        ThreadPoolExecutor(1) as threads,
    ):
        found = threads.submit(lambda: connection.execute("SELECT manifest FROM run").fetchone())
        assert found.result() == ("{}",)


def test_a_connection_that_can_t_be_closed_is_left():
    with closing(sqlite3.connect(":memory:")) as connection, ThreadPoolExecutor(1) as threads:
        with pytest.raises(sqlite3.ProgrammingError):
            threads.submit(connection.close).result()
        threads.submit(database.close_quietly, connection).result()


# ── refusals ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("act", [lambda path: database.reopen(path, 0), database.merge_log])
def test_a_file_in_use_is_named_and_one_is_told_to_wait(in_use, act):
    in_use.with_name("run-wal").touch()
    assert refusal(act, in_use) == f"{in_use} is in use by another process; wait until it has ended"


def test_a_file_that_has_other_steps_than_it_had_is_named_and_one_is_told_to_try_again(path):
    assert refusal(database.reopen, path, 1) == f"another process has written to {path}; try again"


def test_a_file_that_another_process_is_making_is_named_when_it_is_checked(path):
    with scratch_folder(path):
        assert refusal(database.check_old, path) == f"another process is making {path}; choose another file"
    database.check_old(path)


def test_a_file_that_can_t_be_filled_is_named_and_does_not_appear(tmp_path):
    told = refusal(database.create, tmp_path / "run", lambda connection: connection.execute("DELETE FROM missing"))
    assert told == f"can't write the run to {tmp_path / 'run'}: no such table: missing"
    assert not list(tmp_path.iterdir())


def test_a_file_whose_log_can_t_be_merged_does_not_appear_without_it(tmp_path):
    def fill(connection):
        connection.set_authorizer(
            lambda action, what, *_: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK
        )

    assert "not authorized" in refusal(database.create, tmp_path / "run", fill)
    assert not list(tmp_path.iterdir())
