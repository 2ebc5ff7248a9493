"""Both of the paper's variants, solved by a policy that stores a record for each block.

Its actions are those of `coc_blocksworld.domain`. The towers of the start and the goal are linked lists. A step reads
one record, moves the block at hand, decides by whether there is a next one, and never compares two names. It writes no
record: a tower is taken apart from its top, so what a record says of the start is still true when its block is moved.
Up to names, all problems together have 12 prompts, and 8 of them are those of problems that start with one tower.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from attrs import frozen

from coc_blocksworld.rules import BlocksworldRules, Move, OneTowerRules, Rearrangement, SeveralTowersRules
from coc_blocksworld.towers import BLOCK, NOTHING, TABLE, Linked, MaybeLinked, bracketed
from coc_core.domain import At, Record, StoresRecords, stored_forms
from coc_core.types import Step


@frozen
class Contents:
    """What a record says of its block.

    Attributes:
        start_on: What the block is on in the start: a block, or the TABLE.
        next_tower: If it is the lowest of a tower of the start, the top of the tower to take apart next, or NOTHING.
        goal_under: The block that belongs on it, or NOTHING.
    """

    start_on: Annotated[int, bracketed({TABLE: "table"})]
    next_tower: MaybeLinked = NOTHING
    goal_under: MaybeLinked = NOTHING


@frozen
class Unstack:
    """Put the block named on the table, and then the others; then build the goal, of which `goal` is the lowest."""

    goal: Linked
    at: At[Contents]


@frozen
class Stack:
    """Put the block named on the new tower, then those that belong above it."""

    at: At[Contents]


Instruction = Unstack | Stack | Record[Contents]


class _ByRecords(BlocksworldRules[Instruction], StoresRecords[Rearrangement, Instruction]):
    instructions = stored_forms(BLOCK, Contents, Unstack, Stack)
    finitely_many_kinds = True

    def start(self, problem: Rearrangement) -> Instruction:
        """The first instruction, with the record that it names.

        Raises:
            ValueError: There are no blocks.
        """
        if not problem.start:
            raise ValueError("there is nothing to unstack")
        top = problem.start[-1][-1]
        contents = next(record.contents for record in self.records(problem) if record.number == top)
        return Unstack(problem.goal[0], At(top, contents))

    def records(self, problem: Rearrangement) -> Iterator[Record[Contents]]:
        goal_under = dict(pairwise(problem.goal))
        next_tower = NOTHING
        for tower in problem.start:
            for start_on, block in pairwise((TABLE, *tower)):
                before = next_tower if start_on == TABLE else NOTHING
                yield Record(block, Contents(start_on, before, goal_under.get(block, NOTHING)))
            next_tower = tower[-1]

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        match instruction:
            case Unstack(goal, At(block, Contents(start_on, next_tower))):
                below = next_tower if start_on == TABLE else start_on
                return Step((Move(block),), then=(Stack(At(goal)) if below == NOTHING else Unstack(goal, At(below)),))
            case Stack(At(block, Contents(goal_under=above))):
                return Step((Move(block),), then=() if above == NOTHING else (Stack(At(above)),))
            case Record(block) | Unstack(at=At(block)) | Stack(At(block)):  # without a record, nothing is next
                return Step((Move(block),))


class LinkedOneTower(_ByRecords, OneTowerRules[Instruction]):
    """The paper's BlocksWorld, with prompts of the same length for any number of blocks."""


class LinkedSeveralTowers(_ByRecords, SeveralTowersRules[Instruction]):
    """The paper's Extended BlocksWorld, with prompts of the same length for any number of blocks."""
