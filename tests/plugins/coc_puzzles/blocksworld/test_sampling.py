"""Problems are drawn uniformly, where the paper says so."""

import random
from collections import Counter
from itertools import permutations
from math import comb, factorial

import pytest

from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from tests.support.chi_squared import chi_squared, critical

DRAWS = 6_000


@pytest.fixture(scope="module")
def one_tower():
    return [OneTower().problem(4, seed) for seed in range(DRAWS)]


@pytest.fixture(scope="module")
def several_towers():
    return [SeveralTowers().problem(5, seed) for seed in range(DRAWS)]


def uniform(found, categories):
    counts = Counter(found)
    assert set(counts) <= set(categories)
    return chi_squared([counts[category] for category in categories]) < critical(len(categories))


def test_start_and_goal_are_uniform_permutations(one_tower):
    orders = list(permutations(range(1, 5)))
    assert uniform([problem.start[0] for problem in one_tower], orders)
    assert uniform([problem.goal for problem in one_tower], orders)


def test_start_and_goal_are_independent(one_tower):
    pairs = [(a, b) for a in range(1, 5) for b in range(1, 5)]
    assert uniform([(problem.start[0][0], problem.goal[0]) for problem in one_tower], pairs)


def test_the_number_of_stacks_is_uniform(several_towers):
    assert uniform([len(problem.start) for problem in several_towers], range(1, 6))


def test_the_cuts_are_uniform_for_each_number_of_stacks(several_towers):
    for stacks in range(2, 5):
        shapes = [tuple(map(len, problem.start)) for problem in several_towers if len(problem.start) == stacks]
        assert len(set(shapes)) == comb(4, stacks - 1)
        assert uniform(shapes, sorted(set(shapes)))


def test_the_statistic_finds_a_biased_coin():
    rng = random.Random(0)
    assert uniform([rng.randint(1, 6) for _ in range(DRAWS)], range(1, 7))
    assert not uniform([max(rng.randint(1, 6), rng.randint(1, 2)) for _ in range(DRAWS)], range(1, 7))


def test_all_starts_are_listed_once():
    for n in range(1, 6):
        single = [problem.start for problem in OneTower().every_problem(n)]
        several = [problem.start for problem in SeveralTowers().every_problem(n)]
        assert len(set(single)) == len(single) == factorial(n)
        assert len(set(several)) == len(several) == factorial(n) * 2 ** (n - 1)
