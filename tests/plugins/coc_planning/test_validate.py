"""`coc validate`: the exit codes, what is printed, and what is refused."""

import io
import json
import sys

import pytest

from tests.support.for_each import for_each

GOOD = "Move disk 1 from 1 to 2\nMove disk 2 from 1 to 3\nMove disk 1 from 2 to 3\n"


@pytest.fixture
def plan(tmp_path):
    """Writes a plan; gives its path."""

    def write(text, name="plan"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@for_each(
    ("code", "text", "told"),
    [
        (0, GOOD, "solved  {}  3 legal actions; plan format: text\n"),
        (1, GOOD[:48], "unsolved  {}  the goal is not reached\n  2 legal actions; plan format: text\n"),
        (1, "", "unsolved  {}  the plan is empty\n  0 legal actions; plan format: text\n"),
        (
            1,
            "Move disk 1 from Peg 1 to Peg 2\n" * 2,
            "illegal  {}  action 2, 'Move disk 1 from Peg 1 to Peg 2', is illegal: disk 1 can't be taken from peg 1, which"
            " has disk 2 on top\n  1 legal action before it; plan format: reasoning-gym\n",
        ),
    ],
)
def test_a_plan_has_its_verdict(coc, plan, code, text, told):
    done = coc("validate", plan(text), "-d", "hanoi", "-n", 2)
    assert (done.code, done.err, done.out) == (code, "", told.format("hanoi · n=2 src=1 dst=3\n"))


def test_standard_input_and_json(coc, monkeypatch, plan):
    monkeypatch.setattr(sys, "stdin", io.StringIO(GOOD))
    problem = plan("n=2 src=1 dst=3", "problem")
    done = coc("validate", "-", "-d", "hanoi", "--problem", problem, "--plan-format", "text", "--json")
    assert done.code == 0
    assert json.loads(done.out) == {
        **{"domain": "hanoi", "problem": "n=2 src=1 dst=3", "plan_format": "text", "verdict": "solved"},
        **{"actions": 3, "moves": 3, "at": None, "action": "", "reason": ""},
    }


@for_each(
    ("code", "text", "reason"),
    [
        (3, b"\x7fELF\xff\x00", "the plan is not text"),
        (3, GOOD + "Fly\n", "action 4 of the plan is none of hanoi: 'Fly' is not of the form"),
        (3, "flip 3\n", "not a plan of hanoi: 'flip 3' is an action in none of the formats"),
        (3, '{"actions": ["Move', "the plan can't be read: Unterminated string starting at: line 1 column 14"),
        (3, '{"domain": "pancake", "actions": []}', "the plan is for the domain 'pancake', not 'hanoi'"),
    ],
)
def test_what_is_no_plan_for_this_is_refused(refused, plan, code, text, reason):
    assert reason in refused(code, "validate", plan(text), "-d", "hanoi", "-n", 2)


@for_each(
    ("words", "reason"),
    [
        (("-", "-d", "hanoi", "--problem", "-"), "can't both come from standard input"),
        (("plan",), "no puzzle is chosen; choose one with --domain, or files with --pddl"),
        (("plan", "-d", "hanoi", "--csv", "rows.csv"), "--csv needs --pddl"),
        (("none", "-d", "hanoi"), "No such file"),
    ],
)
def test_what_can_not_be_checked_is_refused(refused, words, reason):
    assert reason in refused(2, "validate", *words)
