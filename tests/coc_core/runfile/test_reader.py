"""What a run file is read for: the digest of its content, single steps, its tail; and the bounds of what is accepted."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from coc_core.errors import ArtefactError
from coc_core.runfile import RunFile, chunk, reader
from tests.support.damage import change
from tests.support.for_each import for_each
from tests.support.recorded_runs import digest, edit, go_on, refusal, tape


@pytest.fixture(scope="module")
def chunked(tmp_path_factory):
    """Makes a run of 46 steps, four of them in a chunk, whose texts are stored again once `known` of them are known."""
    folder, made = tmp_path_factory.mktemp("chunked"), {}

    def make(known=1 << 16):
        if known not in made:
            made[known] = folder / f"{known}.run"
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(chunk, "MAX_STEPS", 4)
                patch.setattr(chunk, "MAX_KNOWN", known)
                tape(made[known], n=5)
        return made[known]

    return make


@pytest.fixture
def unpacked(monkeypatch):
    """The first steps of the chunks whose texts were unpacked, and of those whose steps were."""
    found = {"transitions": [], "ids": []}
    for name, heard in found.items():
        real = getattr(chunk, name)
        monkeypatch.setattr(chunk, name, lambda packed, h=heard, r=real: h.append(packed.first) or r(packed))
    return found


def test_the_digest_of_a_run_never_changes(tmp_path):
    """It is what two machines compare, maybe with two versions of coc."""
    tape(tmp_path / "run", n=3)
    assert digest(tmp_path / "run") == "f185a459aa504cb6760af30b00f0ba8a500b88aef93d2501d66911cea5b53d37"


FAULT = {"step": 23, "kind": "loop", "message": "so", "text": "x", "offset": 1}


@for_each(
    ("column", "changes", "same"),
    [
        ("manifest", {"domain": "pancake"}, False),
        ("manifest", {"memory": "pda"}, False),
        ("manifest", {"arith": "symbolic"}, False),
        ("manifest", {"problem": "n=4 src=1 dst=2"}, False),
        ("manifest", {"seed": 7, "executor": "sequential", "model": None, "versions": {}, "plugins": {}}, True),
        ("outcome", {"status": "unsolved", "fault": None}, False),
        ("outcome", {"actions": 16}, False),
        ("outcome", {"fault": FAULT | {"kind": "limit"}}, False),
        ("outcome", {"fault": FAULT | {"text": "y"}}, False),
        ("outcome", {"fault": FAULT | {"offset": 2}}, False),
        ("outcome", {"fault": FAULT | {"message": "other"}}, True),
        ("outcome", {"seconds": 9.5, "model_calls": 7, "margins": {}}, True),
    ],
)
def test_the_digest_is_of_what_was_run_and_how_it_ended_but_not_of_how_it_was_run(
    good, tmp_path, column, changes, same
):
    run = shutil.copy(good, tmp_path / "run")
    change(run, edit(run, "outcome", status="fault", fault=FAULT))
    before = digest(run)
    change(run, edit(run, column, **changes))
    assert (digest(run) == before) == same


@pytest.mark.parametrize("step", [1, 4, 5, 23, 44, 46])
def test_for_one_step_one_chunk_is_unpacked(chunked, unpacked, step):
    with RunFile.open(chunked()) as runfile:
        assert runfile.record(step).step == step
    assert unpacked["ids"] == [(step - 1) // 4 * 4 + 1]


def test_a_file_may_have_many_more_texts_than_are_known_at_once(chunked, monkeypatch):
    with RunFile.open(chunked()) as runfile:
        expected = list(runfile.records())
    monkeypatch.setattr(reader, "_MOST_CHARACTERS", 4 * max(len(each.prompt) + len(each.target) for each in expected))
    with RunFile.open(chunked(1)) as runfile:
        assert list(runfile.records()) == expected


@pytest.mark.parametrize("known", [1, 5, 12])
def test_a_run_that_forgets_goes_on_as_if_it_had_not_stopped(chunked, tmp_path, monkeypatch, known):
    monkeypatch.setattr(chunk, "MAX_STEPS", 4)
    monkeypatch.setattr(chunk, "MAX_KNOWN", known)
    tape(tmp_path / "run", n=5, stop=23, ends=False)
    go_on(tmp_path / "run")
    assert digest(tmp_path / "run") == digest(chunked(known))


def rows(path, sql):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("column", ["manifest", "outcome"])
def test_a_text_may_be_as_long_as_the_limit(run, monkeypatch, column):
    (texts,) = rows(run, "SELECT manifest, outcome FROM run")
    text = texts[column == "outcome"]
    length = max(map(len, texts)) + 1
    change(run, (f"UPDATE run SET {column} = ?", (text.ljust(length),)))
    monkeypatch.setattr(reader, "MAX_TEXT", length)
    with RunFile.open(run) as runfile:
        assert runfile.outcome.status == "solved"
    monkeypatch.setattr(reader, "MAX_TEXT", length - 1)
    assert refusal(run) == "it does not have exactly one manifest"


@for_each(
    ("name", "most", "short", "reason"),
    [
        ("MAX_CHUNKS", 12, False, "it has more than 11 chunks"),
        ("MAX_STEP", 23, True, "its index is malformed"),
    ],
)
def test_chunks_and_the_numbers_of_the_index_have_limits(good, chunked, monkeypatch, name, most, short, reason):
    path = good if short else chunked()
    monkeypatch.setattr(reader, name, most)
    with RunFile.open(path) as runfile:
        assert runfile.steps == (22 if short else 46)
    monkeypatch.setattr(reader, name, most - 1)
    assert refusal(path) == reason


def test_as_many_transitions_may_be_known_as_a_recorder_keeps(chunked, monkeypatch):
    path = chunked()
    ((most,),) = rows(path, "SELECT max(transition - base) FROM chunk")
    monkeypatch.setattr(chunk, "MAX_STEPS", 4)
    monkeypatch.setattr(chunk, "MAX_KNOWN", most - 3)
    with RunFile.open(path) as runfile:
        assert runfile.steps == 46
    monkeypatch.setattr(chunk, "MAX_KNOWN", most - 4)
    assert refusal(path) == "a chunk may use transitions that were forgotten"


def test_the_first_chunk_has_forgotten_nothing(run):
    change(run, "UPDATE chunk SET base = 1")
    assert refusal(run) == "a chunk may use transitions that were forgotten"


def test_texts_may_have_as_many_characters_as_the_limit(chunked, monkeypatch):
    with RunFile.open(chunked()) as runfile:
        stored = {record[1:3] for record in runfile.records()}
    most = sum(len(prompt) + len(target) for prompt, target in stored)
    monkeypatch.setattr(reader, "_MOST_CHARACTERS", most)
    with RunFile.open(chunked()) as runfile:
        assert len(list(runfile.records())) == 46
    monkeypatch.setattr(reader, "_MOST_CHARACTERS", most - 1)
    with RunFile.open(chunked()) as runfile, pytest.raises(ArtefactError) as error:
        list(runfile.records())
    assert error.value.message.endswith(" was rejected: its steps use more texts than a run file keeps")


def test_what_a_file_says_of_its_run_and_its_steps_are_sealed(run, chunked, tmp_path):
    path = shutil.copy(chunked(), tmp_path / "chunked")
    change(path, "UPDATE chunk SET digest = zeroblob(32) WHERE first = 21", sealed=False)
    assert refusal(path) == "its steps from 21 on do not match its digest"
    change(run, "UPDATE run SET outcome = NULL", sealed=False)
    assert refusal(run) == "its description of the run does not match its digest"


@pytest.mark.parametrize("read", [RunFile.digest, RunFile.tail, lambda runfile: list(runfile.records())])
def test_whatever_finds_a_defect_names_the_file(run, read):
    change(run, "UPDATE chunk SET texts = x'ffff'")
    with RunFile.open(run) as runfile, pytest.raises(ArtefactError) as error:
        read(runfile)
    assert error.value.message.startswith(f"the run file {run} was rejected: the compression is broken")


def test_a_file_that_is_cut_off_while_it_is_open_is_named(run):
    change(run, "UPDATE chunk SET texts = randomblob(4000000)")
    with RunFile.open(run) as runfile:
        os.truncate(run, 8192)
        with pytest.raises(ArtefactError) as error:
            runfile.kept()
    assert error.value.message.startswith(f"the run file {run} was rejected: ")
