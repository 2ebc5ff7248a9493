"""The summary of a step, from those of what follows."""

import pytest

from coc_core.domain import Operator
from coc_core.execution import ProcedureSummary
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Move

HANOI = Hanoi()
LEAF = ProcedureSummary.of(HANOI, (Move(1, 1, 2),), ())


def test_a_step_that_writes_nothing():
    assert (LEAF.actions, LEAF.steps, LEAF.depth, LEAF.width, LEAF.body) == (1, 1, 1, 0, (Move(1, 1, 2),))
    assert LEAF.operator == Operator({1: 1}, {1: 2})


def test_what_follows_is_counted_with_it():
    back = ProcedureSummary.of(HANOI, (Move(1, 2, 1),), ())
    both = ProcedureSummary.of(HANOI, (), (LEAF, back))
    assert (both.actions, both.steps, both.depth, both.width) == (2, 3, 2, 2)
    deeper = ProcedureSummary.of(HANOI, (Move(2, 3, 2),), (both, LEAF, back))
    assert (deeper.actions, deeper.steps, deeper.depth, deeper.width) == (5, 6, 4, 3)
    assert deeper.operator is None or deeper.operator.sets == {2: 2, 1: 1}


def test_what_is_legal_in_no_state_has_none():
    assert ProcedureSummary.of(HANOI, (Move(1, 1, 2), Move(1, 1, 2)), ()) is None
    assert ProcedureSummary.of(HANOI, (), (LEAF, LEAF)) is None


@pytest.mark.parametrize("actions", [(None,), (Move(1, 1, 2), None)])
def test_nor_has_an_action_without_an_operator(actions):
    class Partly(Hanoi):
        def operator(self, action):
            return action and super().operator(action)

    assert ProcedureSummary.of(Partly(), actions, ()) is None


def test_it_fits_on_a_line():
    assert repr(LEAF) == "ProcedureSummary(actions=1, steps=1, depth=1, width=0)"
