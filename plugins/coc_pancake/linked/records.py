"""What the policy reads and writes: a record for each pancake, and instructions that each name one.

The records link the pancakes that are not in place yet, in both directions, and those of the goal from the bottom up.
"""

from attrs import field, frozen, validators

from coc_core.domain import At, at_codec
from coc_core.text import Codec, Form, Forms, quoted
from coc_pancake.records import PANCAKE, STACK


def _parse_link(text: str) -> int | None:
    pancakes = STACK.parse(text)
    if len(pancakes) > 1:
        raise ValueError(f"{quoted(text, 24)} has more than one pancake")
    return pancakes[0] if pancakes else None


_LINK = Codec(_parse_link, lambda pancake: STACK.format(() if pancake is None else (pancake,)))


@frozen
class Contents:
    """What a record says of its pancake. `below` and `above` are not read once the pancake is in place.

    Attributes:
        below: The pancake that it is on; None if all below it are in place, so that it is the lowest that is left.
        above: The pancake that is on it; None for the top one.
        next: The next smaller pancake, which belongs on it; None for the smallest.
    """

    below: int | None
    above: int | None
    next: int | None


_CONTENTS: Forms[Contents] = Forms(
    Form.of(Contents, "below={below} above={above} next={next}", below=_LINK, above=_LINK, next=_LINK)
)


@frozen
class Record:
    """A pancake, and what is stored of it."""

    pancake: int = field(validator=validators.ge(1))
    contents: Contents


_AT = at_codec(PANCAKE, _CONTENTS.codec)


@frozen
class Settle:
    """Put the pancake named in the lowest place that is left, where it belongs, unless it is there.

    `top` is the top pancake. In the other instructions, `next` is the pancake to put in place after this one.
    """

    top: int
    at: At[Contents]


@frozen
class Lowest:
    """The pancake below the one named is in place now: note that the one named is the lowest that is left.

    `turn` is the highest of the pancakes that the flips turn over for good; None if there were no flips.
    """

    turn: int | None
    top: int
    next: int
    at: At[Contents]


@frozen
class Join:
    """The pancake named was the top one before the flips: note that `turn` is on it."""

    turn: int
    next: int
    at: At[Contents]


@frozen
class Turn:
    """Turn over the pancake named, and those that were below it. Then it is on `below`; None if it is the lowest."""

    below: int | None
    next: int
    at: At[Contents]


Instruction = Settle | Lowest | Join | Turn | Record

INSTRUCTIONS: Forms[Instruction] = Forms(
    Form.of(Settle, "CALL settle top={top} AT {at}", top=PANCAKE, at=_AT),
    Form.of(
        Lowest, "CALL lowest turn={turn} top={top} next={next} AT {at}", turn=_LINK, top=PANCAKE, next=PANCAKE, at=_AT
    ),
    Form.of(Join, "CALL join turn={turn} next={next} AT {at}", turn=PANCAKE, next=PANCAKE, at=_AT),
    Form.of(Turn, "CALL turn below={below} next={next} AT {at}", below=_LINK, next=PANCAKE, at=_AT),
    Form.of(Record, "{pancake}: {contents}", pancake=PANCAKE, contents=_CONTENTS.codec),
)
