"""Blocks on a table with room for three stacks: a block lies on a block or a stack, and is moved onto a clear one."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts
from coc_planning.models.base import Reading
from coc_planning.models.piles import PilesModel, standing, towers

_ROOM = 3  # stacks


class StacksModel(PilesModel):
    """Any start; a goal that says where each block belongs."""

    domain = "blocks-3"
    thing, place, text = "block", "stack", "Move B{} from {} to {}"

    def __init__(self) -> None:
        super().__init__(self.domain, {"move": ""}, "(= ?block ?to)")

    def ends(self, problem: Any) -> Sequence[Sequence[int]]:
        return problem.goal  # type: ignore[no-any-return]

    def read(self, facts: Facts) -> Reading:
        start, wanted = facts.pairs("on"), facts.wanted
        stacks = [each for each in facts.objects if each not in start]
        if len(stacks) != _ROOM:
            raise UnsupportedError(f"it has room for {len(stacks)} stacks; blocks-3 has room for {_ROOM}")
        blocks = [each for each in facts.objects if each in start]
        goal = towers(wanted.pairs("on"), stacks)
        if sorted(chain(*goal)) != sorted(facts.objects) or not wanted.initial <= standing(goal):
            raise UnsupportedError("blocks-3 needs one place for every block in the goal")
        numbers = {block: f"B{number}" for number, block in enumerate(blocks, 1)}
        texts = (
            ", ".join(f"[{', '.join(numbers[block] for block in blocks)}]" for _, *blocks in piles)
            for piles in (towers(start, stacks), goal)
        )
        return Reading("start=[{}] & goal=[{}]".format(*texts), self.names(blocks, stacks))
