from coc_core.types import Expectation
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Call, Move, Tower

HANOI = Hanoi()


def test_the_policy_is_the_papers():
    assert HANOI.start(Tower(3)) == Call(3, 1, 3, 2)
    assert HANOI.start(Tower(3, 2, 1)) == Call(3, 2, 1, 3)
    assert HANOI.expand(Call(1, 1, 3, 2)).emits == (Move(1, 1, 3),)
    assert HANOI.expand(Move(2, 1, 3)).emits == (Move(2, 1, 3),)
    step = HANOI.expand(Call(3, 1, 3, 2))
    assert (step.emits, step.then) == ((), (Call(2, 1, 2, 3), Move(3, 1, 3), Call(2, 2, 3, 1)))


def test_the_length_of_a_run_is_known():
    assert HANOI.expect(Tower(1)) == Expectation(actions=1, steps=1)
    assert HANOI.expect(Tower(15)) == Expectation(actions=2**15 - 1, steps=49_150)
    assert HANOI.expect(Tower(20)) == Expectation(actions=1_048_575, steps=1_572_862)
