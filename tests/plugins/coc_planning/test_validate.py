"""`coc validate`: the exit codes, what is printed, and what is refused; with --pddl one plan or a folder of plans."""

import io
import json
import sys

import pytest

from tests.support.for_each import for_each

HANOI_PLAN = "Move disk 1 from 1 to 2\nMove disk 2 from 1 to 3\nMove disk 1 from 2 to 3\n"


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
        (0, HANOI_PLAN, "solved  {}  3 legal actions; plan format: text\n"),
        (1, HANOI_PLAN[:48], "unsolved  {}  the goal is not reached\n  2 legal actions; plan format: text\n"),
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


def test_a_plan_from_standard_input_and_json(coc, monkeypatch, plan):
    monkeypatch.setattr(sys, "stdin", io.StringIO(HANOI_PLAN))
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
        (3, HANOI_PLAN + "Fly\n", "action 4 of the plan is none of hanoi: 'Fly' is not of the form"),
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


DOMAIN = """(define (domain lamps) (:predicates (lit ?x) (broken ?x))
  (:action light :parameters (?x) :precondition (not (broken ?x)) :effect (lit ?x)))
"""
PROBLEM = "(define (problem {0}) (:domain lamps) (:objects a b) (:init (broken b)) (:goal (lit {1})))\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with a domain, the problems `one` and `two`, of which the second can't be solved, and plans."""
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for name, lamp in (("one", "a"), ("two", "b")):
        (tmp_path / f"{name}.pddl").write_text(PROBLEM.format(name, lamp))
    plans = tmp_path / "plans"
    plans.mkdir()
    (plans / "one.pddl.plan").write_text("(light a)\n")
    (plans / "one.plan.2").write_text("; nothing\n")
    (plans / "two.plan").write_text("(light a)\n(LIGHT B)\n")
    for name in (".hidden", "results.jsonl", "domain.pddl", "README.md"):  # as `coc eval --plans` and others leave
        (plans / name).write_text("")
    return tmp_path


def test_a_plan_of_a_domain_that_coc_does_not_know(coc, folder):
    files = "--pddl", folder / "domain.pddl", folder / "one.pddl"
    done = coc("validate", folder / "plans" / "one.pddl.plan", *files)
    assert (done.code, done.err) == (0, "")
    assert done.out == "solved  lamps · one\n  1 legal action; cost 1\n"
    done = coc("validate", folder / "plans" / "one.plan.2", *files)
    assert (done.code, done.out) == (1, "unsolved  lamps · one\n  the goal lacks (lit a)\n  0 legal actions\n")
    done = coc("validate", folder / "plans" / "two.plan", "--pddl", folder / "domain.pddl", folder / "two.pddl")
    assert done.code == 1
    assert done.out == (
        "illegal  lamps · two\n"
        "  action 2, '(light b)', is illegal: the precondition (not (broken ?x)) does not hold for ?x = b\n"
        "  1 legal action before it\n"
    )


def test_standard_input_and_json(coc, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("(light a)"))
    problem = folder / "one.pddl"
    done = coc("validate", "-", "--pddl", folder / "domain.pddl", problem, "--json")
    assert done.code == 0
    assert json.loads(done.out) == {
        **{"domain": "lamps", "problem": str(problem), "plan": "-", "verdict": "solved", "actions": 1, "cost": 1},
        **{"at": None, "line": None, "action": "", "reason": "", "missing": []},
    }


def test_a_folder_of_plans_for_a_problem(coc, folder):
    done = coc("validate", folder / "plans", "--pddl", folder / "domain.pddl", folder / "one.pddl")
    assert done.code == 1
    assert done.out == (
        "solved  one.pddl.plan\n"
        "unsolved  one.plan.2\n"
        "  the goal lacks (lit a)\n"
        "illegal  two.plan\n"
        "  action 2, '(light b)', is illegal: the precondition (not (broken ?x)) does not hold for ?x = b\n"
        "  solved by 1 of 3 plans\n"
    )


def test_folders_of_plans_problems_and_domains(coc, folder, tmp_path):
    (folder / "plans" / "two.plan.9").write_text("(light")
    table = tmp_path / "rows.csv"
    done = coc("validate", folder / "plans", "--pddl", folder, folder, "--json", "--csv", table)
    assert done.code == 3
    document = json.loads(done.out)
    assert (document["total"], document["solved"]) == (4, 1)
    assert [each["verdict"] for each in document["plans"]] == ["solved", "unsolved", "illegal", "rejected"]
    assert [each["problem"] for each in document["plans"]] == [
        str(folder / f"{n}.pddl") for n in ("one", "one", "two", "two")
    ]
    lines = table.read_text().splitlines()
    assert lines[0] == "plan,problem,verdict,actions,cost,at,line,action,reason"
    assert lines[1] == f"{folder / 'plans/one.pddl.plan'},{folder / 'one.pddl'},solved,1,1,,,,"
    assert lines[3].startswith(f'{folder / "plans/two.plan"},{folder / "two.pddl"},illegal,1,,2,2,(light b),"action 2')
    assert lines[4].endswith(",rejected,,,,,,line 1 of the plan can't be read: it ends within an action")


def test_a_problem_that_can_not_be_read_rejects_its_plans_only(coc, folder):
    (folder / "two.pddl").write_text("(define")
    done = coc("validate", folder / "plans", "--pddl", folder / "domain.pddl", folder, "--json")
    assert done.code == 3
    assert [each["verdict"] for each in json.loads(done.out)["plans"]] == ["solved", "unsolved", "rejected"]


def test_a_type_that_is_not_declared_is_mentioned_once(coc, folder):
    problem = folder / "one.pddl"
    problem.write_text(problem.read_text().replace("a b)", "a b - lamp)"))
    done = coc("validate", folder / "plans", "--pddl", folder / "domain.pddl", problem, "--json")
    assert (done.code, json.loads(done.out)["solved"]) == (1, 1)
    assert done.err == f"coc: note: {problem}: the type 'lamp' is not declared; it is taken as one of objects\n"


@for_each(
    ("code", "changes", "reason"),
    [
        (2, {"more": ("-d", "hanoi")}, "--pddl says which problem it is, so leave out --domain"),
        (2, {"more": ("-n", 3, "--plan-format", "pddl")}, "so leave out --n, --plan-format"),
        (2, {"plan": "none"}, "can't read the plan"),
        (2, {"plan": "empty"}, "there are no plans in"),
        (3, {"problem": "none.pddl"}, "can't read"),
        (2, {"domain": "two.pddl", "problem": "domain.pddl"}, "domain.pddl is a domain, not a problem; give the "),
        (3, {"domain": "one.pddl"}, "it does not begin with (define (domain NAME)"),
        (3, {"plan": "domain.pddl"}, "line 1 of the plan can't be read"),
        (2, {"plan": "plans", "problem": "plans"}, "there is no problem for one.pddl.plan in"),
        (2, {"plan": "plans", "domain": "empty", "problem": "."}, "there is no domain beside"),
        (2, {"more": ("--csv", "plans/two.plan")}, "name the same file"),
        (5, {"more": ("--csv", "none/rows.csv")}, "none"),
    ],
)
def test_what_is_wrong_is_one_line(refused, folder, monkeypatch, code, changes, reason):
    (folder / "empty").mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    chosen = {"plan": "plans/two.plan", "domain": "domain.pddl", "problem": "two.pddl", "more": ()} | changes
    words = chosen["plan"], "--pddl", chosen["domain"], chosen["problem"], *chosen["more"]
    assert reason in refused(code, "validate", *words)
    assert (folder / "plans" / "two.plan").read_text() == "(light a)\n(LIGHT B)\n"
