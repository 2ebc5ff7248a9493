"""Three stacks: every start and goal of a few blocks, and drawn ones of many."""

from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from coc_problems import levels, policy_steps
from coc_puzzles.blocksworld.three_stacks import MOST_BLOCKS, Arrange, Done, Move, Rearrangement, ThreeStacks
from tests.support.plan_runs import same_moves
from tests.support.puzzle_simulators import move_blocks

DOMAIN = ThreeStacks()


def plan(problem):
    """The policy's plan, as text."""
    emitted = (action for _, step in policy_steps(DOMAIN, problem) for action in step.emits)
    return [DOMAIN.actions.format(action) for action in emitted if action != Done()]


def ratios(goals):
    """The lengths of the policy's plans over the least, from every start to these goals; each plan is played."""
    for goal in goals:
        for fewest, starts in enumerate(levels(DOMAIN, goal)):  # every move can be undone
            for start in starts:
                lines = plan(Rearrangement(start, goal))
                assert move_blocks(start, lines) == list(map(list, goal))
                assert len(lines) >= fewest
                yield len(lines) / fewest if fewest else 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "starts", "mean", "worst"), [(1, 3, 1, 1), (2, 12, 1.01, 4 / 3), (3, 60, 1.04, 1.75), (4, 360, 1.09, 2.2)]
)
def test_every_goal_is_reached_from_every_start(n, starts, mean, worst):
    goals = {problem.goal for problem in DOMAIN.every_problem(n)}
    found = list(ratios(goals))
    assert len(found) == starts * len(goals)
    assert sum(found) / len(found) <= mean
    assert max(found) <= worst


@pytest.mark.slow
@given(st.integers(1, MOST_BLOCKS), st.integers(0, 10**6))
def test_many_blocks_are_arranged(n, seed):
    problem = DOMAIN.problem(n, seed)
    lines = plan(problem)
    assert move_blocks(problem.start, lines) == list(map(list, problem.goal))
    assert len(lines) <= n * (n + 5) / 2


@given(st.integers(0, 10**6), st.lists(st.tuples(st.integers(1, 5), st.sampled_from(list(permutations((1, 2, 3), 2))))))
def test_the_simulator_agrees_on_every_move(seed, moves):
    problem = DOMAIN.problem(4, seed)
    actions = [Move(block, src, dst) for block, (src, dst) in moves]
    state, stacks = same_moves(DOMAIN, problem, actions, lambda lines: move_blocks(problem.start, lines))
    assert stacks == list(map(list, state))


def test_what_is_in_place_is_left_out():
    problem = Rearrangement(((1, 2, 3), (4,), (5,)), ((1, 3, 2), (5,), (4,)))
    assert DOMAIN.start(problem) == Arrange(((2, 3), (4,), (5,)), ((3, 2), (5,), (4,)))


@pytest.mark.parametrize(
    ("stacks", "goal", "move"),
    [
        (((1,), (), ()), ((), (), (1,)), Move(1, 1, 3)),  # it goes where it belongs
        (((2, 1), (), ()), ((1, 2), (), ()), Move(1, 1, 2)),  # the first stack is cleared
        (((2,), (1,), ()), ((1, 2), (), ()), Move(2, 1, 3)),  # but not onto the block that is needed
        (((), (1, 2), ()), ((1, 2), (), ()), Move(2, 2, 3)),  # which is uncovered
    ],
)
def test_the_policy_moves_one_block(stacks, goal, move):
    step = DOMAIN.expand(Arrange(stacks, goal))
    assert step.emits == (move,)
    assert len(step.then) == (len([*stacks[0], *stacks[1]]) > 1)


def test_a_problem_that_starts_at_its_goal_has_an_empty_plan():
    problem = Rearrangement(((1,), (2,), ()), ((1,), (2,), ()))
    assert DOMAIN.expand(DOMAIN.start(problem)).emits == (Done(),)
    assert plan(problem) == []


def test_every_problem_is_listed():
    assert [len(list(DOMAIN.every_problem(n))) for n in (1, 2, 3)] == [3 * 3, 12 * 6, 60 * 10]
    assert {problem.goal for problem in DOMAIN.every_problem(1)} == {((1,), (), ()), ((), (1,), ()), ((), (), (1,))}
    drawn = {(problem.start, problem.goal) for problem in (DOMAIN.problem(2, seed) for seed in range(2_000))}
    assert len(drawn) == 12 * 12


def test_a_state_is_drawn():
    state = ((1, 2), (), (3,))
    assert DOMAIN.render(state, 80).splitlines() == ["[B2]", "[B1]        [B3]", "────  ────  ────", " 1     2     3"]
    assert DOMAIN.render(state, 5).splitlines() == ["1 B1 B2", "2", "3 B3"]
    columns = [(column.label, [item.name for item in column.items]) for column in DOMAIN.scene(state).columns]
    assert columns == [("1", ["B1", "B2"]), ("2", []), ("3", ["B3"])]
