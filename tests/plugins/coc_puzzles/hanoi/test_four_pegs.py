"""Hanoi on four pegs: every size from every peg to every other, and the number of moves."""

from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from coc_core.types import Expectation
from coc_problems import optimum, policy_steps
from coc_puzzles.hanoi.four_pegs import HanoiFour, OnFour, OnThree, largest
from coc_puzzles.hanoi.instructions import MOST_DISKS, Move, Tower
from tests.support.for_each import for_each
from tests.support.plan_runs import same_moves
from tests.support.puzzle_simulators import move_disks

HANOI = HanoiFour()
INSTRUCTIONS, ACTIONS, PEGS = HANOI.instructions, HANOI.actions, HANOI.pegs
SIZES = range(1, MOST_DISKS + 1)


def plan(problem):
    """The policy's plan, as text, and the number of its steps."""
    steps = [step.emits for _, step in policy_steps(HANOI, problem)]
    return [ACTIONS.format(action) for emits in steps for action in emits], len(steps)


@cache
def frame_stewart(n):
    """The least number of moves over all ways to divide the disks into two parts."""
    return min((2 * frame_stewart(kept) + 2 ** (n - kept) - 1 for kept in range(1, n)), default=1) if n > 1 else 1


def test_the_number_of_moves_is_that_of_the_best_division():
    assert [HANOI.expect(Tower(n, 1, 4)).actions for n in SIZES] == list(map(frame_stewart, SIZES))


@pytest.mark.parametrize("n", [*range(1, 6), pytest.param(6, marks=pytest.mark.slow)])
def test_no_plan_is_shorter(n):
    assert HANOI.expect(Tower(n, 1, 4)).actions == optimum(HANOI, Tower(n, 1, 4))


@for_each("n", range(1, 8))
def test_every_way_is_solved(n):
    for problem in HANOI.every_problem(n):
        lines, steps = plan(problem)
        assert HANOI.expect(problem) == Expectation(actions=len(lines), steps=steps)
        piles = move_disks(n, len(PEGS), problem.src, lines)
        assert piles == [list(range(n, 0, -1)) if peg == problem.dst else [] for peg in PEGS]


@pytest.mark.slow
@pytest.mark.parametrize("n", [13, 21, 22, 40, MOST_DISKS])  # 21 is the sixth triangular number
def test_every_size_is_solved(n):
    problem = HANOI.problem(n, seed=n)
    lines, steps = plan(problem)
    assert HANOI.expect(problem) == Expectation(actions=len(lines), steps=steps)
    assert move_disks(n, len(PEGS), problem.src, lines)[problem.dst - 1] == list(range(n, 0, -1))


@for_each("n", [1, 3, 10, 20, 36, 64])
def test_a_run_has_few_distinct_instructions(n):
    seen = {}
    for _ in policy_steps(HANOI, Tower(n, 1, 4), lambda new: seen.setdefault(INSTRUCTIONS.format(new), new) is new):
        pass
    assert len(seen) <= 12 * n
    assert max(map(len, seen)) <= 45


def test_the_policy_is_frame_and_stewarts():
    assert HANOI.start(Tower(10, 1, 4)) == OnFour(10, 1, 4, 2, 3)
    assert HANOI.start(Tower(10, 3, 2)) == OnFour(10, 3, 2, 1, 4)
    assert HANOI.expand(OnFour(1, 1, 4, 2, 3)).emits == (Move(1, 1, 4),)
    assert HANOI.expand(OnFour(10, 1, 4, 2, 3)).then == (
        OnFour(6, 1, 2, 4, 3),
        OnThree(10, 4, 1, 4, 3),
        OnFour(6, 2, 4, 1, 3),
    )
    assert HANOI.expand(OnThree(10, 4, 1, 4, 3)).then == (
        OnThree(9, 3, 1, 3, 4),
        Move(10, 1, 4),
        OnThree(9, 3, 3, 4, 1),
    )
    assert HANOI.expand(OnThree(7, 1, 1, 4, 3)).emits == (Move(7, 1, 4),)
    assert HANOI.expand(Move(10, 1, 4)).emits == (Move(10, 1, 4),)


@given(st.integers(1, 10**9))
def test_the_largest_disks_are_as_many_as_a_triangle_has_rows(n):
    m = largest(n)
    assert m * (m + 1) // 2 <= n < (m + 1) * (m + 2) // 2


@given(
    st.integers(1, 5), st.lists(st.tuples(st.integers(1, 6), st.sampled_from(list(permutations(PEGS, 2)))), max_size=40)
)
def test_the_simulator_agrees_on_every_move(n, moves):
    actions = [Move(disk, src, dst) for disk, (src, dst) in moves]
    state, piles = same_moves(HANOI, Tower(n, 1, 4), actions, lambda lines: move_disks(n, 4, 1, lines))
    assert HANOI.is_goal(Tower(n, 1, 4), state) == (len(piles[3]) == n)
