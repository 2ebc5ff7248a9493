"""Every problem is solved, in every setting, and a simulator that knows nothing of coc agrees."""

import pytest

from coc_problems import enumerate_all, sample_problems
from tests.support.plan_runs import SETTINGS, setting_of, solve
from tests.support.puzzle_simulators import turn_pancakes

INSTANCES = 3  # of each size; `coc eval --n 5-40 --instances 50` runs as many as the paper


def check(problem, outcome, actions, physical):
    n = len(problem.goal)
    assert outcome.status == "solved"
    assert len(actions) <= 2 * (n - 1)
    assert len(physical) <= len(actions)
    assert turn_pancakes(problem.start, physical) == sorted(problem.start)


@pytest.mark.slow
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_all_sizes_of_the_paper_are_solved(memory, arith):
    setting = setting_of("pancake", memory, arith)
    for n in range(5, 41):
        for solved in solve(setting, (drawn.problem for drawn in sample_problems(setting.domain, n, INSTANCES))):
            check(*solved)


def test_every_start_is_solved():
    setting = setting_of("pancake")
    found = list(solve(setting, (drawn.problem for drawn in enumerate_all(setting.domain, 5))))
    assert len(found) == 120
    for solved in found:
        check(*solved)


def test_the_second_simulator_refuses_what_the_rules_forbid():
    for line in ("flip 1", "flip 0", "flip 4", "turn 2"):
        with pytest.raises(AssertionError):
            turn_pancakes([1, 2, 3], [line])
