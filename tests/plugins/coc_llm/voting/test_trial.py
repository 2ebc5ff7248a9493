"""A trial says what the machine would say of a step, and leaves no trace."""

from coc_llm.voting.vote import fault_in
from coc_puzzles.hanoi.instructions import Tower
from tests.support.machines import contents, machine


def test_each_action_is_tried_after_those_before_it():
    first, back = "OUTPUT Move disk 1 from 1 to 2", "OUTPUT Move disk 1 from 2 to 1"
    subject = machine(problem=Tower(2))
    assert subject.peek() is not None
    before = contents(subject)
    assert fault_in(subject, f"{first}\n{back}\n{first}") is None
    assert fault_in(subject, f"{first}\n{first}").message == "disk 1 can't be taken from peg 1, which has disk 2 on top"
    assert fault_in(subject, back).message == "disk 1 can't be taken from peg 2, which is empty"
    assert contents(subject) == before
