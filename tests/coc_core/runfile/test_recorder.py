"""Recording by hand: where chunks end, what is forgotten, when steps are committed, and how a recording goes on."""

import sqlite3
from contextlib import closing
from functools import cache
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import StorageError
from coc_core.execution import StepRecord
from coc_core.runfile import Manifest, RunFile, chunk, writer
from coc_core.runfile.chunk import PackedChunk
from coc_core.runfile.database import UNSAVED
from coc_core.runfile.writer import Recorder
from coc_core.types import Outcome
from tests.support.for_each import for_each
from tests.support.recorded_runs import Stop, stage

LINE = len(b'["a","",[]]\n')
NUMBERS = len(b"[1,[1]]\n")


@cache
def place():
    setting, problem = stage()
    subject = setting.model("reference")
    return setting.domain, Manifest.of(setting, problem, subject, executor="cached", model="reference")


def steps(*contents):
    """Steps with these prompts, or with a prompt, a target and perhaps numbers each."""
    full = [(each, "") if isinstance(each, str) else each for each in contents]
    return [
        StepRecord(number, prompt, target, (), number % 5 - 1, *numbers)
        for number, (prompt, target, *numbers) in enumerate(full, 1)
    ]


def chunks(connection):
    return [PackedChunk(*row) for row in connection.execute("SELECT * FROM chunk ORDER BY first")]


def recorded(listened):
    """The connection to a recording of these steps in memory."""
    recorder = Recorder.in_memory(*place())
    for step in listened:
        recorder.listen(step)
    recorder.flush()
    return recorder.connection


def lengths(found, name="steps"):
    return [getattr(each, name) for each in found]


@pytest.mark.parametrize("last", [("b" * 99, "", None), ("a", "", (10**30,))], ids=["texts", "numbers"])
def test_a_chunk_ends_at_once_when_it_is_full_however_quick_the_steps_were(monkeypatch, last):
    monkeypatch.setattr(chunk, "MAX_BYTES", LINE + 30)
    assert lengths(chunks(recorded(steps(*["a"] * 50, last, *["a"] * 50)))) == [51, 50]


def test_a_step_may_be_as_large_as_a_run_file_keeps(monkeypatch):
    monkeypatch.setattr(chunk, "MAX_LINE", LINE)
    recorder = Recorder.in_memory(*place())
    recorder.listen(*steps("a"))
    with pytest.raises(StorageError) as error:
        recorder.listen(*steps("ab"))
    assert str(error.value) == f"a step has {LINE + 1} bytes, and a run file keeps {LINE} at most"


CONTENTS = st.tuples(
    st.sampled_from("abc"), st.sampled_from(["", "x", "yy"]), st.none() | st.tuples(st.integers(0, 99))
)


@given(
    contents=st.lists(CONTENTS, min_size=1, max_size=40),
    most_steps=st.sampled_from([1, 4, 1000]),
    most_bytes=st.sampled_from([1, 30, 60, 1000]),
    most_known=st.sampled_from([1, 4, 1000]),
    most_known_bytes=st.sampled_from([1, 60, 1000]),
)
def test_the_chunks_depend_on_the_steps_alone(contents, most_steps, most_bytes, most_known, most_known_bytes):
    """Each is full with its last step, except the last one; and each transition is stored once until it is forgotten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk, "MAX_STEPS", most_steps)
        patch.setattr(chunk, "MAX_BYTES", most_bytes)
        patch.setattr(chunk, "MAX_KNOWN", most_known)
        patch.setattr(chunk, "MAX_KNOWN_BYTES", most_known_bytes)
        heard = steps(*contents)
        connection = recorded(heard)
        found = chunks(connection)
        with RunFile.of(connection) as runfile:
            assert list(runfile.records()) == heard
    known, base = [], 0
    for packed in found:
        lines = chunk.inflate(packed.texts, 10**6).splitlines()
        if packed.base != base:
            known.clear()
        known += lines
        sizes = accumulate(added(packed, lines))
        full = [count >= most_steps or size >= most_bytes for count, size in enumerate(sizes, 1)]
        assert not any(full[:-1])
        assert full[-1] or packed is found[-1]
        assert packed.base == base or packed.base == packed.transition
        assert len(known) == len(set(known))
        base = packed.base
    for one, other in pairwise(found):
        assert (other.base == other.transition) == forgotten(one, found, most_known, most_known_bytes)


def added(packed, lines):
    """The bytes that each step adds to its chunk."""
    new, numbers = packed.transition, chunk.numbers(packed)
    for step, number in enumerate(chunk.ids(packed), packed.first):
        size = len(chunk.json_lines([(step, numbers[step])])) if step in numbers else 0
        if number == new:
            size += len(lines[new - packed.transition]) + 1
            new += 1
        yield size


def forgotten(packed, found, most, most_bytes):
    """Whether so many transitions are known after this chunk that all are forgotten."""
    same = [each for each in found if each.base == packed.base and each.first <= packed.first]
    return (
        sum(each.transitions for each in same) >= most
        or sum(len(chunk.inflate(each.texts, 10**6)) for each in same) >= most_bytes
    )


class Clock:
    """A clock that stands still until it is set, and counts how often it is read."""

    def __init__(self):
        self.now, self.reads = 1000.0, 0

    def monotonic(self):
        self.reads += 1
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(writer, "time", found)
    return found


@for_each("seconds", [1 / 64, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 3])
def test_slow_steps_are_committed_as_soon_as_the_interval_is_over_and_no_sooner(clock, seconds):
    recorder, times = Recorder.in_memory(*place()), [clock.now]
    for step in steps(*["a"] * 100):
        clock.now += seconds
        recorder.listen(step)
        if recorder.stored == step.step:
            times.append(clock.now)
    assert len(times) > 2
    for one, other in pairwise(times):
        assert writer.COMMIT_INTERVAL <= other - one < writer.COMMIT_INTERVAL + seconds


def test_quick_steps_are_committed_after_a_few_hundred_more_at_the_latest(clock):
    recorder, late = Recorder.in_memory(*place()), 0
    for step in steps(*["a"] * 3000):
        clock.now += 1 / 1024
        recorder.listen(step)
        late = max(late, step.step - recorder.stored)
    assert late <= writer.COMMIT_INTERVAL * 1024 + 256


HEARD = steps(
    "a",
    ("a", "x"),
    ("b", "", (7,)),
    "a",
    ("c", "", (-1, 2)),
    "d",
    "a",
    ("a", "x"),
    "e",
    ("b", "", (7,)),
    "f",
    "c",
    *"ccac",
    ("a", "x"),
    *"aca",
)
ENDED = Outcome("unsolved", len(HEARD), 0)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(chunk, "MAX_STEPS", 3)
    monkeypatch.setattr(chunk, "MAX_KNOWN", 4)


@for_each("cut", range(len(HEARD) + 1))
def test_a_recording_that_goes_on_has_the_chunks_of_one_that_was_never_cut(tmp_path, small, cut):
    path = tmp_path / "run"
    domain, manifest = place()
    with Recorder.create(path, domain, manifest) as recorder:
        for step in HEARD[:cut]:
            recorder.listen(step)
    with RunFile.open(path) as source, Recorder.resume(path, domain, cut) as recorder:
        for step in HEARD[:cut]:
            recorder.listen(step)
        recorder.go_on(manifest, source)
        for step in HEARD[cut:]:
            recorder.listen(step)
        recorder.finish(ENDED)
        assert (recorder.path, recorder.stored) == (path, len(HEARD))
    with closing(sqlite3.connect(path)) as connection, closing(recorded(HEARD)) as whole:
        assert chunks(connection) == chunks(whole)
        assert len({each.base for each in chunks(connection)}) > 1
    with RunFile.open(path) as runfile:
        assert list(runfile.records()) == HEARD
        assert runfile.outcome == ENDED


def test_the_chain_of_digests_does_not_depend_on_commits(small):
    recorder = Recorder.in_memory(*place())
    assert (recorder.path, recorder.stored) == (UNSAVED, 0)
    for step in HEARD:
        recorder.listen(step)
        recorder.flush()
        assert recorder.stored == step.step
    assert chunks(recorder.connection) == chunks(recorded(HEARD))


@pytest.mark.parametrize(("error", "kept"), [(Stop, 1), (KeyboardInterrupt, 0), (SystemExit, 0), (StorageError, 0)])
def test_an_exception_leaves_what_was_gathered_unless_it_must_be_quick(tmp_path, error, kept):
    def fail():
        with Recorder.create(tmp_path / "run", *place()) as recorder:
            recorder.listen(*steps("a"))
            raise error("so")

    with pytest.raises(error):
        fail()
    with RunFile.open(tmp_path / "run") as runfile:
        assert runfile.steps == kept
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def forbid(connection, *what):
    """Let SQLite refuse an action, as it would for a broken disk."""
    connection.set_authorizer(lambda *action: sqlite3.SQLITE_DENY if action[: len(what)] == what else sqlite3.SQLITE_OK)


@for_each(
    "what",
    [
        (sqlite3.SQLITE_TRANSACTION, "BEGIN"),
        (sqlite3.SQLITE_TRANSACTION, "COMMIT"),
        (sqlite3.SQLITE_INSERT, "chunk"),
        (sqlite3.SQLITE_READ, "run", "manifest"),
        (sqlite3.SQLITE_READ, "chunk", "digest"),
        (sqlite3.SQLITE_PRAGMA, "wal_checkpoint"),
    ],
)
def test_whatever_can_t_be_written_the_error_names_the_file(tmp_path, what):
    recorder = Recorder.create(tmp_path / "run", *place())
    recorder.listen(*steps("a"))
    forbid(recorder.connection, *what)
    with pytest.raises(StorageError) as error:
        recorder.close()
    assert str(error.value).startswith(f"can't write the run to {tmp_path / 'run'}: ")
    recorder.close()
    recorder = Recorder.in_memory(*place())
    recorder.listen(*steps("a"))
    forbid(recorder.connection, sqlite3.SQLITE_INSERT)
    with pytest.raises(StorageError, match=r"^can't write the run to \(not saved\): "):
        recorder.flush()
