"""The policy of `coc_pancake.domain`, with the same actions, by steps that each read one record.

The pancakes that are not in place are a doubly linked list. If, from the bottom up, `A` are those below a pancake, and
`B` those above it, the first flip makes `A reversed(B) pancake` of `A pancake B`, and the second
`pancake B reversed(A)`. So `B` stays linked as it is, one step for each pancake of `A` exchanges its links, and two
steps link the ends. A pancake is in place already if nothing that is left is below it. No two names are compared.
"""

from collections.abc import Mapping
from itertools import pairwise

from attrs import evolve

from coc_core.domain import At
from coc_core.types import Step
from coc_pancake.domain import Flip
from coc_pancake.linked.records import Contents, Instruction, Join, Lowest, Record, Settle, Turn
from coc_pancake.records import FlipFrom, FlipInto, Order, Sorted


def layout(problem: Order) -> tuple[Mapping[int, Contents], Settle]:
    """The record of each pancake, and the first instruction."""
    above, following = dict(pairwise(problem.start)), dict(pairwise(problem.goal))
    below = {upper: lower for lower, upper in above.items()}
    records = {each: Contents(below.get(each), above.get(each), following.get(each)) for each in problem.start}
    largest, top = problem.goal[0], problem.start[-1]
    return records, Settle(top, At(largest, records[largest]))


def expand(instruction: Instruction) -> Step[Instruction, Flip]:
    """What the policy does with an instruction and the record of the pancake that it names."""
    if isinstance(instruction, Record) or instruction.at.contents is None:
        return Step((Sorted(),))
    pancake, seen = instruction.at.number, instruction.at.contents
    after: Instruction
    match instruction:
        case Settle(top):
            return _settle(pancake, seen, top)
        case Lowest(turn, top, following):
            after = Settle(top, At(following)) if turn is None else Join(turn, following, At(top))
            return _store(pancake, evolve(seen, below=None), after)
        case Join(turn, following):
            return _store(pancake, evolve(seen, above=turn), Turn(pancake, following, At(turn)))
        case Turn(below, following):
            lower = seen.below
            after = Settle(pancake, At(following)) if lower is None else Turn(pancake, following, At(lower))
            return _store(pancake, evolve(seen, below=below, above=lower), after)


def _settle(pancake: int, seen: Contents, top: int) -> Step[Instruction, Flip]:
    below, above, following = seen.below, seen.above, seen.next
    flips = (FlipFrom(pancake), FlipInto(pancake)) if below is not None else ()
    if above is not None and following is not None:
        return Step(flips, then=(Lowest(below, top, following, At(above)),))
    if below is not None and following is not None:
        return Step(flips, then=(Turn(None, following, At(below)),))
    return Step((Sorted(),))


def _store(pancake: int, contents: Contents, after: Instruction) -> Step[Instruction, Flip]:
    return Step(then=(Record(pancake, contents), after))
