"""The problems, instructions and actions of checker jumping, and their text forms.

The cells of a row are numbered from 1 to 2n + 1, from left to right.
"""

from typing import Literal

from attrs import field, frozen, validators

from coc_core.text import Codec, Form, Forms, quoted

MAX_CHECKERS = 1000
"""The largest number of checkers of a colour."""

Side = Literal["red", "blue"]
SIDES: tuple[Side, Side] = ("red", "blue")

OTHER: dict[Side, Side] = {"red": "blue", "blue": "red"}
FORWARD: dict[Side, int] = {"red": 1, "blue": -1}
"""The direction in which the checkers of a colour move."""

_side = validators.in_(SIDES)
_cell = validators.and_(validators.ge(1), validators.le(2 * MAX_CHECKERS + 1))
_number = validators.and_(validators.ge(1), validators.le(MAX_CHECKERS))


@frozen
class Row:
    """A problem: swap n red checkers on the left of an empty cell with n blue ones on the right."""

    n: int = field(validator=_number)


@frozen
class Swap:
    """Swap the checkers in the cells `low` to `high`, k on each side of the middle. The colour `by` moves first."""

    by: Side = field(validator=_side)
    k: int = field(validator=_number)
    low: int = field(validator=_cell)
    high: int = field(validator=_cell)

    def __attrs_post_init__(self) -> None:
        if self.high - self.low != 2 * self.k:
            raise ValueError(f"cells {self.low} to {self.high} are not {self.k} on each side of a middle")


@frozen
class _JumpsAndSlide:
    """A run of `jumps` jumps and a slide by one colour, in either order. The cell `empty` is empty."""

    by: Side = field(validator=_side)
    jumps: int = field(validator=validators.ge(0))
    empty: int = field(validator=_cell)

    def __attrs_post_init__(self) -> None:
        _check_reach(self.by, self.empty, 2 * self.jumps + 1)


@frozen
class Out(_JumpsAndSlide):
    """The first run of a swap: `jumps` jumps by one colour, then a slide. The cell `empty` is empty."""


@frozen
class Back(_JumpsAndSlide):
    """The last run of a swap: a slide by one colour, then `jumps` jumps. The cell `empty` is empty."""


@frozen
class Leap:
    """A run of `jumps` jumps by one colour. The cell `empty` is empty."""

    by: Side = field(validator=_side)
    jumps: int = field(validator=validators.ge(1))
    empty: int = field(validator=_cell)

    def __attrs_post_init__(self) -> None:
        _check_reach(self.by, self.empty, 2 * self.jumps)


@frozen
class Move:
    """The action: move a checker of one colour from cell `src` to cell `dst`, by a slide or a jump."""

    by: Side = field(validator=_side)
    src: int = field(validator=_cell)
    dst: int = field(validator=_cell)


Instruction = Swap | Out | Back | Leap


def _parse_side(text: str) -> Side:
    for side in SIDES:
        if side == text:
            return side
    raise ValueError(f"{quoted(text, 24)} is not a colour; choose {' or '.join(SIDES)}")


_SIDE = Codec(_parse_side)

PROBLEMS: Forms[Row] = Forms(Form.of(Row, "n={n}"))
INSTRUCTIONS: Forms[Instruction] = Forms(
    Form.of(Swap, "SWAP by={by} k={k} low={low} high={high}", by=_SIDE),
    Form.of(Out, "OUT by={by} jumps={jumps} empty={empty}", by=_SIDE),
    Form.of(Back, "BACK by={by} jumps={jumps} empty={empty}", by=_SIDE),
    Form.of(Leap, "LEAP by={by} jumps={jumps} empty={empty}", by=_SIDE),
)
ACTIONS: Forms[Move] = Forms(Form.of(Move, "Move {by} from {src} to {dst}", by=_SIDE))


def _check_reach(by: Side, empty: int, length: int) -> None:
    """Raise ValueError unless the `length` cells behind the empty one are all in the row."""
    last = empty - FORWARD[by] * length
    if not 1 <= last <= 2 * MAX_CHECKERS + 1:
        raise ValueError(f"a run by {by} over {length} cells from cell {empty} leaves the row")
