"""Goals: whether a conjunction of atoms contradicts itself, and which complete arrangement a run works towards.

An atom fills slots: what a block is on, what is on a block, what the hand holds. `on a b` fills the slot below a with b
and the slot above b with a. Nothing is on a clear block, and nothing can be on a block in the hand. Two atoms that fill
a slot differently contradict each other. Otherwise only a cycle keeps an arrangement from existing.
"""

from collections.abc import Iterable, Iterator, Mapping

from coc_blocksworld.blocks.problem import Atom, Problem

TABLE, HAND, NOTHING = "the table", "the hand", "no block"
"""What may fill a slot beside a block. No block has such a name: names have no spaces."""

Slot = tuple[str, str]
_IN_HAND = "holds", ""


def _slots(atom: Atom) -> Iterator[tuple[Slot, str]]:
    """The slots that an atom fills, and what it fills them with."""
    match atom:
        case "on", block, lower:
            yield from ((("below", block), lower), (("above", lower), block))
        case "ontable", block:
            yield ("below", block), TABLE
        case "clear", block:
            yield ("above", block), NOTHING
        case "holding", block:
            yield from ((("below", block), HAND), (("above", block), HAND), (_IN_HAND, block))
        case _:  # handempty
            yield _IN_HAND, NOTHING


def contradiction(goal: Iterable[Atom]) -> str | None:
    """Why no arrangement of the blocks has all these atoms; None if one has."""
    filled: dict[Slot, tuple[str, Atom]] = {}
    for atom in goal:
        for slot, filler in _slots(atom):
            already, other = filled.setdefault(slot, (filler, atom))
            if already != filler:
                return f"'{' '.join(other)}' and '{' '.join(atom)}' contradict each other"
    lower = {block: filler for (side, block), (filler, _) in filled.items() if side == "below"}
    for first in lower:
        path = [first, lower[first]]
        while path[-1] in lower and path[-1] != first:  # no two blocks are on one, so a way back leads to the first
            path.append(lower[path[-1]])
        if path[-1] == first:
            return f"the goal has a cycle: {' on '.join(path)}"
    return None


def completed(problem: Problem) -> Mapping[str, str]:
    """What each block is on in the arrangement that a run works towards: a block, the TABLE or the HAND.

    The goal places some blocks. Each other block stays where it is if all that is below it stays and the goal wants
    nothing else there; otherwise it goes onto the table. One in the hand stays there only if no other has to move.
    """
    filled = {slot: filler for atom in problem.goal for slot, filler in _slots(atom)}
    places: dict[str, str] = {}
    all_stand = True
    for tower in problem.start:
        stands, lower = True, TABLE
        for block in tower:
            may_stay = stands and ("above", lower) not in filled
            places[block] = filled.get(("below", block), lower if may_stay else TABLE)
            stands = stands and places[block] == lower
            lower = block
        all_stand = all_stand and stands
    for block in problem.hand:
        may_stay = all_stand and ("above", block) not in filled and _IN_HAND not in filled
        places[block] = filled.get(("below", block), HAND if may_stay else TABLE)
    return places
