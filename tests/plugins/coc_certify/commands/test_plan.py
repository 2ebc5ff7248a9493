"""`coc plan`: a plan that is a grammar, looked into."""

import json

import pytest

import coc_core
from coc_certify.plans import format_plan

HUGE = 10**19
LENGTH = 2**64 - 1


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """Writes plans as grammars, each once, and gives the path."""
    folder = tmp_path_factory.mktemp("plans")

    def write(n):
        path = folder / str(n)
        if not path.exists():
            path.write_text(format_plan(coc_core.plan("hanoi", n, model="reference")))
        return path

    return write


@pytest.fixture
def plan(coc, plans):
    return lambda n, *arguments: coc("plan", plans(n), *arguments)


def test_a_plan_is_summed_up(plan):
    done = plan(64)
    assert done.code == 0
    assert done.out == f"hanoi · n=64 src=1 dst=3: {LENGTH:,} actions in 186 rules; it solves the problem\n"


def test_any_action_is_printed(plan):
    assert plan(64, "--action", HUGE).out == "Move disk 20 from 2 to 1\n"
    assert plan(64, "--action", 1).out == "Move disk 1 from 1 to 2\n"
    assert json.loads(plan(64, "--action", LENGTH, "--json").out) == {
        "from": LENGTH,
        "to": LENGTH,
        "actions": ["Move disk 1 from 2 to 3"],
    }


def test_a_slice_and_the_whole_are_those_of_the_plan_step_by_step(plan, coc, tmp_path):
    written = tmp_path / "plan"
    coc("run", "-d", "hanoi", "-n", 10, "--model", "reference", "--plan", written)
    lines = written.read_text("utf-8").splitlines(keepends=True)
    assert plan(10, "--from", 1).out == "".join(lines)
    assert plan(10, "--to", 7).out == "".join(lines[:7])
    assert plan(10, "--from", 700, "--to", 703).out == "".join(lines[699:703])
    assert plan(10, "--from", 5, "--to", 4).out == ""


def test_a_state_is_drawn(plan):
    done = plan(3, "--state", 4)
    assert done.code == 0
    assert done.out.startswith("after 4 of 7 actions\n")
    _, picture = done.out.split("\n", 1)
    assert json.loads(plan(3, "--state", 4, "--json").out) == {"after": 4, "picture": picture.removesuffix("\n")}


def test_a_document_does_not_list_everything(refused, plans):
    assert "a document has at most 100,000 actions" in refused(2, "plan", plans(64), "--from", 1, "--json")


HEAD = '{"format": "coc-plan-grammar", "version": 1, "domain": "%s", "problem": "%s", "rules": [\n[%s]\n]}\n'


@pytest.mark.parametrize(
    ("text", "code", "verdict", "said"),
    [
        (HEAD % ("hanoi", "n=2 src=1 dst=3", '"Move disk 1 from 1 to 2"'), 1, "incomplete", "it ends before the goal"),
        (
            HEAD % ("hanoi", "n=2 src=1 dst=3", '"Move disk 2 from 1 to 3"'),
            1,
            "illegal",
            "action 1 is illegal: Move disk 2 from 1 to 3",
        ),
        (HEAD % ("pancake", "start=[P1] & goal=[P1]", ""), 0, None, "the actions of pancake aren't operators"),
    ],
)
def test_a_plan_is_judged(coc, tmp_path, text, code, verdict, said):
    path = tmp_path / "plan"
    path.write_text(text)
    done = coc("plan", path)
    assert (done.code, done.err) == (code, "")
    assert said in done.out
    assert json.loads(coc("plan", path, "--json").out)["verdict"] == verdict
