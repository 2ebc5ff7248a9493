"""The state: what each block is on; and the variables that the actions need and set."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from attrs import evolve, frozen

from coc_blocksworld.blocks.problem import Problem

TABLE, HAND = 0, -1


@frozen
class Blocks:
    """The state.

    Attributes:
        names: The name of each block: `names[b - 1]` for block b.
        below: What each block is on: `below[b - 1]` is a block, the TABLE or the HAND, for block b.
    """

    names: tuple[str, ...]
    below: tuple[int, ...]

    @property
    def hand(self) -> int | None:
        """The block in the hand, if there is one."""
        return self.below.index(HAND) + 1 if HAND in self.below else None

    def name(self, block: int) -> str:
        """The name of a block."""
        return self.names[block - 1]

    def moved(self, block: int, place: int) -> "Blocks":
        """The state in which a block is on another place."""
        return evolve(self, below=(*self.below[: block - 1], place, *self.below[block:]))


def initial(problem: Problem) -> Blocks:
    """The state that a problem starts in."""
    names = problem.names
    numbers = {name: number for number, name in enumerate(names, 1)}
    below = dict.fromkeys(problem.hand, HAND)
    for tower in problem.start:
        below |= zip(tower, (TABLE, *(numbers[name] for name in tower)), strict=False)
    return Blocks(names, tuple(below[name] for name in names))


def towers(state: Blocks) -> dict[int, list[str]]:
    """The names in each tower from the table up, and those in the hand, by the lowest block's number."""
    above = {lower: block for block, lower in enumerate(state.below, 1)}
    found: dict[int, list[str]] = {}
    for base in (block for block, lower in enumerate(state.below, 1) if lower == TABLE):
        block, found[base] = base, [state.name(base)]
        while (block := above.get(block, TABLE)) != TABLE:
            found[base].append(state.name(block))
    return found


NOTHING = 0
IN_HAND = "hand", 0


@frozen(eq=False)  # a mapping equals another with the same items
class Variables(Mapping[Any, int]):
    """What each block is on, what is on it, and what the hand holds, looked up in a state when they are needed."""

    state: Blocks

    def __getitem__(self, variable: Any) -> int:
        side: str = variable[0]
        block: int = variable[1]
        below = self.state.below
        if variable == IN_HAND:
            return self.state.hand or NOTHING
        if not 0 < block <= len(below):
            raise KeyError(variable)
        if side == "below":
            return below[block - 1]
        return below.index(block) + 1 if block in below else NOTHING

    def __iter__(self) -> Iterator[Any]:
        yield from product(("below", "above"), range(1, len(self.state.below) + 1))
        yield IN_HAND

    def __len__(self) -> int:
        return 2 * len(self.state.below) + 1
