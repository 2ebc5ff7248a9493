"""The format of reasoning-gym: the sentences that its scorer looks for."""

import re

import pytest

import coc_core as coc
from coc_core.errors import UsageError
from coc_problems import validate
from coc_puzzles.hanoi.domain import Hanoi, ReasoningGymPlan
from tests.support.puzzle_simulators import move_disks

MOVE = re.compile(r"Move disk (\d+) from Peg (\d+) to Peg (\d+)")


@pytest.mark.parametrize(("src", "dst"), [(1, 3), (3, 1), (2, 1)])
def test_every_line_is_a_move_that_the_scorer_reads(tmp_path, src, dst):
    run = coc.run("hanoi", problem=f"n=4 src={src} dst={dst}", model="reference")
    run.plan.write(tmp_path / "plan", "reasoning-gym")
    lines = (tmp_path / "plan").read_text().splitlines()
    assert move_disks(4, 3, src, lines)[dst - 1] == [4, 3, 2, 1]
    form = ReasoningGymPlan(Hanoi(), run.plan.problem)
    plan = [action for line in lines for action in form.read(None, line)]
    assert [[action.disk, action.src, action.dst] for action in plan] == [
        [int(number) for number in MOVE.fullmatch(line).groups()] for line in lines
    ]
    assert validate(Hanoi(), run.plan.problem, plan).verdict == "complete"


def test_only_hanoi_has_such_plans(tmp_path):
    run = coc.run("pancake", 3, model="reference")
    with pytest.raises(UsageError, match="has no plans of pancake"):
        run.plan.write(tmp_path / "plan", "reasoning-gym")
    assert list(tmp_path.iterdir()) == []
