"""The problems, instructions and actions of three stacks, and their text forms."""

from collections import Counter
from itertools import chain

from attrs import field, frozen, validators

from coc_blocksworld.towers import BLOCK, TOWER, Towers
from coc_core.text import Form, Forms, check_permutation, list_of

MOST_BLOCKS = 100
PLACES = (1, 2, 3)

_place = validators.in_(PLACES)


def _check_places(*arrangements: Towers) -> None:
    for stacks in arrangements:
        if len(stacks) != len(PLACES):
            raise ValueError(f"there are {len(PLACES)} stacks, not {len(stacks)}; an empty one is []")


@frozen
class Rearrangement:
    """A problem: rebuild the three stacks `start` as the stacks `goal`, each from the table up, of blocks B1 to Bn."""

    start: Towers
    goal: Towers

    def __attrs_post_init__(self) -> None:
        _check_places(self.start, self.goal)
        blocks = tuple(chain(*self.goal))
        if len(blocks) > MOST_BLOCKS:
            raise ValueError(f"{len(blocks):,} blocks are too many; the limit is {MOST_BLOCKS:,}")
        check_permutation("B", chain(*self.start), blocks)


@frozen
class Arrange:
    """The instruction: the blocks that are not in place yet, where they are, and where they belong.

    What is in place is left out: the lowest blocks of a stack if they are those of its goal.
    """

    stacks: Towers
    goal: Towers

    def __attrs_post_init__(self) -> None:
        _check_places(self.stacks, self.goal)
        here, there = Counter(chain(*self.stacks)), Counter(chain(*self.goal))
        if here != there or len(here) != here.total():
            raise ValueError("the stacks and the goal have different blocks, or one of them twice")
        if any(stack and stack[:1] == goal[:1] for stack, goal in zip(self.stacks, self.goal, strict=True)):
            raise ValueError("a block is in place already")


@frozen
class Move:
    """The action: move the top block of a stack onto another stack."""

    block: int = field(validator=validators.ge(1))
    src: int = field(validator=_place)
    dst: int = field(validator=_place)

    def __attrs_post_init__(self) -> None:
        if self.src == self.dst:
            raise ValueError(f"the stacks must differ, not be {self.src}, {self.dst}")


@frozen
class Done:
    """A note: nothing is left to do."""


STACKS = list_of(TOWER, "stack")

PROBLEMS: Forms[Rearrangement] = Forms(Form.of(Rearrangement, "start={start} & goal={goal}", start=STACKS, goal=STACKS))
INSTRUCTIONS: Forms[Arrange] = Forms(Form.of(Arrange, "CALL stacks={stacks} & goal={goal}", stacks=STACKS, goal=STACKS))
ACTIONS: Forms[Move] = Forms(Form.of(Move, "Move {block} from {src} to {dst}", block=BLOCK))
NOTES: Forms[Done] = Forms(Form.of(Done, "Every block is in place."))
