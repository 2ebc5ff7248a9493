"""Both of the paper's variants, solved by a policy that stores a record for each block."""

from collections.abc import Iterable

from coc_blocksworld.linked import policy
from coc_blocksworld.linked.records import INSTRUCTIONS, Instruction, Record
from coc_blocksworld.records import Move, Rearrangement
from coc_blocksworld.rules import BlocksworldRules, OneTowerRules, SeveralTowersRules
from coc_core.domain import StoresRecords
from coc_core.types import Step


class _ByRecords(BlocksworldRules[Instruction], StoresRecords[Rearrangement, Instruction]):
    """The policy whose instructions name one block. Its actions are those of `coc_blocksworld.domain`."""

    instructions = INSTRUCTIONS
    finitely_many_kinds = True

    def start(self, problem: Rearrangement) -> Instruction:
        return policy.start(problem)

    def records(self, problem: Rearrangement) -> Iterable[Record]:
        return policy.records(problem)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        return policy.expand(instruction)


class LinkedOneTower(_ByRecords, OneTowerRules[Instruction]):
    """The paper's BlocksWorld, with prompts of the same length for any number of blocks."""


class LinkedSeveralTowers(_ByRecords, SeveralTowersRules[Instruction]):
    """The paper's Extended BlocksWorld, with prompts of the same length for any number of blocks."""
