"""`coc run --plan FILE --plan-format physical`: a plan that a simulator can check without knowing coc."""

import json

from coc_puzzles.blocksworld.domain import SeveralTowers
from tests.support.puzzle_simulators import arrange_blocks, turn_pancakes

REFERENCE = ("--model", "reference")


def test_blocks(coc, tmp_path):
    problem, plan = tmp_path / "problem", tmp_path / "plan"
    problem.write_text("start=[[B1, B3], [B2]] & goal=[B2, B3, B1]")
    done = coc(
        *("run", "-d", "blocksworld-extended", "--problem", problem, "--plan", plan, "--plan-format", "physical"),
        *REFERENCE,
    )
    assert done.code == 0
    assert plan.read_text() == "b3 from b1 to table\nb3 from table to b2\nb1 from table to b3\n"
    assert arrange_blocks([["b1", "b3"], ["b2"]], plan.read_text().splitlines()) == [["b2", "b3", "b1"]]
    assert SeveralTowers().problems.parse(problem.read_text()).goal == (2, 3, 1)


def test_pancakes(coc, tmp_path):
    problem, plan = tmp_path / "problem", tmp_path / "plan"
    problem.write_text("start=[P2, P3, P1] & goal=[P1, P2, P3]")
    done = coc("run", "-d", "pancake", "--problem", problem, "--plan", plan, "--plan-format", "physical", *REFERENCE)
    assert done.code == 0
    assert plan.read_text() == "flip 3\nflip 2\n"
    assert turn_pancakes([2, 3, 1], plan.read_text().splitlines()) == [1, 2, 3]


def test_a_json_plan_says_what_it_is_for(coc, tmp_path):
    plan = tmp_path / "plan"
    coc("run", "-d", "hanoi", "-n", 2, "--plan", plan, "--plan-format", "json", *REFERENCE)
    assert json.loads(plan.read_text()) == {
        "domain": "hanoi",
        "problem": "n=2 src=1 dst=3",
        "actions": ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3", "Move disk 1 from 2 to 3"],
    }
