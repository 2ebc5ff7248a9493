import json
import re

import pytest

from tests.support.saved_runs import saved

HOSTILE = "OUTPUT \x1b[2J</script>\u202e\x07"


@pytest.fixture
def run(tmp_path):
    return lambda name="a", **options: saved(tmp_path / name, **options)


def test_a_pipe_gets_one_step(coc, run):
    done = coc("replay", run(), "--step", 4)
    assert done.code == 0
    assert done.out.startswith(
        "hanoi · n=3 src=1 dst=3 · pda · symbolic · reference\nstep 4 of 10, solved, as recorded\n"
    )
    assert "INSTR MOVE d=2 src=1 dst=2" in done.out
    assert "actions: Move disk 2 from 1 to 2" in done.out
    assert "pda, pointer at 2" in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "step 0 of 10, solved"),
        (("--step", 1), "tape, pointer at 3, NEXT_ID=4"),
        (("--end",), "step 10 of 10, solved"),
        (("--end",), "tape, halted, NEXT_ID=10"),
    ],
)
def test_where_to_look(coc, run, options, words):
    assert words in coc("replay", run(memory="tape"), *options).out


def test_a_fault_is_shown_at_its_step_with_the_text(coc, run):
    done = coc("replay", run(at=5, text=HOSTILE), "--end")
    assert done.code == 0
    assert "the fault at step 5" in done.out
    assert "CALL n=1 src=3 dst=2 aux=1" in done.out
    assert "protocol fault at step 5" in done.out
    assert "\\x1b[2J</script>\\u202e\\x07" in done.out
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.out)
    assert "step 4 of 4, fault, as recorded\n" in coc("replay", run("b", at=5, text=HOSTILE), "--step", 4).out


def test_a_document_of_a_step(coc, run):
    path = run(memory="tape")
    found = json.loads(coc("replay", path, "--step", 1, "--json").out)
    assert "▐█▌" in found["picture"]
    named = {"run": str(path), "steps": 10, "outcome": "solved", "reason": None, "verified": False, "fault": None}
    step = {"step": 1, "prompt": "INSTR CALL n=3 src=1 dst=3 aux=2 prev=prev", "actions": [], "pointer": 3}
    assert (named | step).items() <= found.items()
    assert found["target"].endswith("\nPTR=NEXT_ID+2 NEXT_ID=NEXT_ID+3")
    assert found["written"] == ["CALL n=2 src=2 dst=3 aux=1", "MOVE d=3 src=1 dst=3", "CALL n=2 src=1 dst=2 aux=3"]
    assert found["windows"][2:] == ["MOVE d=3 src=1 dst=3 prev=1", "CALL n=2 src=1 dst=2 aux=3 prev=2"]


def test_a_document_of_the_fault(coc, run):
    found = json.loads(coc("replay", run(at=5, text=HOSTILE), "--end", "--json").out)
    assert (found["step"], found["outcome"], found["prompt"]) == (5, "fault", None)
    assert found["target"] == found["fault"]["text"] == HOSTILE
    assert found["fault"]["kind"] == "protocol"
    assert found["written"] == []


def test_a_run_without_a_step(coc, run):
    done = coc("replay", run(at=-1), "--end")
    assert done.code == 0
    assert "step 0 of 0, unfinished" in done.out
    found = json.loads(coc("replay", run("b", at=-1), "--json").out)
    assert (found["outcome"], found["steps"], found["step"], found["target"]) == (None, 0, 0, "")


def test_votes_are_shown(coc, tmp_path):
    path, votes = tmp_path / "a", "first to lead by 1: 15 responses for 15 decisions, 0 dropped, 0 outvoted"
    coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "-x", "vote:k=3", "--save", path)
    assert coc("replay", path, "--end").out.splitlines()[2].startswith(votes)
    assert json.loads(coc("replay", path, "--json").out)["votes"]["decisions"] == 15
