"""The state: what each block is on, what is on it, and what the hand holds; and what atoms say of that.

An atom fills slots, which are the variables of a state: what is below a block, what is above it, and what the hand
holds. `on a b` fills the slot below a with b, and the slot above b with a. Nothing is above a clear block, and nothing
can be on one in the hand. So two atoms that fill a slot differently contradict each other; otherwise only a cycle keeps
an arrangement from existing.
"""

from collections.abc import Iterable, Mapping
from itertools import chain, pairwise
from typing import Any

from attrs import field, frozen

from coc_core.domain import Assignment
from coc_puzzles.blocksworld.blocks.problem import Atom, Problem
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


def contradiction(goal: Iterable[Atom]) -> str | None:
    """Return why no arrangement of the blocks has all these atoms; None if one has."""
    found: dict[tuple[str, Any], tuple[Any, Atom]] = {}
    for atom in goal:
        for slot, filler in filled(atom).items():
            already, other = found.setdefault(slot, (filler, atom))
            if already != filler:
                return f"'{' '.join(other)}' and '{' '.join(atom)}' contradict each other"
    lower = {block: filler for (side, block), (filler, _) in found.items() if side == "below"}
    seen = set[str]()
    for first in lower:
        path = [first]
        while path[-1] in lower and path[-1] not in seen:  # no two blocks are on one, so a way back leads to the first
            seen.add(path[-1])
            path.append(lower[path[-1]])
        if len(path) > 1 and path[-1] == first:
            return f"the goal has a cycle: {' on '.join(path)}"
    return None


def completed(problem: Problem) -> Mapping[str, Any]:
    """Return what each block is on in the arrangement that a run works towards: a block, the TABLE or the HAND.

    The goal places some blocks. Each other block stays where it is if all that is below it stays and the goal wants
    nothing else there; otherwise it goes onto the table. One in the hand stays there only if no other has to move.
    """
    wanted = all_filled(problem.goal)
    places: dict[Any, Any] = {}
    all_stand = True
    for tower in problem.start:
        stands = True
        for lower, block in pairwise((TABLE, *tower)):
            may_stay = stands and ("above", lower) not in wanted
            places[block] = wanted.get(("below", block), lower if may_stay else TABLE)
            stands = stands and places[block] == lower
        all_stand = all_stand and stands
    for block in problem.hand:
        may_stay = all_stand and ("above", block) not in wanted and IN_HAND not in wanted
        places[block] = wanted.get(("below", block), HAND if may_stay else TABLE)
    return places
