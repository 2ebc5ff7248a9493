"""The problems, instructions and actions of BlocksWorld."""

from itertools import chain

from attrs import field, frozen, validators

from coc_blocksworld.towers import MOST_BLOCKS, Tower, Towers
from coc_core.text import check_permutation


@frozen
class Rearrangement:
    """A problem: rebuild the towers `start` as the one tower `goal`. Both have the blocks B1 to Bn."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.goal) > MOST_BLOCKS:
            raise ValueError(f"{len(self.goal):,} blocks are too many; the limit is {MOST_BLOCKS:,}")
        check_permutation("B", chain.from_iterable(self.start), self.goal)


@frozen
class Unstack:
    """Put the blocks of `start` on the table, beginning with the top of the last tower, then build `goal`."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if not self.start:
            raise ValueError("there is nothing to unstack")


@frozen
class Stack:
    """Continue building `goal`, of which `start` is built."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.start) > 1 or sum(map(len, self.start)) > len(self.goal):
            raise ValueError("more is built than the goal has")


@frozen
class Move:
    """The action: move a block. Where it goes depends on the phase (`coc_blocksworld.world`)."""

    block: int = field(validator=validators.ge(1))
