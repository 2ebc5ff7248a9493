"""A recording that was edited is refused: by its digests, or, with new digests, when the machine takes its steps again."""

import json
import shutil
import sqlite3
import zlib
from contextlib import closing

import pytest
from hypothesis import given, settings, strategies as st

import coc_core as coc_python
from coc_core.errors import ArtefactError, UsageError
from coc_core.runfile import RunFile, chunk, database
from tests.support.damage import change
from tests.support.for_each import for_each
from tests.support.recorded_runs import edit, go_on, tape


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory):
    path = tmp_path_factory.mktemp("unfinished") / "run"
    tape(path, "pda", n=5, stop=4, ends=False)
    return path


FAULT = {"step": 23, "kind": "loop", "message": "", "text": "", "offset": None}
FORGERIES = {
    "another problem": lambda path: [edit(path, "manifest", problem="n=9 src=1 dst=3", n=9)],
    "another problem and goal": lambda path: [edit(path, "manifest", problem="n=4 src=1 dst=2")],
    "another size": lambda path: [edit(path, "manifest", n=5)],
    "another notation": lambda path: [edit(path, "manifest", notation="symbolic")],
    "more actions": lambda path: [edit(path, "outcome", actions=16)],
    "another end": lambda path: [edit(path, "outcome", status="unsolved")],
    "interrupted": lambda path: [edit(path, "outcome", status="interrupted")],
    "a fault": lambda path: [edit(path, "outcome", status="fault", fault=FAULT)],
}


@for_each("name", FORGERIES)
def test_an_edit_with_new_digests_is_refused_where_the_end_is_shown(good, refused, tmp_path, name):
    run = shutil.copy(good, tmp_path / "run")
    change(run, *FORGERIES[name](run))
    before = run.read_bytes()
    reason = "replay"
    for command in [("replay", run, "--end"), ("view", run, "-o", tmp_path / "page.html")]:
        assert reason in refused(3, *command) or "notation" in refused(3, *command)
    if name != "interrupted":  # then it is resumed, and ends as its steps do
        assert refused(3, "run", "--resume", run)
    with pytest.raises(ArtefactError, match=reason):
        coc_python.load_run(run).verify()
    assert run.read_bytes() == before
    assert not (tmp_path / "page.html").exists()


def test_steps_of_another_problem_are_not_resumed(unfinished, refused, tmp_path):
    run = shutil.copy(unfinished, tmp_path / "run")
    change(run, edit(run, "manifest", problem="n=9 src=1 dst=3", n=9))
    before, plan = run.read_bytes(), tmp_path / "moves.txt"
    plan.write_text("kept")
    assert "does not replay at step 1: the machine's prompt is" in refused(3, "run", "--resume", run, "--plan", plan)
    assert (run.read_bytes(), plan.read_text("utf-8")) == (before, "kept")


def test_a_run_in_another_notation_is_not_resumed(tmp_path):
    tape(tmp_path / "run", "tape", "learned", stop=4, ends=False)
    change(tmp_path / "run", edit(tmp_path / "run", "manifest", notation="numeric"))
    with pytest.raises(ArtefactError, match="learned arithmetic has no numeric notation"):
        go_on(tmp_path / "run")


@for_each(
    ("changes", "code", "options", "reason"),
    [
        ({"executor": "nowhere"}, 3, (), "can't be continued here: unknown executor 'nowhere'; choose from"),
        ({"executor": "vote:k=0"}, 3, (), "the option k of the executor vote: it must be from 1 to 100, not 0"),
        ({"model": "nowhere"}, 3, (), "unknown model 'nowhere', and no folder of that name; choose from"),
        ({"arith_model": "nowhere"}, 3, (), "symbolic arithmetic calls no model"),
        ({}, 2, ("--model", "nowhere"), "unknown model 'nowhere'"),
    ],
)
def test_what_the_file_names_is_its_own_fault_and_what_the_caller_names_a_misuse(
    unfinished, refused, tmp_path, changes, code, options, reason
):
    run = shutil.copy(unfinished, tmp_path / "run")
    change(run, edit(run, "manifest", **changes))
    before = run.read_bytes()
    assert reason in refused(code, "run", "--resume", run, *options)
    assert run.read_bytes() == before


def test_a_file_may_not_choose_which_address_is_called(unfinished, refused, tmp_path):
    """Nor which environment variable is sent there as a key, or which file is written."""
    run = shutil.copy(unfinished, tmp_path / "run")
    model = f"openai:m,base_url=http://127.0.0.1:9,key=HOME,ledger={tmp_path / 'ledger'}"
    change(run, edit(run, "manifest", model=model, records={"model": {"name": "openai"}}))
    told = refused(2, "run", "--resume", run)
    assert f"{run} names the model '{model[:80]}" in told
    assert told.endswith("a file may not choose what is called; if it is the one to call, name it with --model\n")
    with pytest.raises(UsageError, match="a file may not choose what is called"):
        coc_python.run(resume=run)
    assert not (tmp_path / "ledger").exists()


def test_an_outcome_that_was_not_verified_is_said_to_be_as_recorded(good, run, coc, tmp_path):
    page, faulty = tmp_path / "page.html", tmp_path / "faulty"
    assert "step 22 of 22, solved\n" in coc("replay", good, "--end").out
    assert json.loads(coc("view", good, "-o", page, "--json").out)["verified"] is True
    assert "as recorded" not in page.read_text("utf-8")
    change(run, edit(run, "outcome", status="unsolved"))
    assert "step 1 of 22, unsolved, as recorded" in coc("replay", run, "--step", 1).out
    assert json.loads(coc("replay", run, "--step", 1, "--json").out)["verified"] is False
    assert coc("view", run, "-o", page, "--to", 3).code == 0
    assert "steps 1 to 3 of 22; the outcome is as recorded" in page.read_text("utf-8")
    tape(faulty, stop=4)  # nobody can tell what a model wrote that is not there
    change(faulty, edit(faulty, "outcome", status="fault", fault=FAULT | {"step": 5, "kind": "protocol"}))
    for place in ("--end", "--step=2"):
        assert ", fault, as recorded\n" in coc("replay", faulty, place).out


@settings(max_examples=60)
@given(data=st.data())
def test_no_value_of_a_run_file_can_be_changed(good, tmp_path_factory, data):
    path = shutil.copy(good, tmp_path_factory.mktemp("edited") / "run")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        table = data.draw(st.sampled_from(["run", "chunk"]))
        rows = connection.execute(f"SELECT * FROM {table}")
        names = [name for name, *_ in rows.description]
        place = data.draw(st.integers(1 if table == "run" else 0, len(names) - 1))
        old = rows.fetchone()[place]
        if isinstance(old, int):
            new = data.draw(st.integers(0, 1 << 40).filter(lambda value: value != old))
        else:
            at = data.draw(st.integers(0, len(old) - 1))
            piece = data.draw((st.binary if isinstance(old, bytes) else st.text)(max_size=2))
            new = old[:at] + piece + old[at + 1 :]
        if new != old:
            connection.execute(f"UPDATE {table} SET {names[place]} = ?", (new,))
    if new != old:
        with pytest.raises(ArtefactError):
            RunFile.open(path)


def put(path, **columns):
    change(path, *((f"UPDATE chunk SET {name} = ?", (value,)) for name, value in columns.items()))


@for_each(
    ("column", "raw", "reason"),
    [
        ("numbers", b"[1,[1]]\n" * 4_000, "a chunk of 22 steps has 4,000 lines of numbers"),
        ("numbers", b"[1,[1]]\n" * 5_000, "too many lines"),
        ("numbers", b"[1,[1]]\n" * 4_700_000, "more than 2,097,152 bytes"),
        ("numbers", b"[1,[" + b"1," * 16_000_000 + b"1]]\n", "more than 2,097,152 bytes"),
        ("numbers", b"[1,[1]]\n" * 2, "numbers are recorded twice for a step"),
        ("texts", b'["a","b",[' + b'"",' * 5_000_000 + b'""]]\n', "more than 8,388,608 bytes"),
        ("texts", b"\n" * 8_000_000, "too many lines"),
    ],
)
def test_what_is_unpacked_is_bounded_by_the_steps(good, tmp_path, column, raw, reason, monkeypatch):
    run = shutil.copy(good, tmp_path / "run")
    if "twice" not in reason:
        monkeypatch.setattr(chunk, "json", None)  # nothing is parsed that is refused for its size
    put(run, **{column: zlib.compress(raw)})
    with RunFile.open(run) as runfile, pytest.raises(ArtefactError, match=reason):
        list(runfile.records())


def test_a_base_beyond_what_a_step_uses_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(chunk, "MAX_STEPS", 4)
    tape(tmp_path / "run", "pda", n=4)
    change(tmp_path / "run", "UPDATE chunk SET base = 4 WHERE first > 4")
    with RunFile.open(tmp_path / "run") as runfile, pytest.raises(ArtefactError, match="transition is not in the file"):
        list(runfile.records())


def test_the_digests_cover_every_column():
    assert chunk.PackedChunk._fields[-1] == "digest"
    packed = chunk.pack(b"", 1, 0, 0, [b"[]\n"], [0], [1], [])
    for name, value in packed._asdict().items():
        if name != "digest":
            other = packed._replace(**{name: value + (b"x" if isinstance(value, bytes) else 1)})
            assert chunk.seal(b"", other) != packed.digest
    assert chunk.seal(b"x", packed) != packed.digest
    shifted = packed._replace(texts=packed.texts + packed.ids[:1], ids=packed.ids[1:])
    assert chunk.seal(b"", shifted) != packed.digest
    assert len({database.digest(*each) for each in [("a", None, b""), ("a", "", b""), ("a", None, b"x")]}) == 3
