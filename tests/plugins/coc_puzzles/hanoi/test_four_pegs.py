"""Hanoi on four pegs: every size from every peg to every other, and the number of moves."""

from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

import coc_core
from coc_core.domain import Operator, parse_problem
from coc_core.errors import ActionFault, UsageError
from coc_core.types import Expectation
from coc_problems import policy_steps
from coc_puzzles.hanoi.four_pegs import HanoiFour, OnFour, OnThree, largest
from coc_puzzles.hanoi.instructions import MOST_DISKS, Move, Tower
from tests.support.for_each import for_each
from tests.support.plan_runs import SETTINGS, setting_of, solve
from tests.support.puzzle_simulators import move_disks

HANOI = HanoiFour()
PROBLEMS, INSTRUCTIONS, ACTIONS, PEGS = HANOI.problems, HANOI.instructions, HANOI.actions, HANOI.pegs
SIZES = range(1, MOST_DISKS + 1)


def plan(problem):
    """The policy's plan, as text, and the number of its steps."""
    steps = [step.emits for _, step in policy_steps(HANOI, problem)]
    return [ACTIONS.format(action) for emits in steps for action in emits], len(steps)


@cache
def frame_stewart(n):
    """The least number of moves over all ways to divide the disks into two parts."""
    return min((2 * frame_stewart(kept) + 2 ** (n - kept) - 1 for kept in range(1, n)), default=1) if n > 1 else 1


def fewest(n):
    """The number of moves of a shortest plan, by a search from the rules alone. A state is the peg of each disk."""
    start, goal, moves = (0,) * n, (3,) * n, 0
    level, seen = {start}, set()
    while goal not in level:
        seen |= level
        level = {
            (*pegs[:disk], target, *pegs[disk + 1 :])
            for pegs in level
            for disk in range(n)
            for target in range(4)
            if not {pegs[disk], target} & set(pegs[:disk]) and target != pegs[disk]
        } - seen
        moves += 1
    return moves


@for_each(("n", "moves"), [(1, 1), (2, 3), (3, 5), (4, 9), (5, 13), (6, 17), (7, 25), (8, 33), (10, 49), (64, 18_433)])
def test_the_number_of_moves_is_known(n, moves):
    assert HANOI.expect(Tower(n, 1, 4)).actions == moves


def test_the_number_of_moves_is_that_of_the_best_division():
    assert [HANOI.expect(Tower(n, 1, 4)).actions for n in SIZES] == list(map(frame_stewart, SIZES))


@pytest.mark.parametrize("n", [*range(1, 6), pytest.param(6, marks=pytest.mark.slow)])
def test_no_plan_is_shorter(n):
    assert HANOI.expect(Tower(n, 1, 4)).actions == fewest(n)


@for_each("n", range(1, 13))
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


@pytest.mark.slow
@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_every_setting_solves_it(memory, arith):
    setting = setting_of("hanoi-4", memory, arith)
    problems = [HANOI.problem(n, seed=1) for n in (1, 2, 3, 5, 8, 13, 21)]
    for problem, outcome, actions, physical in solve(setting, problems):
        assert (outcome.status, outcome.actions) == ("solved", HANOI.expect(problem).actions)
        assert physical == list(map(ACTIONS.format, actions)) == plan(problem)[0]


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


def test_there_is_a_problem_for_each_two_pegs():
    problems = list(HANOI.every_problem(5))
    assert [(problem.src, problem.dst) for problem in problems] == list(permutations(PEGS, 2))
    assert {HANOI.problem(5, seed) for seed in range(200)} == set(problems)


@given(
    st.integers(1, 5), st.lists(st.tuples(st.integers(1, 6), st.sampled_from(list(permutations(PEGS, 2)))), max_size=40)
)
def test_the_simulator_agrees_on_every_move(n, moves):
    state, legal = HANOI.initial(Tower(n, 1, 4)), []
    for disk, (src, dst) in moves:
        action = Move(disk, src, dst)
        try:
            after = HANOI.apply(state, action)
        except ActionFault:
            with pytest.raises(AssertionError):
                move_disks(n, 4, 1, [*legal, ACTIONS.format(action)])
        else:
            assert after in list(HANOI.neighbours(state))
            state = after
            legal.append(ACTIONS.format(action))
    piles = move_disks(n, 4, 1, legal)
    assert HANOI.is_goal(Tower(n, 1, 4), state) == (len(piles[3]) == n)


def test_a_state_has_four_pegs_in_its_pictures():
    state = HANOI.apply(HANOI.initial(Tower(3, 1, 4)), Move(1, 1, 4))
    assert HANOI.render(state, 80).splitlines() == [
        " │    │    │    │",
        "▐█▌   │    │    │",
        "███   │    │    █",
        "───  ───  ───  ───",
        " 1    2    3    4",
    ]
    assert [[item.name for item in column.items] for column in HANOI.scene(state).columns] == [
        ["3", "2"],
        [],
        [],
        ["1"],
    ]
    assert max(map(len, HANOI.render(HANOI.initial(Tower(64, 1, 4)), 40).splitlines())) <= 40


@pytest.mark.parametrize(
    ("forms", "record", "text"),
    [
        (INSTRUCTIONS, OnFour(10, 1, 4, 2, 3), "CALL pegs=4 n=10 src=1 dst=4 aux=2 spare=3"),
        (INSTRUCTIONS, OnThree(10, 4, 1, 4, 3), "CALL pegs=3 n=10 count=4 src=1 dst=4 aux=3"),
        (INSTRUCTIONS, Move(3, 1, 4), "MOVE d=3 src=1 dst=4"),
        (ACTIONS, Move(3, 1, 4), "Move disk 3 from 1 to 4"),
        (PROBLEMS, Tower(3, 4, 1), "n=3 src=4 dst=1"),
    ],
)
def test_the_texts(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


@for_each(
    "text",
    [
        "CALL pegs=4 n=0 src=1 dst=4 aux=2 spare=3",
        "CALL pegs=4 n=65 src=1 dst=4 aux=2 spare=3",
        "CALL pegs=4 n=3 src=1 dst=4 aux=2 spare=2",
        "CALL pegs=4 n=3 src=1 dst=4 aux=2 spare=5",
        "CALL pegs=3 n=3 count=4 src=1 dst=4 aux=2",
        "CALL pegs=3 n=3 count=0 src=1 dst=4 aux=2",
        "CALL pegs=3 n=3 count=1 src=1 dst=4 aux=4",
        "CALL pegs=5 n=3 count=1 src=1 dst=4 aux=2",
        "CALL n=3 src=1 dst=3 aux=2",
        "MOVE d=1 src=2 dst=2",
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 — each has a message of its own
        INSTRUCTIONS.parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("n=3 src=1 dst=5", "5 is not one of the pegs 1, 2, 3, 4"),
        ("n=3 src=2 dst=2", "the pegs must differ, not be 2, 2"),
        ("n=65 src=1 dst=2", "'n' must be <= 64"),
    ],
)
def test_problems_are_typed_as_those_of_three_pegs_are(text, complaint):
    assert parse_problem(HANOI, "n=3 src=2 dst=4") == Tower(3, 2, 4)
    assert parse_problem(HANOI, '{"n": 3, "src": 2, "dst": 4}') == Tower(3, 2, 4)
    with pytest.raises(UsageError, match=complaint):
        parse_problem(HANOI, text)


def test_a_move_needs_the_smaller_disks_elsewhere():
    needed = {(2, 1): True, (1, 1): False, (1, 4): False}
    assert HANOI.operator(Move(2, 1, 4)) == Operator(needed, {(2, 1): False, (2, 4): True})


def test_the_variables_are_the_state():
    state = HANOI.initial(Tower(2, 1, 4))
    places = HANOI.variables(state)
    assert {place for place, there in places.items() if there} == {(1, 1), (2, 1)}
    assert len(places) == 8
    assert HANOI.assign(state, {}) == state
    assert HANOI.assign(state, {(1, 1): False, (1, 3): True}) == (3, 1)


def test_a_run_is_composed():
    run = coc_core.run("hanoi-4", n=64, model="reference")
    assert (run.outcome.status, run.outcome.actions) == ("solved", 18_433)
