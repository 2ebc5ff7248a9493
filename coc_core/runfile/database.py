"""The database that a run file is, to those who write to it: how it is opened, locked, refused and closed."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coc_core.errors import StorageError
from coc_core.runfile.schema import SETTINGS

TIDY = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Moves the log into the file."""


def connect(path: str) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and never waits for a lock."""
    return sqlite3.connect(path, timeout=0, isolation_level=None)


def tidy(path: Path) -> None:
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
