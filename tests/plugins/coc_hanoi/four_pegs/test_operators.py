"""Moves on four pegs as HANOI."""

import coc_core
from coc_core.domain import Operator
from coc_hanoi.four_pegs.domain import HanoiFour
from coc_hanoi.four_pegs.instructions import Move, Tower

HANOI = HanoiFour()


def test_a_move_needs_the_smaller_disks_elsewhere():
    needed = {(2, 1): True, (1, 1): False, (1, 4): False}
    assert HANOI.operator(Move(2, 1, 4)) == Operator(needed, {(2, 1): False, (2, 4): True})


def test_the_variables_are_the_state():
    state = HANOI.initial(Tower(2))
    places = HANOI.variables(state)
    assert {place for place, there in places.items() if there} == {(1, 1), (2, 1)}
    assert len(places) == 8
    assert HANOI.assign(state, {}) == state
    assert HANOI.assign(state, {(1, 1): False, (1, 3): True}) == (3, 1)


def test_a_run_is_composed():
    run = coc_core.run("hanoi-4", n=64, model="reference")
    assert (run.outcome.status, run.outcome.actions) == ("solved", 18_433)
