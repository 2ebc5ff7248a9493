"""The state of the puzzle: a row of cells, and which moves are legal."""

from collections.abc import Iterator, Mapping

from coc_checkers.records import FORWARD, OTHER, SIDES, Move, Side
from coc_core.domain import Operator
from coc_core.errors import ActionFault

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


def move(state: State, action: Move) -> State:
    """Return the state after a move.

    Raises:
        ActionFault: The move is illegal; the message says which rule it breaks.
    """
    by, src, dst = action.by, action.src, action.dst
    for cell in (src, dst):
        if cell > len(state):
            raise ActionFault(f"there is no cell {cell}, the last is {len(state)}")
    if state[src - 1] != LETTER[by]:
        raise ActionFault(f"no {by} checker can leave cell {src}, which {_NAME[state[src - 1]]}")
    if state[dst - 1] != EMPTY:
        raise ActionFault(f"a checker can't go to cell {dst}, which {_NAME[state[dst - 1]]}")
    distance = (dst - src) * FORWARD[by]
    if distance < 0:
        raise ActionFault(f"{by} checkers move to the {'right' if by == 'red' else 'left'}, not from {src} to {dst}")
    if distance > 2:
        raise ActionFault(f"a checker slides or jumps over one, but {src} and {dst} are {distance} cells apart")
    between = (src + dst) // 2
    if distance == 2 and state[between - 1] == LETTER[by]:
        raise ActionFault(f"a {by} checker can't jump over the {by} one in cell {between}")
    return _exchanged(state, src, dst)


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


def neighbours(state: State) -> Iterator[State]:
    """Yield the state after each legal move."""
    empty = state.index(EMPTY) + 1
    for by in SIDES:
        for distance in (1, 2):
            src = empty - FORWARD[by] * distance
            if 1 <= src <= len(state) and state[src - 1] == LETTER[by]:
                between = state[(src + empty) // 2 - 1]
                if distance == 1 or between == LETTER[OTHER[by]]:
                    yield _exchanged(state, src, empty)


def _exchanged(state: State, one: int, other: int) -> State:
    first, last = sorted((one, other))
    return state[: first - 1] + state[last - 1] + state[first : last - 1] + state[first - 1] + state[last:]
