"""The policy of `coc_blocksworld.domain`, with the same actions, by steps that each read one record.

The towers of the start and the goal are linked lists here. A step moves the block at hand, decides by whether there is
a next one, and never compares two names. It writes no record: a tower is taken apart from its top, so what a record
says of the start is still true when its block is moved. Up to names, all problems together have 12 prompts, and 8 of
them are those of problems that start with one tower.
"""

from collections.abc import Iterator
from itertools import pairwise

from coc_blocksworld.linked.records import Contents, Instruction, Record, Stack, Unstack
from coc_blocksworld.links import NOTHING
from coc_blocksworld.records import Move, Rearrangement
from coc_blocksworld.world import TABLE
from coc_core.domain import At
from coc_core.types import Step


def records(problem: Rearrangement) -> Iterator[Record]:
    """The record of each block."""
    goal_under = dict(pairwise(problem.goal))
    next_tower = NOTHING
    for tower in problem.start:
        for start_on, block in pairwise((TABLE, *tower)):
            before = next_tower if start_on == TABLE else NOTHING
            yield Record(block, Contents(start_on, before, goal_under.get(block, NOTHING)))
        next_tower = tower[-1]


def start(problem: Rearrangement) -> Unstack:
    """The first instruction, with the record that it names.

    Raises:
        ValueError: There are no blocks.
    """
    if not problem.start:
        raise ValueError("there is nothing to unstack")
    top = problem.start[-1][-1]
    contents = {record.block: record.contents for record in records(problem)}
    return Unstack(problem.goal[0], At(top, contents[top]))


def expand(instruction: Instruction) -> Step[Instruction, Move]:
    """What the policy does with an instruction and the record of the block that it names."""
    match instruction:
        case Unstack(goal, At(block, Contents(start_on, next_tower))):
            below = next_tower if start_on == TABLE else start_on
            return Step((Move(block),), then=(Stack(At(goal)) if below == NOTHING else Unstack(goal, At(below)),))
        case Stack(At(block, Contents(goal_under=above))):
            return Step((Move(block),), then=() if above == NOTHING else (Stack(At(above)),))
        case Record(block) | Unstack(at=At(block)) | Stack(At(block)):  # without a record, nothing is next
            return Step((Move(block),))
