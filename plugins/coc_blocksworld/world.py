"""The state of the puzzle: which block is on which, and what `Move block` does.

An output line names a block but no destination, which follows from the paper's strategy: of the 2n moves, the first n
put a block on the table, and the others put a block on the new tower. A block must be clear. Moving a block to where it
already is is legal and changes nothing.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from coc_blocksworld.pictures import draw
from coc_blocksworld.towers import Tower, Towers
from coc_core.domain import Column, Item, Scene
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


def move(state: Blocks, block: int) -> Blocks:
    """Return the state after a block is moved.

    Raises:
        ActionFault: The block can't be moved.
    """
    place = destination(state, block)
    below = (*state.below[: block - 1], place, *state.below[block:])
    building = state.moves >= len(state.below)
    return evolve(state, below=below, moves=state.moves + 1, top=block if building else state.top)


def effect(state: Blocks, block: int) -> str | None:
    """Return the move with its origin and destination, or None if it changes nothing."""
    place, lower = destination(state, block), state.below[block - 1]
    return None if place == lower else _MOVES.format(_Physical(block, lower, place))


def moves_for(state: Blocks, text: str) -> tuple[int, ...]:
    """Return the blocks to move for a physical move, as `effect` writes it: the last one makes it.

    The ones before it stay where they are, and bring the strategy to where it puts the block there.

    Raises:
        ValueError: The text is not one of a move.
        ActionFault: The strategy does not move the block like that.
    """
    wanted = _MOVES.parse(text)
    block, place, found = wanted.block, wanted.to, list[int]()
    while destination(state, block) != place:
        still = _still(state, place)
        if still is None:
            raise ActionFault(
                f"block B{block} can't be put on {_place(place)} now: all blocks go to the table, then on the new tower"
            )
        found.append(still)
        state = move(state, still)
    if state.below[block - 1] != wanted.origin:
        raise ActionFault(f"block B{block} is on {_place(state.below[block - 1])}, not on {_place(wanted.origin)}")
    return (*found, block)


def _still(state: Blocks, place: int) -> int | None:
    """Return a block that the next move leaves on the table; to begin the new tower, the block `place`."""
    alone = [block for block, lower in enumerate(state.below, 1) if lower == TABLE and block not in state.below]
    if state.moves < len(state.below):
        return alone[0] if alone else None
    return place if place in alone and state.top == TABLE else None


def neighbours(state: Blocks) -> Iterator[Blocks]:
    """Yield the state after each move of a clear block to the table or onto a clear block. Moves are not counted."""
    clear = {*range(TABLE, len(state.below) + 1)}.difference(state.below) | {TABLE}
    for block in clear - {TABLE}:
        for place in clear - {block, state.below[block - 1]}:
            yield Blocks((*state.below[: block - 1], place, *state.below[block:]))


def _place(lower: int) -> str:
    return f"b{lower}" if lower != TABLE else "table"


def _parse_place(text: str) -> int:
    return TABLE if text == "table" else _LOWER.parse(text)


@frozen
class _Physical:
    """A move with its origin and its destination."""

    block: int
    origin: int
    to: int


_LOWER = item_codec("b", "block")
_PLACE = Codec(_parse_place, _place)
_MOVES: Forms[_Physical] = Forms(
    Form.of(_Physical, "{block} from {origin} to {to}", block=_LOWER, origin=_PLACE, to=_PLACE)
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


def render(state: Blocks, width: int) -> str:
    """Draw the towers side by side, or as lines of text, from the table up, if they don't fit."""
    return draw([[f"B{block}" for block in tower] for tower in towers(state)], width)


def scene(state: Blocks) -> Scene:
    """Make a scene of the towers. Each block has its own place on the table, so that towers don't move sideways."""
    by_base = {tower[0]: tower for tower in towers(state)}
    return Scene(
        tuple(
            Column("", tuple(Item(f"B{block}", f"B{block}") for block in by_base.get(base, ())))
            for base in range(1, len(state.below) + 1)
        )
    )
