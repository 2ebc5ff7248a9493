"""Pictures of the row: in plain text, and as a scene."""

from itertools import count

from coc_checkers.rules import EMPTY, State
from coc_core.domain import Column, Item, Scene


def render(state: State, width: int) -> str:
    """The row, its cells apart if they fit into `width` columns, else close together in as many lines as needed."""
    if 2 * len(state) - 1 <= width:
        return " ".join(state)
    return "\n".join(state[start : start + width] for start in range(0, len(state), width))


def scene(state: State) -> Scene:
    """A column for each cell. No checker passes one of its own colour, so counting from the left tells them apart."""
    numbers = {"R": count(1), "B": count(1)}
    return Scene(
        tuple(
            Column(str(cell), () if letter == EMPTY else (Item(f"{letter}{next(numbers[letter])}", letter),))
            for cell, letter in enumerate(state, 1)
        )
    )
