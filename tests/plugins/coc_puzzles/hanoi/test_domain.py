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


def test_there_is_one_problem_of_each_size():
    assert list(HANOI.every_problem(4)) == [HANOI.problem(4)] == [HANOI.problem(4, seed=9)]
    assert HANOI.size(HANOI.problem(64)) == 64


def test_an_action_says_what_it_does():
    assert HANOI.effect(HANOI.initial(Tower(1)), Move(1, 1, 3)) == "Move disk 1 from 1 to 3"


def test_a_state_is_drawn():
    assert "1" in HANOI.render(HANOI.initial(Tower(1)), 40)
    assert len(list(HANOI.neighbours(HANOI.initial(Tower(2))))) == 2
