import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ActionFault
from coc_puzzles.river.domain import RiverCrossing
from coc_puzzles.river.people import pairs
from coc_puzzles.river.records import ACTIONS, Crossing, Row
from tests.support.puzzle_simulators import row_people

RIVER = RiverCrossing()
initial, neighbours, row = RIVER.initial, RIVER.neighbours, RIVER.apply

PROBLEMS = st.builds(Crossing, st.integers(1, 4), st.integers(1, 4))


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
