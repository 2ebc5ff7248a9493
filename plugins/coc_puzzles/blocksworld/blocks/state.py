"""The state: what each block is on, what is on it, and what the hand holds; and what an atom says of that.

An atom fills slots, which are the variables of a state: what is below a block, what is above it, and what the hand
holds. `on a b` fills the slot below a with b, and the slot above b with a. Nothing is above a clear block, and nothing
can be on one in the hand. So two atoms that fill a slot differently contradict each other.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from attrs import field, frozen

from coc_core.domain import Assignment
from coc_puzzles.blocksworld.blocks.problem import Atom
from coc_puzzles.blocksworld.towers import NOTHING, TABLE

HAND = -1
IN_HAND = "hand", 0
"""The slot of what the hand holds."""


@frozen
class Blocks:
    """The state.

    Attributes:
        names: The name of each block: `names[b - 1]` for block b.
        slots: What fills each slot: a block, or the TABLE, the HAND or NOTHING.
    """

    names: tuple[str, ...]
    slots: Assignment = field(eq=lambda slots: frozenset(slots.items()))

    @property
    def below(self) -> tuple[int, ...]:
        """What each block is on: `below[b - 1]` is a block, the TABLE or the HAND, for block b."""
        return tuple(self.slots["below", block] for block in range(1, len(self.names) + 1))

    @property
    def hand(self) -> int | None:
        """The block in the hand, if there is one."""
        held: int = self.slots[IN_HAND]
        return None if held == NOTHING else held

    def name(self, block: int) -> str:
        """Return the name of a block."""
        return self.names[block - 1]


def filled(atom: Atom) -> Mapping[tuple[str, Any], Any]:
    """Return the slots that an atom fills, and what it fills them with."""
    match atom:
        case "on", block, lower:
            return {("below", block): lower, ("above", lower): block}
        case "ontable", block:
            return {("below", block): TABLE}
        case "clear", block:
            return {("above", block): NOTHING}
        case "holding", block:
            return {("below", block): HAND, ("above", block): HAND, IN_HAND: block}
        case _:  # handempty
            return {IN_HAND: NOTHING}


def all_filled(atoms: Iterable[Atom]) -> dict[tuple[str, Any], Any]:
    """Return the slots that atoms fill which don't contradict each other."""
    return dict(chain.from_iterable(filled(atom).items() for atom in atoms))
