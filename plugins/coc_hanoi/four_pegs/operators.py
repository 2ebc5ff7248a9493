"""Moves on four pegs as operators. The variables of a state are whether a disk is on a peg, for each disk and peg.

A move needs the smaller disks to be on neither of its two pegs, whichever of the others they are on. With the peg of
each disk as a variable, as on three pegs, that would be no assignment.
"""

from itertools import product

from coc_core.domain import Assignment, Operator
from coc_hanoi.four_pegs.instructions import PEGS, Move
from coc_hanoi.state import Pegs, Pile, disks


def variables(state: Pegs) -> Assignment:
    """Return whether each disk is on each peg."""
    places = {(disk, peg): True for peg, pile in zip(PEGS, state, strict=True) for disk in disks(pile)}
    return dict.fromkeys(product((disk for disk, _ in places), PEGS), False) | places


def operator(action: Move) -> Operator:
    """A move needs its disk on the source peg, and no smaller one there or on the destination."""
    smaller = product(range(1, action.disk), (action.src, action.dst))
    here, there = (action.disk, action.src), (action.disk, action.dst)
    return Operator({here: True, **dict.fromkeys(smaller, False)}, {here: False, there: True})


def assign(state: Pegs, sets: Assignment) -> Pegs:
    """Return the state with some disks on other pegs."""
    pegs: dict[int, Pile] = dict.fromkeys(PEGS)
    for (disk, peg), there in sorted({**variables(state), **sets}.items(), reverse=True):
        if there:
            pegs[peg] = disk, pegs[peg]
    return tuple(pegs[peg] for peg in PEGS)
