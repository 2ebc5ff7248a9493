"""The state of the puzzle: a few pegs, and which moves are legal."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, Protocol

from coc_core.errors import ActionFault

Pile = tuple[int, "Pile"] | None
Pegs = tuple[Pile, ...]
"""A pile for each peg, as a linked list from the top disk down, so that a move takes constant time."""


class Tower(Protocol):
    """A problem: n disks, from peg `src` to peg `dst`."""

    @property
    def n(self) -> int: ...
    @property
    def src(self) -> int: ...
    @property
    def dst(self) -> int: ...


class Move(Protocol):
    """An action: a disk, from peg `src` to peg `dst`."""

    @property
    def disk(self) -> int: ...
    @property
    def src(self) -> int: ...
    @property
    def dst(self) -> int: ...


def initial(problem: Tower, pegs: int = 3) -> Pegs:
    """Return the state with all disks on the source peg, the largest at the bottom."""
    pile: Pile = None
    for disk in range(problem.n, 0, -1):
        pile = (disk, pile)
    return tuple(pile if peg == problem.src else None for peg in range(1, pegs + 1))


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
    return _moved(state, src, dst)


def _moved(state: Pegs, src: int, dst: int) -> Pegs:
    """The state in which the top disk of `src` is on `dst`."""
    pegs: list[Any] = list(state)
    disk, pegs[src - 1] = pegs[src - 1]
    pegs[dst - 1] = (disk, pegs[dst - 1])
    return tuple(pegs)


def neighbours(state: Pegs) -> Iterator[Pegs]:
    """Yield the state after each legal move."""
    for src, dst in permutations(range(1, len(state) + 1), 2):
        source, target = state[src - 1], state[dst - 1]
        if source is not None and (target is None or source[0] < target[0]):
            yield _moved(state, src, dst)


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
