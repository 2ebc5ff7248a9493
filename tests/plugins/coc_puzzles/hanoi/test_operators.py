"""Moves as operators."""

from hypothesis import given, strategies as st

from coc_core.domain import Operator
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move

HANOI = Hanoi()
PLACES = st.lists(st.integers(1, 3), max_size=8).map(lambda pegs: dict(enumerate(pegs, 1)))


def test_a_move_needs_the_smaller_disks_out_of_the_way():
    assert HANOI.operator(Move(3, 1, 2)) == Operator({3: 1, 1: 3, 2: 3}, {3: 2})


@given(PLACES)
def test_the_variables_are_the_state(places):
    state = HANOI.assign((1,) * len(places), places)
    assert HANOI.variables(state) == places
    assert HANOI.assign(state, {}) == state
