"""Pictures of the row: in plain text, and as a scene."""

from itertools import count

from coc_checkers.rules import EMPTY, State
from coc_core.domain import Column, Item, Scene


def render(state: State, width: int) -> str:
    """Draw the row with spaces between the cells, or without and on several lines if it does not fit into `width`."""
    if 2 * len(state) - 1 <= width:
        return " ".join(state)
    return "\n".join(state[start : start + width] for start in range(0, len(state), width))


def scene(state: State) -> Scene:
    """Make a scene with a column for each cell. Checkers of one colour never change order, so they are numbered."""
    numbers = {"R": count(1), "B": count(1)}
    return Scene(
        tuple(
            Column(str(cell), () if letter == EMPTY else (Item(f"{letter}{next(numbers[letter])}", letter),))
            for cell, letter in enumerate(state, 1)
        )
    )
