import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ActionFault
from coc_puzzles.river.domain import RiverCrossing
from coc_puzzles.river.people import PEOPLE, pairs
from coc_puzzles.river.records import ACTIONS, Crossing, Row
from tests.support.puzzle_simulators import row_people

RIVER = RiverCrossing()
initial, neighbours, row = RIVER.initial, RIVER.neighbours, RIVER.apply

PROBLEMS = st.builds(Crossing, st.integers(1, 4), st.integers(1, 4))


def crossing(people, bank="right"):
    return Row(PEOPLE.parse(f"[{people}]"), bank)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (crossing("A1", "left"), "the boat is at the left bank already"),
        (crossing("a1, a2, a3"), "the boat takes 2, not 3"),
        (crossing("a1, a4"), "a4 is not on the left bank"),
        (crossing("A1, a2"), "a2 is with A1, but without A2 in the boat"),
        (crossing("A1"), "a1 is with A2, but without A1 on the left bank"),
    ],
)
def test_illegal_crossings_say_why(action, reason):
    with pytest.raises(ActionFault, match=reason):
        row(initial(Crossing(3, 2)), action)


def test_the_other_bank_obeys_the_rule_too():
    state = row(row(initial(Crossing(2, 2)), crossing("a1, a2")), crossing("a1", "left"))
    with pytest.raises(ActionFault, match="a2 is with A1, but without A2 on the right bank"):
        row(state, crossing("A1, a1"))


def test_a_crossing_makes_a_new_state():
    before = initial(Crossing(2, 2))
    after = row(before, crossing("A1, a1"))
    assert (before.boat, before.left) == ("left", frozenset(pairs(1, 2)))
    assert (after.boat, after.left, after.on("right")) == ("right", frozenset(pairs(2, 2)), frozenset(pairs(1, 1)))


@pytest.mark.slow
@given(PROBLEMS, st.lists(st.integers(0, 500), max_size=12), st.data())
def test_the_simulator_agrees_on_every_crossing(problem, choices, data):
    """On a random way, the neighbours and any other crossing are legal to both or to neither."""
    state, lines = initial(problem), []
    for choice in choices:
        crew = data.draw(st.frozensets(st.sampled_from(pairs(1, problem.pairs)), min_size=1, max_size=5))
        action = Row(tuple(sorted(crew)), data.draw(st.sampled_from(["left", "right"])))
        nearby = list(neighbours(state))
        try:
            after = row(state, action)
        except ActionFault:
            with pytest.raises(AssertionError):
                row_people(problem.pairs, problem.boat, [*lines, ACTIONS.format(action)])
        else:
            assert after in nearby
            row_people(problem.pairs, problem.boat, [*lines, ACTIONS.format(action)])
        if not nearby:
            break
        after = nearby[choice % len(nearby)]
        crew = tuple(sorted(state.left ^ after.left))
        lines.append(ACTIONS.format(Row(crew, after.boat)))
        assert row(state, Row(crew, after.boat)) == after
        assert state in list(neighbours(after))
        left, boat = row_people(problem.pairs, problem.boat, lines)
        state = after
        assert (left, boat) == (set(map(str, state.left)), state.boat)
