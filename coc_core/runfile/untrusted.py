"""The untrusted-file reader: opens an SQLite file read-only, with bounded work, and only if it is a run file.

If there is a log beside the file (`-wal`), its writing was interrupted. Then both are copied and the copy is read, so
that nothing is ever written beside the original. SQLite ignores what follows the last whole commit in the log.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

from coc_core.errors import ArtefactError, StorageError
from coc_core.runfile.database import APPLICATION, MAX_FILE, PRAGMAS, TABLES, VERSION
from coc_core.storage import lock_byte, open_regular, temporary_folder

_HEADER = 100  # bytes
_MAGIC = b"SQLite format 3\0"
_SHARED = 0x40000002  # the byte that SQLite's readers lock, and that its exclusive writer locks against them
_MAX_VALUE = 1 << 26  # bytes
_MOST_WORK = 4_000  # calls for each megabyte of the file, of a million instructions each
_CAPS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _MAX_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 14,
    sqlite3.SQLITE_LIMIT_COLUMN: 32,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 10_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
"""Before the tables are known to be those of a run file, their statements are read."""


def open_untrusted(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Return a connection to the run file at `path`, until `stack` closes it. Meanwhile no writer can start.

    ArtefactError if it is not a run file, is damaged, or is being written; StorageError if a copy can't be written.
    """
    with attributing_errors(path):
        file = stack.enter_context(open_regular(path, MAX_FILE))
        try:
            lock_byte(file, _SHARED)
        except BlockingIOError:
            raise ArtefactError("it is still being written", remedy="wait until that run has ended") from None
        _check_header(path, file)
        place, options = path.absolute(), "?mode=ro&immutable=1"
        log = Path(f"{path}-wal")
        cut_off = os.path.lexists(log)
        if cut_off:
            folder = stack.enter_context(temporary_folder())
            with open_regular(log, MAX_FILE) as other:
                _copy(file, folder / "run")
                _copy(other, folder / "run-wal")
            place, options = folder / "run", ""
        connection = sqlite3.connect(f"file:{quote(os.fsencode(place))}{options}", uri=True)
        stack.callback(connection.close)
        _restrict(connection, os.fstat(file.fileno()).st_size)
        _check_schema(connection)
        for copy in (folder / "run", folder / "run-wal") if cut_off else ():
            copy.unlink()  # SQLite keeps them open, and they are gone when this process ends, however it ends
        return connection


@contextmanager
def attributing_errors(path: Path) -> Iterator[None]:
    """Turn every error with a run file into an ArtefactError of one line that names the file."""
    try:
        yield
    except ArtefactError as error:
        raise ArtefactError(f"the run file {path} was rejected: {error.message}", remedy=error.remedy) from None
    except (sqlite3.Error, UnicodeError) as error:
        raise ArtefactError(f"the run file {path} was rejected: {_on_one_line(error)}") from None
    except OSError as error:
        raise ArtefactError(f"can't read the run file {path}: {error.strerror}") from None


def _check_header(path: Path, file: IO[bytes]) -> None:
    head = file.read(_HEADER)
    if len(head) < _HEADER or not head.startswith(_MAGIC):
        raise ArtefactError("it is not an SQLite file")
    if int.from_bytes(head[68:72], "big") != APPLICATION:
        raise ArtefactError("it is an SQLite file, but not a run file")
    if (version := int.from_bytes(head[60:64], "big")) != VERSION:
        raise ArtefactError(f"its format is version {version}, and this coc reads {VERSION}")
    if os.path.lexists(f"{path}-journal"):
        raise ArtefactError("there is a rollback journal beside it, which coc never writes")


def _copy(source: IO[bytes], target: Path) -> None:
    source.seek(0)
    try:
        with target.open("xb") as file:
            shutil.copyfileobj(source, file)
    except OSError as error:
        raise StorageError(f"can't copy a run file to {target.parent}: {error.strerror}") from None


def _restrict(connection: sqlite3.Connection, size: int) -> None:
    """Forbid writing, code and attached files, and bound the work of SQLite by the size of the file."""
    for limit, value in _CAPS.items():
        connection.setlimit(limit, value)
    left = iter(range(_MOST_WORK + _MOST_WORK * (size >> 20)))
    connection.set_progress_handler(lambda: next(left, None) is None, 1_000_000)  # once it is true, SQLite stops
    # With an exclusive lock, SQLite needs no shared memory beside a copy that has a log.
    for statement in (*PRAGMAS, "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA query_only = ON"):
        connection.execute(statement)


def _on_one_line(reason: object) -> str:
    """Return a message of SQLite, which may quote the file, as a short line that is safe for a terminal."""
    return ascii(" ".join(str(reason).split())[:200])[1:-1]


def _check_schema(connection: sqlite3.Connection) -> None:
    found = set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))
    if found != {("table", name, name, sql) for name, sql in TABLES.items()}:
        raise ArtefactError("its tables are not those of a run file")
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise ArtefactError(f"it is damaged: {_on_one_line(verdict)}")
