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


def test_a_plan_that_solves_its_problem(coc, plan):
    done = coc("validate", plan(GOOD), "-d", "hanoi", "-n", 2)
    assert (done.code, done.err) == (0, "")
    assert done.out == "solved  hanoi · n=2 src=1 dst=3\n  3 legal actions; plan format: text\n"


def test_a_plan_that_ends_too_early(coc, plan):
    done = coc("validate", plan(GOOD.removesuffix("Move disk 1 from 2 to 3\n")), "-d", "hanoi", "-n", 2)
    assert done.code == 1
    assert done.out == (
        "unsolved  hanoi · n=2 src=1 dst=3\n  the goal is not reached\n  2 legal actions; plan format: text\n"
    )


def test_an_empty_plan(coc, plan):
    done = coc("validate", plan(""), "-d", "hanoi", "-n", 2)
    assert done.code == 1
    assert "  the plan is empty\n" in done.out


def test_a_plan_with_an_illegal_action(coc, plan):
    done = coc("validate", plan("Move disk 1 from Peg 1 to Peg 2\n" * 2), "-d", "hanoi", "-n", 2)
    assert done.code == 1
    assert done.out == (
        "illegal  hanoi · n=2 src=1 dst=3\n"
        "  action 2, 'Move disk 1 from Peg 1 to Peg 2', is illegal: disk 1 can't be taken from peg 1, which has disk 2"
        " on top\n"
        "  1 legal action before it; plan format: reasoning-gym\n"
    )


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
@for_each("options", [(), ("--json",)])
def test_what_is_no_plan_for_this_is_refused(refused, plan, code, text, reason, options):
    assert reason in refused(code, "validate", plan(text), "-d", "hanoi", "-n", 2, *options)


def test_only_one_of_them_can_be_standard_input(refused):
    assert "can't both come from standard input" in refused(2, "validate", "-", "-d", "hanoi", "--problem", "-")


def test_a_puzzle_is_needed(refused, plan):
    assert "no puzzle is chosen; choose one with --domain, or files with --pddl" in refused(2, "validate", plan(GOOD))
    assert "--csv needs --pddl" in refused(2, "validate", plan(GOOD), "-d", "hanoi", "--csv", "rows.csv")


def test_a_plan_that_is_not_there(refused, tmp_path):
    assert "No such file" in refused(2, "validate", tmp_path / "none", "-d", "hanoi")
