"""A run file from an untrusted source is rejected quickly and in one line, and nothing beside it changes."""

import json
import os
import re
import shutil
import sqlite3
import struct
import zlib
from contextlib import closing
from itertools import pairwise

import pytest
from attrs import asdict

from coc_core.errors import ArtefactError, StorageError
from coc_core.plugin import Registry
from coc_core.runfile import Replay, RunFile, database, untrusted
from coc_core.types import Limits
from tests.support.damage import change, seal
from tests.support.for_each import for_each
from tests.support.recorded_runs import edit, tape


def read_all(path):
    with RunFile.open(path) as runfile:
        list(runfile.records())
        runfile.digest()
        Replay(Registry.installed(), runfile).verify()


def refused(path, reason):
    with pytest.raises(ArtefactError, match=reason) as caught:
        read_all(path)
    message = str(caught.value)
    assert f"the run file {path} " in message or f"the run file {path}: " in message
    assert message.count("\n") == 0
    assert message.isprintable()
    assert len(message) < 600
    shouted = set(re.findall(r"\b[A-Z]{2,}", re.sub("'[^']*'", "", message.replace(str(path), ""))))
    assert shouted <= {"JSON", "SQL", "UTF", "PTR", "NEXT", "INSTR", "CALL", "MOVE", "SHA", "BLOB", "TEXT"}, message


OTHER_FILES = {
    "an empty file": lambda path: path.touch(),
    "a short file": lambda path: path.write_bytes(b"SQLite format 3\0"),
    "noise": lambda path: path.write_bytes(os.urandom(5000)),
    "a pipe": os.mkfifo,
    "a folder": lambda path: path.mkdir(),
    "nothing": lambda path: None,
    "another SQLite file": lambda path: change(path, "CREATE TABLE t(a)"),
}


@for_each("name", OTHER_FILES)
def test_other_files_are_refused(tmp_path, name):
    OTHER_FILES[name](tmp_path / "run")
    reasons = "it is not an SQLite file|No such file or directory|it is not a regular file|Is a directory"
    refused(tmp_path / "run", f"{reasons}|an SQLite file, but not a run file")


STATEMENTS = {
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM chunk; END", "tables are not those"),
    "a view": ("CREATE VIEW v AS SELECT * FROM run", "tables are not those"),
    "a table more": ("CREATE TABLE more(a)", "tables are not those"),
    "a table less": ("DROP TABLE chunk", "tables are not those"),
    "no strict table": ("UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '')", "tables are not those"),
    "a generated column": (
        "UPDATE sqlite_schema SET sql = replace(sql, 'outcome TEXT,', 'outcome TEXT AS (1),')",
        "tables are not those",
    ),
    "a virtual table": (
        "INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING fts5(a)')",
        "tables are not those",
    ),
    "a table that is a view": (
        "UPDATE sqlite_schema SET type = 'view', sql = 'CREATE VIEW run AS SELECT 1', rootpage = 0 WHERE name = 'run'",
        "rejected",
    ),
    "a table on another's page": (
        "UPDATE sqlite_schema SET rootpage = (SELECT max(rootpage) FROM sqlite_schema)",
        "it is damaged|rejected",
    ),
    "no manifest": ("DELETE FROM run", "it does not have exactly one manifest"),
    "two manifests": ("INSERT INTO run SELECT 2, manifest, outcome, digest FROM run", "damaged|exactly one manifest"),
    "a manifest that is no object": ("UPDATE run SET manifest = '[]'", "is not a JSON object"),
    "a manifest with a NUL": ("UPDATE run SET manifest = 'a' || char(0)", "not strict JSON"),
    "a manifest that is not UTF-8": ("UPDATE run SET manifest = CAST(x'ff' AS TEXT)", "rejected"),
    "a manifest without end": (
        "UPDATE run SET manifest = replace(hex(zeroblob(17000000)), '0', '[')",
        "exactly one manifest",
    ),
    "a deep manifest": ("UPDATE run SET manifest = replace(hex(zeroblob(50000)), '0', '[')", "not strict JSON"),
    "an outcome that is none": ("UPDATE run SET outcome = '{}'", "the outcome lacks 'status'"),
    "an outcome of other steps": (
        "UPDATE run SET outcome = replace(outcome, '\"steps\": 22', '\"steps\": 21')",
        "says 21",
    ),
    "another outcome": ("UPDATE run SET outcome = replace(outcome, 'solved', 'unsolved')", "it ends as solved after"),
    "a missing chunk": ("DELETE FROM chunk", "says 22 steps, but 0 are recorded"),
    "a gap": ("UPDATE chunk SET first = 2", "chunks don't follow one another"),
    "a step before the first": ("UPDATE chunk SET first = 0", "chunks don't follow one another"),
    "a transition before the first": ("UPDATE chunk SET transition = 1", "chunks don't follow one another"),
    "a huge number": ("UPDATE chunk SET first = 9223372036854775807", "its index is malformed"),
    "a negative number": ("UPDATE chunk SET steps = -1", "its index is malformed"),
    "too many steps": ("UPDATE chunk SET steps = 5000", "too many or too few"),
    "too many transitions": ("UPDATE chunk SET transitions = 23", "too many or too few"),
    "no compression": ("UPDATE chunk SET texts = x'ffff'", "the compression is broken"),
    "cut off": ("UPDATE chunk SET texts = substr(texts, 1, 100)", "truncated"),
    "going on": ("UPDATE chunk SET texts = CAST(texts || x'00' AS BLOB)", "continues after its end"),
    "a large blob": ("UPDATE chunk SET texts = zeroblob(30000000)", "broken"),
}


@for_each("name", STATEMENTS)
def test_a_file_with_something_wrong_is_refused(good, tmp_path, name):
    run, (statement, reason) = shutil.copy(good, tmp_path / "run"), STATEMENTS[name]
    change(run, "PRAGMA ignore_check_constraints = ON", statement)
    refused(run, reason)


@for_each("shift", [-1, 1, 5])
@for_each("column", ["first", "transition"])
def test_the_numbers_of_steps_and_of_transitions_go_on_without_a_gap(tmp_path, column, shift):
    tape(tmp_path / "run", n=12)
    with RunFile.open(tmp_path / "run") as runfile:
        assert len(runfile._firsts) == 2
    change(tmp_path / "run", f"UPDATE chunk SET {column} = {column} + {shift} WHERE first > 1")
    refused(tmp_path / "run", "its chunks don't follow one another")


def put(path, column, raw):
    change(path, (f"UPDATE chunk SET {column} = ?", (zlib.compress(raw),)))


def ids(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def pointers(*numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers)


LINE = b'["a","b",[]]\n'
BLOBS = {
    "an id out of range": ("ids", ids(*range(21), 22), "transition is not in the file"),
    "too few ids": ("ids", ids(0), "has 4 bytes, expected 88"),
    "too many ids": ("ids", ids(*range(23)), "a blob is truncated, continues"),
    "other transitions": ("ids", ids(*range(20, -1, -1), 21), "the machine's prompt is .* but the file has"),
    "too few pointers": ("pointers", pointers(1), "has 8 bytes, expected 176"),
    "a pointer below -1": ("pointers", pointers(*[0] * 21, -2), "a pointer is out of range"),
    "another last pointer": ("pointers", pointers(*[0] * 22), "its pointer after the previous step"),
    "a bomb": ("texts", b"\0" * 10**8, "has more than 8,388,608 bytes"),
    "numbers that are none": ("numbers", b"[1,[true]]\n", "is not a list of numbers"),
    "too few lines": ("texts", LINE, "a chunk has 1 transitions, expected 22"),
    "no end of line": ("texts", LINE * 22 + b"x", "too many lines, or its last line is cut off"),
    "no JSON": ("texts", b"x\n" * 22, "a line of a chunk is not JSON"),
    "not UTF-8": ("texts", b'"\xff"\n' * 22, "a line of a chunk is not JSON"),
    "deep JSON": ("texts", b"[" * 10**5 + b"\n" + LINE * 21, "a line of a chunk is not JSON"),
    "long numbers": ("texts", b"1" * 5000 + b"\n" + LINE * 21, "a line of a chunk is not JSON"),
    "no transition": ("texts", b'["a","b"]\n' * 22, "is not a transition"),
    "wrong types": ("texts", b'["a","b",[1]]\n' * 22, "is not a transition"),
    "no prompt": ("texts", b'["","b",[]]\n' * 22, "is not a transition"),
}


@for_each("name", BLOBS)
def test_a_blob_with_something_wrong_is_refused(good, tmp_path, name):
    run, (column, raw, reason) = shutil.copy(good, tmp_path / "run"), BLOBS[name]
    put(run, column, raw)
    refused(run, reason)


def test_a_run_that_continues_after_its_end_is_refused(run):
    with RunFile.open(run) as runfile:
        found = [step.pointer for step in runfile.records()]
    change(run, "UPDATE run SET outcome = NULL", "UPDATE chunk SET steps = 23")
    put(run, "ids", ids(*range(22), 21))
    put(run, "pointers", pointers(*(after - before for before, after in pairwise([0, *found, -1]))))
    refused(run, "does not replay: it continues after the machine has halted")


def test_blobs_of_another_type_are_refused(run, monkeypatch):
    # The cell says text where the table says blob; only a file that was made by hand has that.
    with closing(sqlite3.connect(run, isolation_level=None)) as connection:
        sql = database.TABLES["chunk"]
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'chunk'")
    with closing(sqlite3.connect(run, isolation_level=None)) as connection:
        connection.execute("UPDATE chunk SET texts = 'text'")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'chunk'", (sql,))
    refused(run, "damaged")
    monkeypatch.setattr(untrusted, "_check_schema", lambda _: None)  # as with an SQLite that looks less closely
    refused(run, "not blobs")


@for_each(
    ("arith", "line", "reason"),
    [
        *(
            ("learned", [2, numbers], r": at step 2 has \d numbers? recorded for \d+ expressions")
            for numbers in ([], [1], [1] * 9)
        ),
        ("symbolic", [3, [1, 0]], " at step 3: it has the numbers of an arithmetic model"),
    ],
)
def test_numbers_that_the_machine_would_not_use_are_refused(tmp_path, arith, line, reason):
    """They would count as errors of the convention, or another file would be equal to the genuine one."""
    tape(tmp_path / "run", "tape", arith, n=3)
    put(tmp_path / "run", "numbers", json.dumps(line).encode() + b"\n")
    refused(tmp_path / "run", f"does not replay{reason}")


LIMITS = asdict(Limits())
MANIFESTS = {
    "a key more": ({"more": 1}, "the manifest has the unknown key 'more'"),
    "limits": ({"limits": {"steps": 1}}, "the manifest: limits lacks 'tape_bytes'"),
    "a negative limit": ({"limits": LIMITS | {"steps": -1}}, "the manifest: limits.steps is -1, not from 0"),
    "limits above those of coc": ({"limits": LIMITS | {"tape_bytes": 2**31 + 1}}, "a limit of the manifest is above"),
    "a target without end": ({"limits": LIMITS | {"target_chars": 65_537}}, "a limit of the manifest is above"),
    "records": ({"records": {}}, "no record of the model"),
    "records of another": ({"records": {"model": {}, "more": {}}}, "no record of the model"),
    "many records": ({"records": {"model": dict.fromkeys(map(str, range(1001)), "")}}, "is of length 1,001"),
    "a long record": ({"records": {"model": {"name": "x" * 65_537}}}, "is of length 65,537"),
    "a long name": ({"records": {"model": {"x" * 65_537: "name"}}}, r"records\['model'\]\['x+\] is of length 65,537"),
    "many plugins": ({"plugins": dict.fromkeys(map(str, range(1001)), "")}, "plugins is of length 1,001, not"),
    "a long model": ({"model": "x" * 65_537}, "the manifest: model is of length 65,537, not"),
    "a long executor": ({"executor": "x" * 65_537}, "the manifest: executor is of length 65,537, not"),
    "a problem with spaces": ({"problem": "n=4 src=1 dst=3 "}, "its problem is not written as hanoi writes it"),
    "a record of numbers": ({"records": {"model": {"a": 1}}}, r"records\['model'\]\['a'\] is 1, not a text"),
    "a list": ({"plugins": []}, r"the manifest: plugins is \[\], not an object"),
    "notation": ({"notation": "roman"}, "the manifest: notation is 'roman', not one of numeric, symbolic"),
    "n": ({"n": True}, "the manifest: n is True, not a whole number"),
    "another domain": ({"domain": "nowhere"}, "can't be replayed here: unknown domain 'nowhere'"),
    "another memory": (
        {"memory": "pad"},
        "can't be replayed here: unknown memory 'pad'; did you mean 'pda'. choose from ",
    ),
    "another problem": ({"problem": "n=99"}, "can't be replayed here: not a problem of hanoi"),
    "another size": ({"n": 5}, "can't be replayed here: it says n=5, but its problem has n=4$"),
    "another notation": ({"notation": "symbolic"}, "replayed here: inline arithmetic has no symbolic notation$"),
    "short targets": ({"limits": LIMITS | {"target_chars": 9}}, "does not replay: at step 1 .* the limit is 9"),
    "too few steps": ({"limits": LIMITS | {"steps": 3}}, "does not replay: at step 4"),
}


@for_each("name", MANIFESTS)
def test_a_manifest_with_something_wrong_is_refused(good, tmp_path, name):
    run, (changes, reason) = shutil.copy(good, tmp_path / "run"), MANIFESTS[name]
    change(run, edit(run, "manifest", **changes))
    refused(run, reason)


def cut_off(good, folder):
    """A run file with a log beside it that holds an outcome of its own."""
    shutil.copy(good, folder / "live")
    connection = sqlite3.connect(folder / "live", isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN")
    connection.execute("UPDATE run SET outcome = NULL")
    connection.execute("DELETE FROM chunk")
    seal(connection)
    connection.execute("COMMIT")
    for end in ("", "-wal"):
        shutil.copy(folder / f"live{end}", folder / f"run{end}")
    connection.close()
    return folder / "run"


@for_each("kept", [0, 10, 40, 5000])
def test_a_torn_log_is_the_prefix_that_was_committed(good, tmp_path, kept):
    path = cut_off(good, tmp_path)
    log = tmp_path / "run-wal"
    log.write_bytes(log.read_bytes()[:kept])
    with RunFile.open(path) as runfile:
        assert runfile.steps in (0, 22)


def test_a_rollback_journal_is_refused(run, tmp_path):
    (tmp_path / "run-journal").touch()
    refused(run, "there is a rollback journal beside it")


def test_a_full_disk_is_a_storage_error(good, tmp_path, monkeypatch):
    path = cut_off(good, tmp_path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(untrusted.shutil, "copyfileobj", full)
    with pytest.raises(StorageError, match=r"can't copy a run file to .*: No space left on device"):
        RunFile.open(path)
