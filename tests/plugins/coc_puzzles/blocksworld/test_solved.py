"""Every problem is solved, in every setting, and a simulator that knows nothing of coc agrees."""

import pytest

from coc_problems import enumerate_all, sample_problems
from tests.support.plan_runs import SETTINGS, setting_of, solve
from tests.support.puzzle_simulators import arrange_blocks

DOMAINS = ["blocksworld", "blocksworld-extended"]
INSTANCES = 3  # of each size; `coc eval --n 5-40 --instances 50` runs as many as the paper


def names(tower):
    return [f"b{block}" for block in tower]


def check(problem, outcome, actions, physical):
    n = len(problem.goal)
    assert outcome.status == "solved"
    assert len(actions) == 2 * n
    assert len(physical) <= 2 * (n - 1)
    assert arrange_blocks(map(names, problem.start), physical) == [names(problem.goal)]


@pytest.mark.slow
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_all_sizes_of_the_paper_are_solved(domain, memory, arith):
    setting = setting_of(domain, memory, arith)
    for n in range(5, 41):
        for solved in solve(setting, (drawn.problem for drawn in sample_problems(setting.domain, n, INSTANCES))):
            check(*solved)


@pytest.mark.slow
@pytest.mark.parametrize("n", [41, 100])
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_shipped_model_solves_more_blocks_than_it_was_trained_on(memory, arith, n):
    setting = setting_of("blocksworld", memory, arith)
    for solved in solve(setting, (drawn.problem for drawn in sample_problems(setting.domain, n, 1)), model=None):
        check(*solved)


@pytest.mark.parametrize(("domain", "n", "count"), [("blocksworld", 5, 120), ("blocksworld-extended", 4, 192)])
def test_every_start_is_solved(domain, n, count):
    setting = setting_of(domain)
    found = list(solve(setting, (drawn.problem for drawn in enumerate_all(setting.domain, n))))
    assert len(found) == count
    for solved in found:
        check(*solved)


def test_the_second_simulator_refuses_what_the_rules_forbid():
    for line in ("b1 from table to b3", "b2 from b1 to b2", "b2 from table to b3", "b2 from b1 to b1"):
        with pytest.raises((AssertionError, ValueError)):
            arrange_blocks([["b1", "b2"], ["b3"]], [line])
