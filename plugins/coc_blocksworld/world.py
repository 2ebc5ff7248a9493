"""The world of the puzzle: what lies on what, and what `Move block` does.

An output line names a block and no place. What it does follows from the rules of the strategy alone: of the 2n moves
the first n take a block to the table, and the others put a block on the tower that is being built. A block must be
clear. A move that takes a block to where it already lies is legal and does nothing.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from coc_blocksworld.towers import Tower, Towers
from coc_core.domain import Column, Item, Scene
from coc_core.errors import ActionFault

TABLE = 0


@frozen
class Blocks:
    """`below[b - 1]` is what block b lies on, a block or the TABLE; `top` is the new tower's last block, if any."""

    below: tuple[int, ...]
    moves: int = 0
    top: int = TABLE


def placed(towers: Towers) -> Blocks:
    """The state in which the blocks stand like this."""
    below = {block: support for tower in towers for support, block in zip((TABLE, *tower), tower, strict=False)}
    return Blocks(tuple(below[block] for block in sorted(below)))


def destination(state: Blocks, block: int) -> int:
    """What the next move puts `block` on; ActionFault if it can't be moved."""
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
    """The state after the move; ActionFault if it is illegal."""
    place = destination(state, block)
    below = (*state.below[: block - 1], place, *state.below[block:])
    building = state.moves >= len(state.below)
    return evolve(state, below=below, moves=state.moves + 1, top=block if building else state.top)


def effect(state: Blocks, block: int) -> str | None:
    """The move with its places, or None if it changes nothing."""
    place, lower = destination(state, block), state.below[block - 1]
    return None if place == lower else f"b{block} from {_place(lower)} to {_place(place)}"


def neighbours(state: Blocks) -> Iterator[Blocks]:
    """The states after each move of a clear block to the table or onto another clear one, no move counted."""
    clear = {*range(TABLE, len(state.below) + 1)}.difference(state.below) | {TABLE}
    for block in clear - {TABLE}:
        for place in clear - {block, state.below[block - 1]}:
            yield Blocks((*state.below[: block - 1], place, *state.below[block:]))


def _place(lower: int) -> str:
    return f"b{lower}" if lower != TABLE else "table"


def standing(state: Blocks) -> Towers:
    """The towers, each from the table up, by their lowest blocks."""
    above = {lower: block for block, lower in enumerate(state.below, 1) if lower != TABLE}
    found: list[Tower] = []
    for base in (block for block, lower in enumerate(state.below, 1) if lower == TABLE):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found.append(tuple(tower))
    return tuple(found)


def render(state: Blocks, width: int) -> str:
    """The towers side by side; as lines of text, from the table up, where they don't fit."""
    towers = standing(state)
    cell = len(f"[B{len(state.below)}]")
    if len(towers) * (cell + 1) - 1 > width:
        return "\n".join(" ".join(f"B{block}" for block in tower) for tower in towers)
    rows = [
        " ".join((f"[B{tower[level]}]" if level < len(tower) else "").center(cell) for tower in towers).rstrip()
        for level in range(max(map(len, towers)) - 1, -1, -1)
    ]
    return "\n".join((*rows, "─" * (len(towers) * (cell + 1) - 1)))


def scene(state: Blocks) -> Scene:
    """The towers. Each block has a place of its own on the table, so that a tower stays where its lowest block lies."""
    towers = {tower[0]: tower for tower in standing(state)}
    return Scene(
        tuple(
            Column("", tuple(Item(f"B{block}", f"B{block}") for block in towers.get(base, ())))
            for base in range(1, len(state.below) + 1)
        )
    )
