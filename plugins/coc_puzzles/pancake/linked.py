"""The pancake puzzle, solved by a program that stores a record for each pancake, so that no prompt grows with them.

Its actions are those of `domain`. The pancakes that are not in place are a doubly linked list, and those of
the goal are linked from the bottom up. If, from the bottom up, `A` are those below a pancake, and `B` those above it,
the first flip makes `A reversed(B) pancake` of `A pancake B`, and the second `pancake B reversed(A)`. So `B` stays
linked as it is, and one step for each pancake of `A` exchanges its links. A pancake is in place if none is below it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from coc_programs import Call, Program, Record, Steps, chain, every, procedure, read, write
from coc_puzzles.pancake.domain import Flip, FlipFrom, FlipInto, Order, PancakeRules, Sorted, Stack


class Pancake(Record):
    """A pancake. `below` and `above` are not read once it is in place.

    Attributes:
        below: The pancake that it is on; None if all below it are in place, so that it is the lowest that is left.
        above: The pancake that is on it; None for the top one.
        next: The next smaller pancake, which belongs on it; None for the smallest.
    """

    below: "Pancake | None" = None
    above: "Pancake | None" = None
    next: "Pancake | None" = None


@procedure
def sort(largest: Pancake | None, top: Pancake | None) -> Steps[None]:
    """Put the largest pancake in the lowest place that is left, where it belongs, unless it is there; then the rest."""
    while largest:
        pancake = yield read(largest)
        if pancake.above:
            yield write(pancake.above, below=None)
        if pancake.below:
            yield FlipFrom(largest.number)
            yield FlipInto(largest.number)
            below = None
            if pancake.above:
                below = top
                yield write(top, above=pancake.below)
            for turned in chain(pancake.below, "below"):
                yield write(turned, below=below, above=turned.below)
                below = turned
            top = below
        largest = pancake.next
    yield Sorted()


class LinkedPancake(Program[Order, Flip, Stack], PancakeRules[Any]):
    """The program whose instructions name a few pancakes."""

    main = sort
    edition = 2

    def kinds(self) -> Sequence[Call | Pancake]:
        pancakes = (each for each in every(Pancake) if each.below or each.above or not each.next)
        return [sort(Pancake.at(1), Pancake.at(2)), *pancakes]

    def begin(self, problem: Order) -> tuple[Call, Sequence[Pancake]]:
        pancakes = {number: Pancake() for number in problem.goal}
        for lower, upper in pairwise(problem.start):
            pancakes[lower].above, pancakes[upper].below = pancakes[upper], pancakes[lower]
        for lower, upper in pairwise(problem.goal):
            pancakes[lower].next = pancakes[upper]
        return sort(pancakes[1], pancakes[problem.start[-1]]), list(pancakes.values())
