"""Goals: whether a conjunction of atoms contradicts itself, and which complete arrangement a run works towards.

Two atoms that fill a slot of `coc_puzzles.blocksworld.blocks.state` differently contradict each other. Otherwise only a
cycle keeps an arrangement from existing.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from coc_puzzles.blocksworld.blocks.problem import Atom, Problem
from coc_puzzles.blocksworld.blocks.state import HAND, IN_HAND, all_filled, filled
from coc_puzzles.blocksworld.towers import TABLE


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
