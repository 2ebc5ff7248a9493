import pytest

from coc_core.domain import Operator
from coc_core.execution import ProcedureSummary, Sequential, StepRecord
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move
from tests.support.machines import machine
from tests.support.toy_parts import Scripted


def test_a_long_step_is_shown_on_a_line():
    records = []
    subject = machine("tape", "inline", listeners=[records.append])
    Sequential().run([subject], Scripted(then=subject.convention.target_for))
    for shown in records:
        assert len(repr(shown)) < 250
    record = StepRecord(3, "p" * 100, "t", ("Move", "Move"), -1)
    assert repr(record) == "StepRecord(step=3, prompt='pppppppppppp...ppppppppppppp', target='t', 2 actions)"


def test_a_record_shows_the_memory_as_it_was_after_its_step():
    records, windows = [], []
    subject = machine("tape", listeners=[records.append])
    while subject.pointer >= 0:
        subject.step(subject.convention.target_for(subject.peek()))
        windows.append(tuple(subject.windows))
    assert [record.windows for record in records] == windows
    assert len(set(windows)) > 1
    assert StepRecord(3, "p", "t", (), -1).windows == ()


HANOI = Hanoi()
LEAF = ProcedureSummary.of(HANOI, (Move(1, 1, 2),), ())


def test_a_step_that_writes_nothing():
    assert (LEAF.actions, LEAF.steps, LEAF.depth, LEAF.width, LEAF.body) == (1, 1, 1, 0, (Move(1, 1, 2),))
    assert LEAF.operator == Operator({1: 1}, {1: 2})
    assert repr(LEAF) == "ProcedureSummary(actions=1, steps=1, depth=1, width=0)"


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
