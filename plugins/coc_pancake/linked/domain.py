"""The pancake puzzle, solved by a policy that stores a record for each pancake."""

from collections.abc import Iterable

from coc_core.domain import StoresRecords
from coc_core.types import Step
from coc_pancake.domain import Flip, PancakeRules
from coc_pancake.linked import policy
from coc_pancake.linked.records import INSTRUCTIONS, Instruction, Record
from coc_pancake.records import Order


class LinkedPancake(PancakeRules[Instruction], StoresRecords[Order, Instruction]):
    """The policy whose instructions name one pancake. Its actions are those of `coc_pancake.domain.Pancake`."""

    instructions = INSTRUCTIONS
    finitely_many_kinds = True

    def start(self, problem: Order) -> Instruction:
        return policy.layout(problem)[1]

    def records(self, problem: Order) -> Iterable[Record]:
        return (Record(pancake, contents) for pancake, contents in policy.layout(problem)[0].items())

    def expand(self, instruction: Instruction) -> Step[Instruction, Flip]:
        return policy.expand(instruction)
