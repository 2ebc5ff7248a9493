"""What a run file is to SQLite: its tables, the numbers in its header, and the caps on what is read.

    run     one row: the manifest and, once the run has ended, the outcome, both strict JSON
    chunk   the steps from `first` on: how many they are, the distinct transitions that they are the first to use, and
            for each step the number of its transition and the pointer after it (`coc_core.runfile.chunk`)

Where chunks begin depends on the steps alone, never on when they were written. Only the last one can grow.
"""

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
