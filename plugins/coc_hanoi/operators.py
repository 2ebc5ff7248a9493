"""Moves as operators: the variables of a state are the disks, and their values the pegs that they are on."""

from coc_core.domain import Assignment, Operator
from coc_hanoi.instructions import PEGS, Move
from coc_hanoi.state import Pegs, Pile, disks


def variables(state: Pegs) -> Assignment:
    """Return the peg of each disk."""
    return {disk: peg for peg, pile in zip(PEGS, state, strict=True) for disk in disks(pile)}


def operator(action: Move) -> Operator:
    """A move needs its disk on the source peg and all smaller ones out of the way, on the third peg."""
    aux = sum(PEGS) - action.src - action.dst
    return Operator({action.disk: action.src} | dict.fromkeys(range(1, action.disk), aux), {action.disk: action.dst})


def assign(state: Pegs, sets: Assignment) -> Pegs:
    """Return the state with some disks on other pegs."""
    pegs: dict[int, Pile] = dict.fromkeys(PEGS)
    for disk, peg in sorted({**variables(state), **sets}.items(), reverse=True):
        pegs[peg] = disk, pegs[peg]
    return pegs[1], pegs[2], pegs[3]
