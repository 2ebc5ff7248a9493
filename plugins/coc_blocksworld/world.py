"""The state of the puzzle: which block is on which, and what `Move block` does.

An output line names a block but no destination, which follows from the paper's strategy: of the 2n moves, the first n
put a block on the table, and the others put a block on the new tower. A block must be clear. Moving a block to where it
already is is legal and changes nothing.
"""

from attrs import frozen

from coc_blocksworld.towers import Tower, Towers
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, item_codec

TABLE = 0


@frozen
class Blocks:
    """The state.

    Attributes:
        below: What each block is on: `below[b - 1]` is a block, or the TABLE, for block b.
        moves: The number of moves so far.
        top: The top of the new tower, the TABLE if there is none.
    """

    below: tuple[int, ...]
    moves: int = 0
    top: int = TABLE


def placed(start: Towers) -> Blocks:
    """Return the state with these towers."""
    below = {block: support for tower in start for support, block in zip((TABLE, *tower), tower, strict=False)}
    return Blocks(tuple(below[block] for block in sorted(below)))


def destination(state: Blocks, block: int) -> int:
    """Return what the next move puts a block on.

    Raises:
        ActionFault: The block can't be moved.
    """
    if not 1 <= block <= len(state.below):
        raise ActionFault(f"there is no block B{block}")
    if block in state.below:
        raise ActionFault(f"block B{block} can't be moved: B{state.below.index(block) + 1} lies on it")
    if state.moves < len(state.below):
        return TABLE
    if block == state.top:
        raise ActionFault(f"block B{block} can't be put on itself")
    return state.top


def still(state: Blocks, place: int) -> int | None:
    """Return a block that the next move leaves on the table; to begin the new tower, the block `place`."""
    alone = [block for block, lower in enumerate(state.below, 1) if lower == TABLE and block not in state.below]
    if state.moves < len(state.below):
        return alone[0] if alone else None
    return place if place in alone and state.top == TABLE else None


def _place(lower: int) -> str:
    return f"b{lower}" if lower != TABLE else "table"


def _parse_place(text: str) -> int:
    return TABLE if text == "table" else _LOWER.parse(text)


@frozen
class PhysicalMove:
    """A move with its origin and its destination."""

    block: int
    origin: int
    to: int


_LOWER = item_codec("b", "block")
PLACE = Codec(_parse_place, _place)
MOVES: Forms[PhysicalMove] = Forms(
    Form.of(PhysicalMove, "{block} from {origin} to {to}", block=_LOWER, origin=PLACE, to=PLACE)
)


def towers(state: Blocks) -> Towers:
    """Return the towers, each from the table up, in the order of their lowest blocks."""
    above = {lower: block for block, lower in enumerate(state.below, 1) if lower != TABLE}
    found: list[Tower] = []
    for base in (block for block, lower in enumerate(state.below, 1) if lower == TABLE):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found.append(tuple(tower))
    return tuple(found)
