"""General BlocksWorld, solved by a policy that stores a record for each block."""

from collections.abc import Iterable
from typing import Any

from coc_blocksworld.blocks.domain import Blocks
from coc_blocksworld.blocks.policy import Action
from coc_blocksworld.blocks.problem import Problem
from coc_blocksworld.linked import policy
from coc_blocksworld.linked.records import INSTRUCTIONS, Instruction, Record
from coc_core.domain import StoresRecords
from coc_core.types import Step


class LinkedBlocks(Blocks, StoresRecords[Problem, Instruction]):
    """The same problems and actions, with prompts of the same length for any number of blocks."""

    instructions = INSTRUCTIONS
    surfaces = {}

    def start(self, problem: Problem) -> Any:
        return policy.layout(problem)[1]

    def records(self, problem: Problem) -> Iterable[Record]:
        return (Record(block, contents) for block, contents in policy.layout(problem)[0].items())

    def expand(self, instruction: Any) -> Step[Any, Action]:
        return policy.expand(instruction)
