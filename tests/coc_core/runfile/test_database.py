"""How a run file is opened for writing, locked and closed, and what is said when it can't be."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.runfile import database
from coc_core.storage import scratch_folder
from tests.support.for_each import for_each

SETTINGS = [  # what SQLite is asked, what it is told before, and what it answers for a run file
    ("locking_mode", "NORMAL", "exclusive"),
    ("journal_mode", "DELETE", "wal"),
    ("synchronous", "OFF", 2),
    ("trusted_schema", "ON", 0),
    ("cell_size_check", "OFF", 1),
    ("mmap_size", 1 << 20, 0),
]


@pytest.fixture
def path(tmp_path):
    database.create(tmp_path / "run", lambda connection: database.describe(connection, "{}", None))
    return tmp_path / "run"


def refusal(act, *arguments):
    with pytest.raises((StorageError, UsageError)) as error:
        act(*arguments)
    return str(error.value)


@for_each(("name", "before", "expected"), SETTINGS)
def test_a_run_file_is_written_with_its_own_settings_whatever_the_defaults_of_sqlite(path, name, before, expected):
    with closing(database.connect(path)) as connection:
        connection.execute(f"PRAGMA {name} = {before}")
        database.configure(connection)
        assert connection.execute(f"PRAGMA {name}").fetchone() in [(expected,), None]


def test_a_connection_waits_for_nobody_and_begins_no_transaction_by_itself(path):
    with closing(database.connect(path)) as connection:
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (0,)
        connection.execute("UPDATE run SET outcome = 'so'")
        assert not connection.in_transaction


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


def test_what_another_process_does_with_a_file_is_told_with_what_to_do(path):
    assert refusal(database.reopen, path, 1) == f"another process has written to {path}; try again"
    with scratch_folder(path):
        assert refusal(database.check_old, path) == f"another process is making {path}; choose another file"
    database.check_old(path)
    with closing(database.reopen(path, 0)), closing(sqlite3.connect(path, timeout=0)) as other:
        path.with_name("run-wal").touch()
        for act in (database.reopen, path, 0), (database.merge_log, path):
            assert refusal(*act) == f"{path} is in use by another process; wait until it has ended"
        for statement in ("SELECT * FROM run", "DELETE FROM run"):
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute(statement)


def forbidding(connection):
    """Fill a file, but let SQLite refuse to merge its log."""
    connection.set_authorizer(
        lambda action, what, *_: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK
    )


@for_each(
    ("fill", "reason"),
    [
        (lambda connection: connection.execute("DELETE FROM missing"), "no such table: missing"),
        (forbidding, "not authorized"),
    ],
)
def test_a_file_that_can_t_be_written_whole_is_named_and_does_not_appear(tmp_path, fill, reason):
    assert refusal(database.create, tmp_path / "run", fill) == f"can't write the run to {tmp_path / 'run'}: {reason}"
    assert not list(tmp_path.iterdir())
