"""Problems are drawn uniformly, where the paper says so."""

from collections import Counter
from itertools import permutations, product
from math import comb, factorial

from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from tests.support.chi_squared import chi_squared, critical

DRAWS = 6_000


def uniform(found, categories):
    counts = Counter(found)
    assert set(counts) <= set(categories)
    return chi_squared([counts[category] for category in categories]) < critical(len(categories))


def test_start_and_goal_are_uniform_permutations_and_independent():
    drawn = [OneTower().problem(4, seed) for seed in range(DRAWS)]
    orders = list(permutations(range(1, 5)))
    assert uniform([problem.start[0] for problem in drawn], orders)
    assert uniform([problem.goal for problem in drawn], orders)
    firsts = [(problem.start[0][0], problem.goal[0]) for problem in drawn]
    assert uniform(firsts, list(product(range(1, 5), repeat=2)))
    assert not uniform([min(first, 3) for first, _ in firsts], range(1, 5))  # the statistic finds a bias


def test_the_number_of_stacks_is_uniform_and_so_are_the_cuts_for_each():
    drawn = [SeveralTowers().problem(5, seed) for seed in range(DRAWS)]
    assert uniform([len(problem.start) for problem in drawn], range(1, 6))
    for stacks in range(2, 5):
        shapes = [tuple(map(len, problem.start)) for problem in drawn if len(problem.start) == stacks]
        assert len(set(shapes)) == comb(4, stacks - 1)
        assert uniform(shapes, sorted(set(shapes)))


def test_all_starts_are_listed_once():
    for n in range(1, 6):
        single = [problem.start for problem in OneTower().every_problem(n)]
        several = [problem.start for problem in SeveralTowers().every_problem(n)]
        assert len(set(single)) == len(single) == factorial(n)
        assert len(set(several)) == len(several) == factorial(n) * 2 ** (n - 1)
