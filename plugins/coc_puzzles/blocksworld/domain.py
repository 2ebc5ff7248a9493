"""BlocksWorld: put every block on the table, then build the goal. Both of the paper's variants share this policy."""

from typing import Any

from attrs import frozen

from coc_core.text import Codec, Form, Forms, Surface
from coc_core.types import Step
from coc_puzzles.blocksworld.rules import BlocksworldRules, Move, OneTowerRules, Rearrangement, SeveralTowersRules
from coc_puzzles.blocksworld.towers import ONE_TOWER, SEVERAL_TOWERS, Tower, Towers


@frozen
class Unstack:
    """Put the blocks of `start` on the table, beginning with the top of the last tower, then build `goal`."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if not self.start:
            raise ValueError("there is nothing to unstack")


@frozen
class Stack:
    """Continue building `goal`, of which `start` is built."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.start) > 1 or sum(map(len, self.start)) > len(self.goal):
            raise ValueError("more is built than the goal has")


Instruction = Unstack | Stack

_ONE_LINE = Surface("{instruction}", "PUSH {instruction}", join=" ")


class _ByLists(BlocksworldRules[Instruction]):
    """The policy whose instructions list all that is still to do."""

    surfaces = {("stack", "numeric"): _ONE_LINE, ("stack", "symbolic"): _ONE_LINE}

    def start(self, problem: Rearrangement) -> Unstack:
        return Unstack(problem.start, problem.goal)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        goal = instruction.goal
        if isinstance(instruction, Unstack):
            *towers, (*tower, block) = instruction.start
            left = (*towers, tuple(tower)) if tower else tuple(towers)
            return Step((Move(block),), then=(Unstack(left, goal) if left else Stack((), goal),))
        built = sum(instruction.start, ())
        if len(built) == len(goal):
            return Step(last=Stack((built,), goal))
        block = goal[len(built)]
        successor = Stack(((*built, block),), goal)
        if len(built) + 1 == len(goal):
            return Step((Move(block),), last=successor)
        return Step((Move(block),), then=(successor,))


def _forms(start: Codec[Towers]) -> Forms[Instruction]:
    def form(record: type[Any], phase: str) -> Form[Any]:
        return Form.of(record, f"CALL type={phase} start={{start}} & goal={{goal}}", start=start)

    return Forms(form(Unstack, "unstacking"), form(Stack, "stacking"))


class OneTower(_ByLists, OneTowerRules[Instruction]):
    """The paper's BlocksWorld: all blocks start in one tower."""

    instructions = _forms(ONE_TOWER)


class SeveralTowers(_ByLists, SeveralTowersRules[Instruction]):
    """The paper's Extended BlocksWorld: the number of towers is uniform from 1 to n."""

    instructions = _forms(SEVERAL_TOWERS)
