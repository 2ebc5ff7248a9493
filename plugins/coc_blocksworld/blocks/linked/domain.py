"""General BlocksWorld, solved by a policy that stores a record for each block."""

from collections.abc import Iterable

from coc_blocksworld.blocks.domain import BlocksRules
from coc_blocksworld.blocks.linked import policy
from coc_blocksworld.blocks.linked.records import INSTRUCTIONS, Instruction, Record
from coc_blocksworld.blocks.policy import Action
from coc_blocksworld.blocks.problem import Problem
from coc_core.domain import StoresRecords
from coc_core.types import Step


class LinkedBlocks(BlocksRules[Instruction], StoresRecords[Problem, Instruction]):
    """The policy whose instructions name one block. Its actions are those of `coc_blocksworld.blocks.domain.Blocks`."""

    instructions = INSTRUCTIONS
    finitely_many_kinds = True

    def start(self, problem: Problem) -> Instruction:
        return policy.layout(problem)[1]

    def records(self, problem: Problem) -> Iterable[Record]:
        return (Record(block, contents) for block, contents in policy.layout(problem)[0].items())

    def expand(self, instruction: Instruction) -> Step[Instruction, Action]:
        return policy.expand(instruction)
