"""Both of the paper's variants, solved by a program that stores a record for each block.

Its actions are those of `domain`. The towers of the start and the goal are linked lists. A step reads
one record, moves its block, and writes no record: a tower is taken apart from its top, so what a record says of the
start is still true when its block is moved. All problems together have 12 prompts, and 8 of them are those of problems
that start with one tower.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from coc_programs import Call, Program, Record, Steps, chain, every, procedure, read
from coc_puzzles.blocksworld.domain import (
    Blocks,
    BlocksworldRules,
    Move,
    OneTowerRules,
    Rearrangement,
    SeveralTowersRules,
)


class Block(Record):
    """A block: what it is on in the start, and what belongs on it.

    Attributes:
        below: The block that it is on in the start, None for the table.
        next_tower: If it is the lowest of a tower of the start, the top of the tower to take apart next.
        goal_above: The block that belongs on it.
    """

    below: "Block | None" = None
    next_tower: "Block | None" = None
    goal_above: "Block | None" = None


@procedure
def rearrange(top: Block | None, goal: Block) -> Steps[None]:
    """Put all blocks on the table, beginning with one, then build the goal, of which one is the lowest."""
    while top:
        block = yield read(top)
        yield Move(top.number)
        top = block.below or block.next_tower
    for block in chain(goal, "goal_above"):
        yield Move(block.number)


class _ByRecords(Program[Rearrangement, Move, Blocks], BlocksworldRules[Any]):
    main = rearrange
    edition = 2

    def begin(self, problem: Rearrangement) -> tuple[Call, Sequence[Block]]:
        """Return the call, and a record for each block; ValueError if there are no blocks."""
        if not problem.start:
            raise ValueError("there is nothing to unstack")
        blocks = {number: Block() for number in sorted(problem.goal)}
        for tower in problem.start:
            for lower, upper in pairwise(tower):
                blocks[upper].below = blocks[lower]
        for first, second in pairwise(problem.start):
            blocks[second[0]].next_tower = blocks[first[-1]]
        for lower, upper in pairwise(problem.goal):
            blocks[lower].goal_above = blocks[upper]
        return rearrange(blocks[problem.start[-1][-1]], blocks[problem.goal[0]]), list(blocks.values())


class LinkedOneTower(_ByRecords, OneTowerRules[Any]):
    """The paper's BlocksWorld, with prompts of the same length for any number of blocks."""

    def kinds(self) -> Sequence[Call | Block]:
        return [rearrange(Block.at(1), Block.at(2)), *(each for each in every(Block) if not each.next_tower)]


class LinkedSeveralTowers(_ByRecords, SeveralTowersRules[Any]):
    """The paper's Extended BlocksWorld, with prompts of the same length for any number of blocks."""

    def kinds(self) -> Sequence[Call | Block]:
        blocks = (each for each in every(Block) if not (each.below and each.next_tower))
        return [rearrange(Block.at(1), Block.at(2)), *blocks]
