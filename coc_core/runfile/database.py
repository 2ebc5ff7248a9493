"""The SQLite database of a run file: its tables and limits, and how it is opened for writing, locked and closed.

    run     one row: the manifest and, once the run has ended, the outcome, both in strict JSON; a digest of all
    chunk   a row for a few thousand steps, packed (`coc_core.runfile.chunk`)

The digests have no key: they show damage and careless edits. A replay finds forgers who rewrite the digests, too.

Where chunks begin depends on the steps alone, never on when they were written. Only the last one can grow.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from coc_core.errors import StorageError, UsageError
from coc_core.runfile.chunk import START, PackedChunk
from coc_core.storage import scratch_folder, sync

APPLICATION = 0x636F6372  # "cocr"
VERSION = 2

TABLES = {
    "run": (
        "CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), manifest TEXT NOT NULL, outcome TEXT,"
        " digest BLOB NOT NULL) STRICT"
    ),
    "chunk": (
        "CREATE TABLE chunk (first INTEGER PRIMARY KEY, steps INTEGER NOT NULL, base INTEGER NOT NULL,"
        " transition INTEGER NOT NULL, transitions INTEGER NOT NULL, texts BLOB NOT NULL, ids BLOB NOT NULL,"
        " pointers BLOB NOT NULL, numbers BLOB NOT NULL, digest BLOB NOT NULL) STRICT"
    ),
}

PRAGMAS = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0")
"""The first statements of every connection."""

MAX_FILE = 1 << 34  # bytes
MAX_TEXT = 1 << 25  # characters of the manifest or the outcome: twice those of the longest problem
MAX_CHUNKS = 1 << 20
MAX_STEP = 1 << 48
SIBLINGS = ("-wal", "-journal", "-shm")

UNSAVED = Path("(not saved)")
"""What stands for the path of a run that no file keeps."""

MERGE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Moves the write-ahead log into the file."""


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection that begins no transaction by itself and never waits for a lock."""
    # In a folder, so that a file may be called :memory:, too.
    return sqlite3.connect(os.path.join(".", path), timeout=0, isolation_level=None)  # noqa: PTH118


def in_memory(fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Give the tables of a run file without a file, filled by `fill`; they end with the connection."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    execute(connection, *TABLES.values())
    fill(connection)
    return connection


def run_files(path: Path) -> list[Path]:
    """Return the run file and the files that SQLite may keep beside it."""
    return [Path(f"{path}{end}") for end in ("", *SIBLINGS)]


def check_new(path: Path) -> None:
    """Check that a new run file can be made at `path`, and leave nothing there; UsageError if something is there.

    StorageError if the folder does not exist or can't be written to.
    """
    with _refusing(path):
        taken = next(filter(_exists, run_files(path)), None)
        if taken is not None:
            raise UsageError(
                f"{taken} already exists", remedy="choose another file, or continue that run with --resume"
            )
        with scratch_folder(path):
            pass


def check_old(path: Path) -> None:
    """Check that the run file at `path` can be written, and remove what a process left that was killed as it made it.

    StorageError if another process is making it, or the folder can't be written to.
    """
    with _refusing(path), scratch_folder(path):
        pass


def create(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make the run file at `path`; `fill` writes to its empty tables. It appears filled, or not at all.

    UsageError if something is there already, StorageError if it can't be written.
    """
    check_new(path)
    with _refusing(path):
        with scratch_folder(path) as scratch:
            fresh = scratch / "run"
            with guarded(path), opened(fresh) as connection:
                execute(connection, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}")
                connection.execute("BEGIN IMMEDIATE")
                execute(connection, *TABLES.values())
                fill(connection)
                execute(connection, "COMMIT", MERGE_LOG)
            os.link(fresh, path)
        try:
            sync(path.parent)
        except BaseException:
            path.unlink()
            raise


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise UsageError(f"{path} already exists", remedy="choose another file") from None
    except BlockingIOError:
        raise StorageError(f"another process is making {path}", remedy="choose another file") from None
    except OSError as error:
        raise StorageError(f"can't write the run to {path}: {error.strerror}") from None


def _exists(path: Path) -> bool:
    """Return whether anything is at `path`; OSError if nothing can ever be, such as for a name that is too long."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def digest(manifest: str, outcome: str | None, last: bytes) -> bytes:
    """Return the digest of a run, given that of its last chunk."""
    return sha256(b"".join((json.dumps([manifest, outcome]).encode(), last))).digest()


def digest_before(connection: sqlite3.Connection, step: int = MAX_STEP) -> bytes:
    """Return the digest of the last chunk that begins before a step; `chunk.START` if there is none."""
    row = connection.execute("SELECT digest FROM chunk WHERE first < ? ORDER BY first DESC LIMIT 1", (step,)).fetchone()
    return row[0] if row else START


def add(connection: sqlite3.Connection, chunks: Iterable[PackedChunk]) -> None:
    """Write chunks, within a transaction. The first one may replace the last one in the file, which has fewer steps."""
    places = ", ".join("?" * len(PackedChunk._fields))
    connection.executemany(f"INSERT OR REPLACE INTO chunk VALUES ({places})", chunks)


def describe(connection: sqlite3.Connection, manifest: str, outcome: str | None) -> None:
    """Write what was run and how it ended, with the digest of all, within a transaction."""
    sealed = digest(manifest, outcome, digest_before(connection))
    connection.execute("INSERT OR REPLACE INTO run VALUES (1, ?, ?, ?)", (manifest, outcome, sealed))


def reopen(path: Path, stored: int) -> sqlite3.Connection:
    """Open a run file, unchanged and locked, to add steps; StorageError if it is in use or has not `stored` steps."""
    with guarded(path):
        connection = connect(path)
        try:
            configure(connection)
            connection.execute("BEGIN IMMEDIATE")
            (found,) = connection.execute("SELECT coalesce(max(first + steps), 1) - 1 FROM chunk").fetchone()
            if found != stored:
                raise StorageError(f"another process has written to {path}", remedy="try again")
            connection.execute("ROLLBACK")
        except BaseException:
            close_quietly(connection)
            raise
    return connection


def merge_log(path: Path) -> None:
    """Move a log left beside a run file, which is complete in two files too, into it; StorageError if that fails."""
    if not os.path.lexists(f"{path}-wal"):
        return
    with guarded(path), opened(path) as connection:
        connection.execute(MERGE_LOG)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a configured connection, and close it."""
    connection = connect(path)
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
