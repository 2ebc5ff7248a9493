"""Every problem is solved, in every setting, and a simulator that knows nothing of coc agrees."""

import pytest

from coc_problems import enumerate_all, sample_problems
from tests.support.plan_runs import SETTINGS, setting_of, solve
from tests.support.puzzle_simulators import arrange_blocks, turn_pancakes

DOMAINS = ["blocksworld", "blocksworld-extended", "pancake"]
INSTANCES = 3  # of each size; `coc eval --n 5-40 --instances 50` runs as many as the paper


def names(tower):
    return [f"b{block}" for block in tower]


def check(domain, problem, outcome, actions, physical):
    n = len(problem.goal)
    assert outcome.status == "solved"
    if domain == "pancake":
        assert len(physical) <= len(actions) <= 2 * (n - 1)
        assert turn_pancakes(problem.start, physical) == sorted(problem.start)
    else:
        assert (len(actions), len(physical) <= 2 * (n - 1)) == (2 * n, True)
        assert arrange_blocks(map(names, problem.start), physical) == [names(problem.goal)]


@pytest.mark.slow
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_all_sizes_of_the_paper_are_solved(domain, memory, arith):
    setting = setting_of(domain, memory, arith)
    for n in range(5, 41):
        for solved in solve(setting, (drawn.problem for drawn in sample_problems(setting.domain, n, INSTANCES))):
            check(domain, *solved)


@pytest.mark.slow
@pytest.mark.parametrize("n", [41, 100])
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_shipped_model_solves_more_blocks_than_it_was_trained_on(memory, arith, n):
    setting = setting_of("blocksworld", memory, arith)
    for solved in solve(setting, (drawn.problem for drawn in sample_problems(setting.domain, n, 1)), model=None):
        check("blocksworld", *solved)


@pytest.mark.parametrize(("domain", "n", "count"), [*zip(DOMAINS, (5, 4, 5), (120, 192, 120), strict=True)])
def test_every_start_is_solved(domain, n, count):
    setting = setting_of(domain)
    found = list(solve(setting, (drawn.problem for drawn in enumerate_all(setting.domain, n))))
    assert len(found) == count
    for solved in found:
        check(domain, *solved)
