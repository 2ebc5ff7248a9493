"""Moves as operators."""

from hypothesis import given, strategies as st

from coc_core.domain import Operator
from coc_hanoi import operators
from coc_hanoi.instructions import Move, Tower
from coc_hanoi.state import initial

PLACES = st.lists(st.integers(1, 3), max_size=8).map(lambda pegs: dict(enumerate(pegs, 1)))


def test_a_move_needs_the_smaller_disks_out_of_the_way():
    assert operators.operator(Move(3, 1, 2)) == Operator({3: 1, 1: 3, 2: 3}, {3: 2})


@given(PLACES)
def test_the_variables_are_the_state(places):
    n = len(places)
    state = operators.assign(initial(Tower(n)), places) if n else (None, None, None)
    assert operators.variables(state) == places
    assert operators.assign(state, {}) == state
