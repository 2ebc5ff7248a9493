"""Run files changed behind coc's back, by somebody who knows the format and writes new digests as well."""

import sqlite3
from contextlib import closing, suppress

from coc_core.runfile import chunk, database
from coc_core.runfile.chunk import PackedChunk


def change(path, *statements, sealed=True):
    """Execute statements on the database of a run file; then make its digests right, unless `sealed` is False."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(*([statement] if isinstance(statement, str) else statement))
    if sealed:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection, suppress(sqlite3.Error, TypeError):
            seal(connection)


def seal(connection):
    """Write the digests that go with what is in the tables."""
    last = chunk.START
    for row in connection.execute("SELECT * FROM chunk ORDER BY first").fetchall():
        last = chunk.seal(last, PackedChunk(*row))
        connection.execute("UPDATE chunk SET digest = ? WHERE first = ?", (last, row[0]))
    for number, manifest, outcome in connection.execute("SELECT id, manifest, outcome FROM run").fetchall():
        digest = database.digest(manifest, outcome, last)
        connection.execute("UPDATE run SET digest = ? WHERE id = ?", (digest, number))
