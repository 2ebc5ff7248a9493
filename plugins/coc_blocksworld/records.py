"""What a problem, an instruction and an action of BlocksWorld are."""

from itertools import chain

from attrs import field, frozen, validators

from coc_blocksworld.towers import MOST_BLOCKS, Tower, Towers
from coc_core.text import check_permutation


@frozen
class Rearrangement:
    """A problem: the towers `start`, wanted as the one tower `goal`. Both hold the blocks B1 to Bn."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.goal) > MOST_BLOCKS:
            raise ValueError(f"{len(self.goal):,} blocks are too many; the most is {MOST_BLOCKS:,}")
        check_permutation("B", chain.from_iterable(self.start), self.goal)


@frozen
class Unstack:
    """Put the blocks of `start` on the table, the last tower's top first, then build `goal`."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if not self.start:
            raise ValueError("there is nothing to unstack")


@frozen
class Stack:
    """Go on building `goal`; `start` is what stands of it."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.start) > 1 or sum(map(len, self.start)) > len(self.goal):
            raise ValueError("more stands than the goal has")


@frozen
class Move:
    """The action: where a block goes follows from the phase (`coc_blocksworld.world`)."""

    block: int = field(validator=validators.ge(1))
