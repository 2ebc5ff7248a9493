"""The pancake puzzle, solved by a policy that stores a record for each pancake, so that no prompt grows with them.

Its actions are those of `coc_pancake.domain`. The pancakes that are not in place are a doubly linked list, and those of
the goal are linked from the bottom up. If, from the bottom up, `A` are those below a pancake, and `B` those above it,
the first flip makes `A reversed(B) pancake` of `A pancake B`, and the second `pancake B reversed(A)`. So `B` stays
linked as it is, one step for each pancake of `A` exchanges its links, and two steps link the ends. A pancake is in
place already if nothing that is left is below it. A step reads one record, and no two names are compared.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

from attrs import evolve, frozen

from coc_core.domain import At, Record, StoresRecords, stored_forms
from coc_core.text import Codec, quoted
from coc_core.types import Step
from coc_pancake.domain import Flip, PancakeRules
from coc_pancake.records import PANCAKE, STACK, FlipFrom, FlipInto, Number, Order, Sorted


def _parse_link(text: str) -> int | None:
    pancakes = STACK.parse(text)
    if len(pancakes) > 1:
        raise ValueError(f"{quoted(text, 24)} has more than one pancake")
    return pancakes[0] if pancakes else None


Link = Annotated[int | None, Codec(_parse_link, lambda pancake: STACK.format(() if pancake is None else (pancake,)))]


@frozen
class Contents:
    """What a record says of its pancake. `below` and `above` are not read once the pancake is in place.

    Attributes:
        below: The pancake that it is on; None if all below it are in place, so that it is the lowest that is left.
        above: The pancake that is on it; None for the top one.
        next: The next smaller pancake, which belongs on it; None for the smallest.
    """

    below: Link
    above: Link
    next: Link


@frozen
class Settle:
    """Put the pancake named in the lowest place that is left, where it belongs, unless it is there.

    `top` is the top pancake. In the other instructions, `next` is the pancake to put in place after this one.
    """

    top: Number
    at: At[Contents]


@frozen
class Lowest:
    """The pancake below the one named is in place now: note that the one named is the lowest that is left.

    `turn` is the highest of the pancakes that the flips turn over for good; None if there were no flips.
    """

    turn: Link
    top: Number
    next: Number
    at: At[Contents]


@frozen
class Join:
    """The pancake named was the top one before the flips: note that `turn` is on it."""

    turn: Number
    next: Number
    at: At[Contents]


@frozen
class Turn:
    """Turn over the pancake named, and those that were below it. Then it is on `below`; None if it is the lowest."""

    below: Link
    next: Number
    at: At[Contents]


Instruction = Settle | Lowest | Join | Turn | Record[Contents]


class LinkedPancake(PancakeRules[Instruction], StoresRecords[Order, Instruction]):
    """The policy whose instructions name one pancake."""

    instructions = stored_forms(PANCAKE, Contents, Settle, Lowest, Join, Turn)
    finitely_many_kinds = True

    def start(self, problem: Order) -> Settle:
        largest = problem.goal[0]
        contents = next(record.contents for record in self.records(problem) if record.number == largest)
        return Settle(problem.start[-1], At(largest, contents))

    def records(self, problem: Order) -> Iterable[Record[Contents]]:
        above, following = dict(pairwise(problem.start)), dict(pairwise(problem.goal))
        below = {upper: lower for lower, upper in above.items()}
        for each in problem.start:
            yield Record(each, Contents(below.get(each), above.get(each), following.get(each)))

    def expand(self, instruction: Instruction) -> Step[Instruction, Flip]:
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
