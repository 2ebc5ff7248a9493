"""Which problems are drawn, and which are listed."""

from collections import Counter

import pytest

from tests.support.block_problems import DOMAIN
from tests.support.block_states import atoms, every_state


def state_of(problem):
    return frozenset(problem.start), problem.hand


def test_drawn_problems_are_of_all_kinds_and_can_be_solved():
    kinds = Counter()
    for seed in range(2_000):
        problem = DOMAIN.problem(1 + seed % 12, seed)
        assert DOMAIN.unsolvable(problem) is None
        state = state_of(problem)
        kinds["one tower"] += len(problem.start) == 1
        kinds["flat"] += all(len(tower) == 1 for tower in problem.start)
        kinds["several"] += 1 < len(problem.start) < len(problem.names)
        kinds["held"] += len(problem.hand)
        kinds["to be held"] += any(atom[0] == "holding" for atom in problem.goal)
        kinds["partial"] += len(problem.goal) <= len(problem.names)
        kinds["true already"] += set(problem.goal) <= atoms(state)
    assert min(kinds.values()) > 100, kinds


@pytest.mark.parametrize(("n", "shapes"), [(1, 2), (2, 3), (3, 5), (4, 8)])
def test_all_pairs_of_arrangements_are_listed_once(n, shapes):
    found = [(state_of(problem), problem.goal) for problem in DOMAIN.every_problem(n)]
    starts = set(every_state([f"B{number}" for number in range(1, n + 1)]))
    assert len(set(found)) == len(found) == shapes * len(starts)
    assert {start for start, _ in found} == starts
    assert all(sum(set(goal) == atoms(state) for state in starts) == 1 for goal in {goal for _, goal in found})
