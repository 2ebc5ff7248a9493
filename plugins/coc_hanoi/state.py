"""The state of the puzzle: three pegs, and which moves are legal."""

from collections.abc import Iterator
from itertools import permutations

from coc_core.errors import ActionFault
from coc_hanoi.instructions import PEGS, Move, Tower

Pile = tuple[int, "Pile"] | None
Pegs = tuple[Pile, Pile, Pile]
"""A pile for each peg, as a linked list from the top disk down, so that a move takes constant time."""


def initial(problem: Tower) -> Pegs:
    """Return the state with all disks on the source peg, the largest at the bottom."""
    pile: Pile = None
    for disk in range(problem.n, 0, -1):
        pile = (disk, pile)
    pegs: list[Pile] = [None, None, None]
    pegs[problem.src - 1] = pile
    return pegs[0], pegs[1], pegs[2]


def move(state: Pegs, action: Move) -> Pegs:
    """Return the state after a move.

    Raises:
        ActionFault: The disk is not on top of its peg, or would lie on a smaller one.
    """
    disk, src, dst = action.disk, action.src, action.dst
    source, target = state[src - 1], state[dst - 1]
    if source is None or source[0] != disk:
        top = "is empty" if source is None else f"has disk {source[0]} on top"
        raise ActionFault(f"disk {disk} can't be taken from peg {src}, which {top}")
    if target is not None and target[0] < disk:
        raise ActionFault(f"disk {disk} can't lie on the smaller disk {target[0]} of peg {dst}")
    pegs = list(state)
    pegs[src - 1] = source[1]
    pegs[dst - 1] = (disk, target)
    return tuple(pegs)  # type: ignore[return-value]


def neighbours(state: Pegs) -> Iterator[Pegs]:
    """Yield the state after each legal move."""
    for src, dst in permutations(PEGS, 2):
        source, target = state[src - 1], state[dst - 1]
        if source is not None and (target is None or source[0] < target[0]):
            yield move(state, Move(source[0], src, dst))


def disks(pile: Pile) -> tuple[int, ...]:
    """Return the disks of one peg, from the top down."""
    found = list[int]()
    while pile is not None:
        disk, pile = pile
        found.append(disk)
    return tuple(found)


def solved(problem: Tower, state: Pegs) -> bool:
    """Return whether every disk is on the destination peg; since all moves were legal, the order is right."""
    return disks(state[problem.dst - 1]) == tuple(range(1, problem.n + 1))
