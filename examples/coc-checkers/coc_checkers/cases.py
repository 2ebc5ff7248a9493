"""Problems with plans of every verdict that there is.

None is suboptimal: whatever the order, n * n pairs of checkers pass each other, each by one jump, and 2n slides make up
the rest of the way. So every complete plan has the same length.
"""

from coc_checkers.records import Move, Row, Side
from coc_core.types import Case

ONE, TWO = Row(1), Row(2)


def _moves(*moves: tuple[Side, int, int]) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in moves)


CASES: tuple[Case[Move], ...] = (
    Case(ONE, _moves(("red", 1, 2), ("blue", 3, 1), ("red", 2, 3)), "optimal"),
    Case(ONE, _moves(("blue", 3, 2), ("red", 1, 3), ("blue", 2, 1)), "optimal"),
    Case(ONE, (), "incomplete"),
    Case(ONE, _moves(("red", 1, 2), ("blue", 3, 1)), "incomplete"),
    Case(ONE, _moves(("red", 2, 3)), "illegal", reason="cell 2, which is empty", at=0),
    Case(ONE, _moves(("blue", 1, 2)), "illegal", reason="cell 1, which holds a red checker", at=0),
    Case(ONE, _moves(("red", 1, 3)), "illegal", reason="can't go to cell 3, which holds a blue checker", at=0),
    Case(ONE, _moves(("red", 4, 2)), "illegal", reason="no cell 4, the last is 3", at=0),
    Case(ONE, _moves(("red", 1, 2), ("red", 2, 1)), "illegal", reason="red checkers move to the right", at=1),
    Case(
        TWO,
        _moves(
            ("red", 2, 3),
            ("blue", 4, 2),
            ("blue", 5, 4),
            ("red", 3, 5),
            ("red", 1, 3),
            ("blue", 2, 1),
            ("blue", 4, 2),
            ("red", 3, 4),
        ),
        "optimal",
    ),
    Case(TWO, _moves(("red", 1, 3)), "illegal", reason="over the red one in cell 2", at=0),
    Case(TWO, _moves(("red", 2, 3), ("blue", 5, 2)), "illegal", reason="from 5 to 2 are 3 cells", at=1),
    Case(TWO, _moves(("blue", 4, 3), ("blue", 5, 4), ("blue", 3, 5)), "illegal", reason="move to the left", at=2),
)
