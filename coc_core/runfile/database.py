"""The SQLite database of a run file: its tables and limits, and how it is opened for writing, locked and closed.

    run     one row: the manifest and, once the run has ended, the outcome, both in strict JSON
    chunk   a row for a few thousand steps, packed (`coc_core.runfile.chunk`)

Where chunks begin depends on the steps alone, never on when they were written. Only the last one can grow.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coc_core.errors import StorageError, UsageError
from coc_core.storage import sync

APPLICATION = 0x636F6372  # "cocr"
VERSION = 1

TABLES = {
    "run": "CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), manifest TEXT NOT NULL, outcome TEXT) STRICT",
    "chunk": (
        "CREATE TABLE chunk (first INTEGER PRIMARY KEY, steps INTEGER NOT NULL, transition INTEGER NOT NULL,"
        " transitions INTEGER NOT NULL, texts BLOB NOT NULL, ids BLOB NOT NULL, pointers BLOB NOT NULL,"
        " numbers BLOB NOT NULL) STRICT"
    ),
}

PRAGMAS = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0")
"""The first statements of every connection."""

MAX_FILE = 1 << 34  # bytes
MAX_TEXT = 1 << 23  # characters of the manifest or the outcome
MAX_CHUNKS = 1 << 20
SIBLINGS = ("-wal", "-journal", "-shm")

UNSAVED = Path("(not saved)")
"""What stands for the path of a run that no file keeps."""

MERGE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Moves the write-ahead log into the file."""


def connect(path: str) -> sqlite3.Connection:
    """Return a connection that begins no transaction by itself and never waits for a lock."""
    return sqlite3.connect(path, timeout=0, isolation_level=None)


def in_memory(fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """The tables of a run file without a file, filled by `fill`; they end with the connection."""
    connection = sqlite3.connect(":memory:", timeout=0, isolation_level=None, check_same_thread=False)
    execute(connection, *TABLES.values())
    fill(connection)
    return connection


def check_new(path: Path) -> None:
    """Check that a new run file can be made at `path`, and leave nothing there.

    Raises:
        UsageError: Something is at `path` already.
        StorageError: The folder does not exist or can't be written to.
    """
    taken = next((other for end in ("", *SIBLINGS) if os.path.lexists(other := f"{path}{end}")), None)
    if taken is not None:
        raise UsageError(f"{taken} already exists", remedy="choose another file, or continue that run with --resume")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent):
            pass
    except OSError as error:
        raise _refused(path, error) from None


def create(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make the run file at `path`; `fill` writes to its empty tables. It appears filled, or not at all.

    Raises:
        UsageError: Something is at `path` already.
        StorageError: The file can't be written.
    """
    check_new(path)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as scratch:
            fresh = Path(scratch) / "run"
            with guarded(path), opened(fresh) as connection:
                execute(connection, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}")
                connection.execute("BEGIN IMMEDIATE")
                execute(connection, *TABLES.values())
                fill(connection)
                execute(connection, "COMMIT", MERGE_LOG)
            os.link(fresh, path)
        sync(path.parent)
    except FileExistsError:
        raise UsageError(f"{path} already exists", remedy="choose another file") from None
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: OSError) -> StorageError:
    return StorageError(f"can't write the run to {path}: {error.strerror}")


def reopen(path: Path, manifest: str, stored: int) -> sqlite3.Connection:
    """Open a run file to add steps: replace its manifest and remove its outcome.

    Args:
        path: The file.
        manifest: The new manifest.
        stored: The number of steps that the file should have.

    Raises:
        StorageError: Another process writes to the file, or has written to it.
    """
    with guarded(path):
        connection = connect(str(path))
        try:
            configure(connection)
            connection.execute("BEGIN IMMEDIATE")
            (found,) = connection.execute("SELECT coalesce(max(first + steps), 1) - 1 FROM chunk").fetchone()
            if found != stored:
                raise StorageError(f"another process has written to {path}", remedy="try again")
            connection.execute("UPDATE run SET manifest = ?, outcome = NULL", (manifest,))
            connection.execute("COMMIT")
        except BaseException:
            close_quietly(connection)
            raise
    return connection


def merge_log(path: Path) -> None:
    """Move a log that was left beside a run file into it. Without this the run is complete too, in two files.

    Raises:
        StorageError: The file can't be written.
    """
    if not os.path.lexists(f"{path}-wal"):
        return
    with guarded(path), opened(path) as connection:
        connection.execute(MERGE_LOG)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a configured connection, and close it."""
    connection = connect(str(path))
    try:
        configure(connection)
        yield connection
    finally:
        close_quietly(connection)


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into a StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY":
            raise StorageError(f"{path} is in use by another process", remedy="wait until it has ended") from None
        raise StorageError(f"can't write the run to {path}: {error}") from None


def configure(connection: sqlite3.Connection) -> None:
    """Lock the whole file, so that its log needs no shared memory and a second writer is refused at once."""
    execute(
        connection,
        *PRAGMAS,
        "PRAGMA locking_mode = EXCLUSIVE",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
    )


def execute(connection: sqlite3.Connection, *statements: str) -> None:
    """Execute statements in order."""
    for statement in statements:
        connection.execute(statement)


def close_quietly(connection: sqlite3.Connection) -> None:
    """Close a connection in any state. What was committed is kept; errors are ignored."""
    with suppress(sqlite3.Error):
        connection.close()
