"""The paper's two variants, solved by a policy that stores a record for each block."""

from collections.abc import Iterable
from typing import Any

from coc_blocksworld.domain import OneTower, SeveralTowers
from coc_blocksworld.linked_towers import policy
from coc_blocksworld.linked_towers.records import INSTRUCTIONS, Instruction, Record
from coc_blocksworld.records import Move, Rearrangement
from coc_core.domain import StoresRecords
from coc_core.types import Step


class _Linked(StoresRecords[Rearrangement, Instruction]):
    """What both have instead of the policy for lists."""

    instructions = INSTRUCTIONS
    surfaces = {}

    def start(self, problem: Rearrangement) -> Any:
        return policy.start(problem)

    def records(self, problem: Rearrangement) -> Iterable[Record]:
        return policy.records(problem)

    def expand(self, instruction: Any) -> Step[Any, Move]:
        return policy.expand(instruction)


class LinkedOneTower(_Linked, OneTower):
    """BlocksWorld, the same problems and actions, with prompts of the same length for any number of blocks."""


class LinkedSeveralTowers(_Linked, SeveralTowers):
    """Extended BlocksWorld, the same problems and actions, with prompts of the same length for any number of blocks."""
