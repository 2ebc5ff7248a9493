"""BlocksWorld: put every block on the table, then build the goal. Both of the paper's variants share this policy."""

from typing import Any

from coc_blocksworld.records import Move, Rearrangement, Stack, Unstack
from coc_blocksworld.rules import BlocksworldRules, OneTowerRules, SeveralTowersRules
from coc_blocksworld.towers import ONE_TOWER, SEVERAL_TOWERS, TOWER, Tower, Towers
from coc_core.text import Codec, Form, Forms, Surface
from coc_core.types import Step

Instruction = Unstack | Stack

_ONE_LINE = Surface("{instruction}", "PUSH {instruction}", join=" ")


class _ByLists(BlocksworldRules[Instruction]):
    """The policy whose instructions list all that is still to do."""

    surfaces = {("stack", "numeric"): _ONE_LINE, ("stack", "symbolic"): _ONE_LINE}

    def start(self, problem: Rearrangement) -> Unstack:
        return Unstack(problem.start, problem.goal)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        if isinstance(instruction, Unstack):
            return self._unstack(instruction.start, instruction.goal)
        return self._stack(sum(instruction.start, ()), instruction.goal)

    def _unstack(self, start: Towers, goal: Tower) -> Step[Instruction, Move]:
        *towers, (*tower, block) = start
        left = (*towers, tuple(tower)) if tower else tuple(towers)
        return Step((Move(block),), then=(Unstack(left, goal) if left else Stack((), goal),))

    def _stack(self, built: Tower, goal: Tower) -> Step[Instruction, Move]:
        if len(built) == len(goal):
            return Step(last=Stack((built,), goal))
        block = goal[len(built)]
        successor = Stack(((*built, block),), goal)
        if len(built) + 1 == len(goal):
            return Step((Move(block),), last=successor)
        return Step((Move(block),), then=(successor,))


def _forms(start: Codec[Towers]) -> Forms[Instruction]:
    def form(record: type[Any], phase: str) -> Form[Any]:
        return Form.of(record, f"CALL type={phase} start={{start}} & goal={{goal}}", start=start, goal=TOWER)

    return Forms(form(Unstack, "unstacking"), form(Stack, "stacking"))


class OneTower(_ByLists, OneTowerRules[Instruction]):
    """The paper's BlocksWorld: all blocks start in one tower."""

    instructions = _forms(ONE_TOWER)


class SeveralTowers(_ByLists, SeveralTowersRules[Instruction]):
    """The paper's Extended BlocksWorld: the number of towers is uniform from 1 to n."""

    instructions = _forms(SEVERAL_TOWERS)
