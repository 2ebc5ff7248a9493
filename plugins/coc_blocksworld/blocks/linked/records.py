"""What the policy reads and writes: a record for each block, and instructions that each name one."""

from attrs import field, frozen, validators

from coc_blocksworld.blocks.state import HAND, TABLE
from coc_blocksworld.links import NOTHING, bracketed
from coc_blocksworld.towers import BLOCK
from coc_core.domain import At, at_codec
from coc_core.text import Codec, Form, Forms, quoted

_PLACE = bracketed({TABLE: "table", HAND: "hand"})
_MAYBE = bracketed({NOTHING: ""})
_SURELY = bracketed({})


def _parse_placed(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{quoted(text, 24)} is neither yes nor no")
    return text == "yes"


_PLACED = Codec(_parse_placed, lambda placed: "yes" if placed else "no")


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

    on: int
    under: int
    goal_on: int
    goal_under: int
    placed: bool
    next_tower: int = NOTHING
    next_goal: int = NOTHING


_CONTENTS: Forms[Contents] = Forms(
    Form.of(
        Contents,
        "on={on} under={under} goal_on={goal_on} goal_under={goal_under} placed={placed} next_tower={next_tower}"
        " next_goal={next_goal}",
        on=_PLACE,
        under=_MAYBE,
        goal_on=_PLACE,
        goal_under=_MAYBE,
        placed=_PLACED,
        next_tower=_MAYBE,
        next_goal=_MAYBE,
    )
)


@frozen
class Record:
    """A block, and what is stored of it."""

    block: int = field(validator=validators.ge(1))
    contents: Contents


_AT = at_codec(BLOCK, _CONTENTS.codec)


@frozen
class Build:
    """Look whether a block can be put on `build`, the highest block in place of the first tower that lacks one.

    In this and the other instructions, `clear` is the top of the tower that is to be taken apart, or NOTHING.
    """

    clear: int
    at: At[Contents]


@frozen
class Check:
    """A block can be put on `build`: look whether the one that belongs there can be picked up."""

    build: int
    clear: int
    at: At[Contents]


@frozen
class Pass:
    """No block can be put on `build`: look whether the one that belongs there is there already."""

    build: int
    clear: int
    at: At[Contents]


@frozen
class Carry:
    """Stack the block in the hand on the one named."""

    block: int
    clear: int
    at: At[Contents]


@frozen
class Take:
    """Unstack the block named, the top of the tower that is taken apart."""

    build: int
    at: At[Contents]


@frozen
class Lift:
    """The block in the hand was on the one named: note that it is gone."""

    block: int
    build: int
    at: At[Contents]


@frozen
class Put:
    """Look where the block in the hand, which is the one named, belongs."""

    build: int
    clear: int
    at: At[Contents]


@frozen
class Try:
    """The block in the hand belongs on the one named: look whether it can be put there."""

    block: int
    build: int
    clear: int
    at: At[Contents]


@frozen
class Hold:
    """The block in the hand shall be held in the end: look whether anything else is left to do."""

    block: int
    at: At[Contents]


@frozen
class Drop:
    """The block named was put onto the table, for the time being: note that."""

    build: int
    clear: int
    at: At[Contents]


@frozen
class Settle:
    """The block named was put in its final place, on `lower`: note that."""

    lower: int
    build: int
    clear: int
    at: At[Contents]


@frozen
class Finish:
    """Nothing is left to do."""


Visit = Build | Check | Pass | Carry | Take | Lift | Put | Try | Hold | Drop | Settle
"""An instruction that names a record."""

Instruction = Visit | Finish | Record

INSTRUCTIONS: Forms[Instruction] = Forms(
    Form.of(Build, "CALL build clear={clear} AT {at}", clear=_MAYBE, at=_AT),
    Form.of(Check, "CALL check build={build} clear={clear} AT {at}", build=_SURELY, clear=_MAYBE, at=_AT),
    Form.of(Pass, "CALL pass build={build} clear={clear} AT {at}", build=_SURELY, clear=_MAYBE, at=_AT),
    Form.of(Carry, "CALL carry block={block} clear={clear} AT {at}", block=_SURELY, clear=_MAYBE, at=_AT),
    Form.of(Take, "CALL take build={build} AT {at}", build=_MAYBE, at=_AT),
    Form.of(Lift, "CALL lift block={block} build={build} AT {at}", block=_SURELY, build=_MAYBE, at=_AT),
    Form.of(Put, "CALL put build={build} clear={clear} AT {at}", build=_MAYBE, clear=_MAYBE, at=_AT),
    Form.of(
        Try,
        "CALL try block={block} build={build} clear={clear} AT {at}",
        block=_SURELY,
        build=_MAYBE,
        clear=_MAYBE,
        at=_AT,
    ),
    Form.of(Hold, "CALL hold block={block} AT {at}", block=_SURELY, at=_AT),
    Form.of(Drop, "CALL drop build={build} clear={clear} AT {at}", build=_MAYBE, clear=_MAYBE, at=_AT),
    Form.of(
        Settle,
        "CALL settle lower={lower} build={build} clear={clear} AT {at}",
        lower=_SURELY,
        build=_MAYBE,
        clear=_MAYBE,
        at=_AT,
    ),
    Form.of(Finish, "CALL finish"),
    Form.of(Record, "{block}: {contents}", block=BLOCK, contents=_CONTENTS.codec),
)
