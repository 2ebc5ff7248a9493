"""The pancake puzzle, solved by a policy that stores a record for each pancake."""

from collections.abc import Iterable
from typing import Any, ClassVar

from coc_core.domain import StoresRecords
from coc_core.text import Forms
from coc_core.types import Step
from coc_pancake.domain import Flip, Pancake
from coc_pancake.linked import policy
from coc_pancake.linked.records import INSTRUCTIONS, Instruction, Record
from coc_pancake.records import Order


class LinkedPancake(Pancake, StoresRecords[Order, Instruction]):
    """The same problems and actions, with prompts of the same length for any number of pancakes."""

    instructions: ClassVar[Forms[Any]] = INSTRUCTIONS
    surfaces = {}

    def start(self, problem: Order) -> Any:
        return policy.layout(problem)[1]

    def records(self, problem: Order) -> Iterable[Record]:
        return (Record(pancake, contents) for pancake, contents in policy.layout(problem)[0].items())

    def expand(self, instruction: Any) -> Step[Any, Flip]:
        return policy.expand(instruction)
