"""The state of the puzzle: a row of cells, and which moves are legal."""

from collections.abc import Iterator, Mapping

from coc_checkers.records import FORWARD, OTHER, SIDES, Move, Side
from coc_core.domain import Operator

State = str
"""A letter for each cell: R, B, or _ for the empty one."""

EMPTY = "_"
LETTER: dict[Side, str] = {"red": "R", "blue": "B"}
_NAME = {"R": "holds a red checker", "B": "holds a blue checker", EMPTY: "is empty"}


def initial(n: int) -> State:
    """Return the start: all red checkers on the left, all blue ones on the right."""
    return "R" * n + EMPTY + "B" * n


def solved(n: int) -> State:
    """Return the goal: the colours swapped."""
    return "B" * n + EMPTY + "R" * n


def why_illegal(state: State, action: Move) -> str:
    """Return which rule an illegal move breaks."""
    by, src, dst = action.by, action.src, action.dst
    for cell in (src, dst):
        if cell > len(state):
            return f"there is no cell {cell}, the last is {len(state)}"
    if state[src - 1] != LETTER[by]:
        return f"no {by} checker can leave cell {src}, which {_NAME[state[src - 1]]}"
    if state[dst - 1] != EMPTY:
        return f"a checker can't go to cell {dst}, which {_NAME[state[dst - 1]]}"
    distance = (dst - src) * FORWARD[by]
    if distance < 0:
        return f"{by} checkers move to the {'right' if by == 'red' else 'left'}, not from {src} to {dst}"
    if distance > 2:
        return f"a checker slides or jumps over one, but {src} and {dst} are {distance} cells apart"
    return f"a {by} checker can't jump over the {by} one in cell {(src + dst) // 2}"


def operator(action: Move) -> Operator | None:
    """Return the cells that a move needs and sets; None for one that no rule allows."""
    by, src, dst = action.by, action.src, action.dst
    distance = (dst - src) * FORWARD[by]
    if distance not in (1, 2):
        return None
    jumped = {(src + dst) // 2: LETTER[OTHER[by]]} if distance == 2 else {}
    return Operator({src: LETTER[by], dst: EMPTY, **jumped}, {src: EMPTY, dst: LETTER[by]})


def assign(state: State, cells: Mapping[int, str]) -> State:
    """Return the state with other contents of some cells."""
    return "".join(cells.get(cell, letter) for cell, letter in enumerate(state, 1))


def every_action(state: State) -> Iterator[Move]:
    """Yield each move into the empty cell, from as far as a checker can come."""
    empty = state.index(EMPTY) + 1
    for by in SIDES:
        for distance in (1, 2):
            src = empty - FORWARD[by] * distance
            if 1 <= src <= len(state):
                yield Move(by, src, empty)
