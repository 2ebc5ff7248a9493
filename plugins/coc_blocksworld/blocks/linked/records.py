"""What the policy reads and writes: a record for each block, and instructions that each name one."""

from typing import Annotated

from attrs import frozen

from coc_blocksworld.blocks.state import HAND
from coc_blocksworld.towers import NOTHING, TABLE, Linked, MaybeLinked, bracketed
from coc_core.domain import At, Record
from coc_core.text import Codec, quoted

Place = Annotated[int, bracketed({TABLE: "table", HAND: "hand"})]


def _parse_yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{quoted(text, 24)} is neither yes nor no")
    return text == "yes"


@frozen
class Contents:
    """What a record says of its block.

    Attributes:
        on: What the block is on: a block, the TABLE, or the HAND.
        under: The block that is on it, or NOTHING.
        goal_on: What it belongs on.
        goal_under: The block that belongs on it, or NOTHING.
        placed: Whether it is in its final place, and so are all blocks below it.
        next_tower: If the tower it is in is taken apart down to this block, the top of the tower to take apart next.
        next_goal: If it is the top of a tower of the goal, the block from which the next tower of the goal is built.
    """

    on: Place
    under: MaybeLinked
    goal_on: Place
    goal_under: MaybeLinked
    placed: Annotated[bool, Codec(_parse_yes, lambda placed: "yes" if placed else "no")]
    next_tower: MaybeLinked = NOTHING
    next_goal: MaybeLinked = NOTHING


@frozen
class Build:
    """Look whether a block can be put on `build`, the highest block in place of the first tower that lacks one.

    In this and the other instructions, `clear` is the top of the tower that is to be taken apart, or NOTHING.
    """

    clear: MaybeLinked
    at: At[Contents]


@frozen
class Check:
    """A block can be put on `build`: look whether the one that belongs there can be picked up."""

    build: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Pass:
    """No block can be put on `build`: look whether the one that belongs there is there already."""

    build: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Carry:
    """Stack the block in the hand on the one named."""

    block: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Take:
    """Unstack the block named, the top of the tower that is taken apart."""

    build: MaybeLinked
    at: At[Contents]


@frozen
class Lift:
    """The block in the hand was on the one named: note that it is gone."""

    block: Linked
    build: MaybeLinked
    at: At[Contents]


@frozen
class Put:
    """Look where the block in the hand, which is the one named, belongs."""

    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Try:
    """The block in the hand belongs on the one named: look whether it can be put there."""

    block: Linked
    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Hold:
    """The block in the hand shall be held in the end: look whether anything else is left to do."""

    block: Linked
    at: At[Contents]


@frozen
class Drop:
    """The block named was put onto the table, for the time being: note that."""

    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Settle:
    """The block named was put in its final place, on `lower`: note that."""

    lower: Linked
    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Finish:
    """Nothing is left to do."""


Visit = Build | Check | Pass | Carry | Take | Lift | Put | Try | Hold | Drop | Settle
"""An instruction that names a record."""

Instruction = Visit | Finish | Record[Contents]
