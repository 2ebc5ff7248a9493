"""The SQLite database that a run file is: its tables and caps, and how it is opened for writing, locked and closed.

    run     one row: the manifest and, once the run has ended, the outcome, both strict JSON
    chunk   the steps from `first` on: how many they are, the distinct transitions that they are the first to use, and
            for each step the number of its transition and the pointer after it (`coc_core.runfile.chunk`)

Where chunks begin depends on the steps alone, never on when they were written. Only the last one can grow.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coc_core.errors import StorageError

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

SETTINGS = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0")
"""How every connection begins."""

LARGEST_FILE = 1 << 34  # bytes
LONGEST_TEXT = 1 << 23  # characters of the manifest or the outcome
MOST_CHUNKS = 1 << 20
SIBLINGS = ("-wal", "-journal", "-shm")

TIDY = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Moves the log into the file."""


def connect(path: str) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and never waits for a lock."""
    return sqlite3.connect(path, timeout=0, isolation_level=None)


def merge_log(path: Path) -> None:
    """Move what lies beside the file of an ended run into it, if that was cut off in its last moment.

    StorageError if that can't be done; the run is whole all the same, in its two files.
    """
    if not os.path.lexists(f"{path}-wal"):
        return
    with guarded(path), opened(path) as connection:
        connection.execute(TIDY)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that is configured, and abandoned at the end."""
    connection = connect(str(path))
    try:
        configure(connection)
        yield connection
    finally:
        abandon(connection)


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn what SQLite refuses to write into a StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY":
            raise StorageError(f"{path} is in use by another process", remedy="wait until that has ended") from None
        raise StorageError(f"can't write the run to {path}: {error}") from None


def configure(connection: sqlite3.Connection) -> None:
    """Lock the file as a whole: its log needs no shared memory beside it, and a second writer is refused at once."""
    execute(
        connection,
        *SETTINGS,
        "PRAGMA locking_mode = EXCLUSIVE",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
    )


def execute(connection: sqlite3.Connection, *statements: str) -> None:
    """Execute one statement after the other."""
    for statement in statements:
        connection.execute(statement)


def abandon(connection: sqlite3.Connection) -> None:
    """Close a connection, whatever state it is in; what it has committed stands."""
    with suppress(sqlite3.Error):
        connection.close()
