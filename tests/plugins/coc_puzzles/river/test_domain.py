"""River crossing: which problems can be solved, by exhaustive search; and the plans, played by a simulator."""

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import why_unsolvable
from coc_core.errors import ActionFault
from coc_core.types import Expectation
from coc_problems import policy_steps
from coc_puzzles.river.domain import (
    MOST_PAIRS,
    MOST_PEOPLE,
    PEOPLE,
    Crossing,
    Ferry,
    RiverCrossing,
    Row,
    Trip,
    pairs,
)
from tests.support.for_each import for_each
from tests.support.puzzle_simulators import row_people
from tests.support.river_search import fewest

RIVER = RiverCrossing()
BOATS = range(1, MOST_PEOPLE + 1)
EVERY = [problem for n in RIVER.sizes for problem in RIVER.every_problem(n)]
UNSOLVABLE = [
    problem for n in RIVER.sizes for boat in BOATS if RIVER.unsolvable(problem := Crossing(n, boat)) is not None
]


def plan(problem):
    """The policy's plan, as text, and the number of its steps."""
    steps = [step.emits for _, step in policy_steps(RIVER, problem)]
    return [RIVER.actions.format(action) for emits in steps for action in emits], len(steps)


def test_every_problem_of_every_size_is_solved():
    for problem in EVERY:
        lines, steps = plan(problem)
        assert row_people(problem.pairs, problem.boat, lines) == (set(), "right")
        assert RIVER.expect(problem) == Expectation(actions=len(lines), steps=steps)


def test_a_problem_is_solved_or_unsolvable():
    both = {*EVERY, *UNSOLVABLE}
    assert both == {Crossing(n, boat) for n in RIVER.sizes for boat in BOATS}
    assert len(both) == len(EVERY) + len(UNSOLVABLE)
    wanted = [(n, 2) for n in range(1, 4)] + [(n, 3) for n in range(1, 6)] + [(n, 4) for n in range(1, 21)]
    assert {Crossing(*each) for each in wanted} <= set(EVERY)


def test_no_search_solves_what_is_unsolvable():
    """The search tries every crossing of every number of pairs that the domain has, so this is a proof."""
    assert {problem.boat for problem in UNSOLVABLE} == {1, 2, 3}
    assert all(fewest(problem.pairs, problem.boat) is None for problem in UNSOLVABLE)


@pytest.mark.parametrize("boat", [2, 3, *(pytest.param(boat, marks=pytest.mark.slow) for boat in (4, 6, 8, 10))])
def test_no_plan_is_shorter_for_a_small_or_even_boat(boat):
    for problem in EVERY:
        if problem.boat == boat and problem.pairs <= 30:
            assert RIVER.expect(problem).actions == fewest(problem.pairs, boat)


@for_each(
    ("problem", "reason"),
    [
        (Crossing(1, 1), "the one person who crosses in a boat for one has to bring it back"),
        (Crossing(4, 2), "at most 3 pairs can cross in a boat for 2, not 4"),
        (Crossing(MOST_PAIRS, 3), "at most 5 pairs can cross in a boat for 3, not 50"),
        (Crossing(3, 2), None),
        (Crossing(5, 3), None),
        (Crossing(MOST_PAIRS, 4), None),
    ],
)
def test_what_cannot_be_solved_says_why(problem, reason):
    assert why_unsolvable(RIVER, problem) == reason
    assert (RIVER.expect(problem) is None) == (reason is not None)


def test_the_policy_ferries_pairs():
    assert RIVER.start(Crossing(3, 2)) == Trip(1, 3, 2)
    assert RIVER.start(Crossing(3, 4)) == Ferry(3, 4)
    step = RIVER.expand(Ferry(20, 4))
    assert (step.emits, step.then) == ((Row(pairs(19, 20), "right"), Row(pairs(19, 19), "left")), (Ferry(19, 4),))
    step = RIVER.expand(Ferry(20, 7))
    assert (step.emits, step.then) == ((Row(pairs(18, 20), "right"), Row(pairs(18, 18), "left")), (Ferry(18, 7),))
    assert RIVER.expand(Ferry(2, 4)).emits == (Row(pairs(1, 2), "right"),)
    assert RIVER.expand(Trip(1, 3, 2)).then == (Trip(2, 3, 2),)
    assert RIVER.expand(Trip(11, 3, 2)).then == ()


def test_prompts_are_few_and_short():
    seen = {
        RIVER.instructions.format(instruction) for problem in EVERY for instruction, _ in policy_steps(RIVER, problem)
    }
    assert len(seen) <= 7 * MOST_PAIRS + 46
    assert max(map(len, seen)) <= 30


def test_problems_are_drawn_from_all_that_can_be_solved():
    assert {RIVER.problem(3, seed) for seed in range(200)} == set(RIVER.every_problem(3))
    assert [problem.boat for problem in RIVER.every_problem(3)] == list(range(2, 11))
    assert [problem.boat for problem in RIVER.every_problem(6)] == list(range(4, 11))


PROBLEMS = st.builds(Crossing, st.integers(1, 4), st.integers(1, 4))


@pytest.mark.slow
@given(PROBLEMS, st.lists(st.integers(0, 500), max_size=12), st.data())
def test_the_simulator_agrees_on_every_crossing(problem, choices, data):
    """On a random way, the neighbours and any other crossing are legal to both or to neither."""
    state, lines = RIVER.initial(problem), []
    for choice in choices:
        crew = data.draw(st.frozensets(st.sampled_from(pairs(1, problem.pairs)), min_size=1, max_size=5))
        action = Row(tuple(sorted(crew)), data.draw(st.sampled_from(["left", "right"])))
        nearby = list(RIVER.neighbours(state))
        try:
            after = RIVER.apply(state, action)
        except ActionFault:
            with pytest.raises(AssertionError):
                row_people(problem.pairs, problem.boat, [*lines, RIVER.actions.format(action)])
        else:
            assert after in nearby
            row_people(problem.pairs, problem.boat, [*lines, RIVER.actions.format(action)])
        if not nearby:
            break
        after = nearby[choice % len(nearby)]
        crew = tuple(sorted(state.left ^ after.left))
        lines.append(RIVER.actions.format(Row(crew, after.boat)))
        assert RIVER.apply(state, Row(crew, after.boat)) == after
        assert state in list(RIVER.neighbours(after))
        left, boat = row_people(problem.pairs, problem.boat, lines)
        state = after
        assert (left, boat) == (set(map(str, state.left)), state.boat)


AFTER = RIVER.apply(RIVER.initial(Crossing(2, 2)), RIVER.actions.parse("Row [A1, a1] to the right bank"))


def test_a_state_is_drawn_as_two_banks():
    assert RIVER.render(AFTER, 80) == "left bank  : A2 a2\nright bank : boat A1 a1"


def test_a_scene_has_the_boat_at_its_bank():
    left, right = RIVER.scene(AFTER).columns
    assert (left.label, [item.label for item in left.items]) == ("left bank", ["A2", "a2"])
    assert (right.label, [item.label for item in right.items]) == ("right bank", ["boat", "A1", "a1"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A1, a1", "not a list of persons"),
        ("[, A1]", "'' is not a person; agents are A1, A2"),
        ("[B1]", "'B1' is not a person"),
        ("[A01]", "'01'"),
        ("[A]", "''"),
    ],
)
def test_other_lists_are_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        PEOPLE.parse(text)
