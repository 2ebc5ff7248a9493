"""What the policy reads: a record for each block, and instructions that each name one."""

from attrs import field, frozen, validators

from coc_blocksworld.links import NOTHING, bracketed
from coc_blocksworld.towers import BLOCK
from coc_blocksworld.world import TABLE
from coc_core.domain import At, at_codec
from coc_core.text import Form, Forms


@frozen
class Contents:
    """What a record says of its block.

    Attributes:
        start_on: What the block is on in the start: a block, or the TABLE.
        next_tower: If it is the lowest of a tower of the start, the top of the tower to take apart next, or NOTHING.
        goal_under: The block that belongs on it, or NOTHING.
    """

    start_on: int
    next_tower: int = NOTHING
    goal_under: int = NOTHING


@frozen
class Record:
    """A block, and what is stored of it."""

    block: int = field(validator=validators.ge(1))
    contents: Contents


@frozen
class Unstack:
    """Put the block named on the table, and then the others; then build the goal, of which `goal` is the lowest."""

    goal: int
    at: At[Contents]


@frozen
class Stack:
    """Put the block named on the new tower, then those that belong above it."""

    at: At[Contents]


Instruction = Unstack | Stack | Record

_MAYBE = bracketed({NOTHING: ""})
_CONTENTS: Forms[Contents] = Forms(
    Form.of(
        Contents,
        "start_on={start_on} next_tower={next_tower} goal_under={goal_under}",
        start_on=bracketed({TABLE: "table"}),
        next_tower=_MAYBE,
        goal_under=_MAYBE,
    )
)
_AT = at_codec(BLOCK, _CONTENTS.codec)

INSTRUCTIONS: Forms[Instruction] = Forms(
    Form.of(Unstack, "CALL unstack goal={goal} AT {at}", goal=bracketed({}), at=_AT),
    Form.of(Stack, "CALL stack AT {at}", at=_AT),
    Form.of(Record, "{block}: {contents}", block=BLOCK, contents=_CONTENTS.codec),
)
