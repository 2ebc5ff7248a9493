"""Problems with plans for each verdict that is possible.

No plan is suboptimal: in any order, each of the n * n pairs of a red and a blue checker passes by one jump, and 2n
slides make up the rest of the distance. So all complete plans have the same length.
"""

from typing import NamedTuple

import pytest

from coc_checkers.domain import Checkers
from coc_checkers.records import Move, Row, Side
from coc_problems import optimum, validate

ONE, TWO = Row(1), Row(2)


class Case(NamedTuple):
    """A plan of a problem, and its verdict; of an illegal one, which action is illegal, and why."""

    problem: Row
    plan: tuple[Move, ...]
    verdict: str
    reason: str = ""
    at: int | None = None


def _moves(*moves: tuple[Side, int, int]) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in moves)


CASES: tuple[Case, ...] = (
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
    Case(TWO, _moves(("red", 2, 3), ("blue", 5, 2)), "illegal", reason="5 and 2 are 3 cells apart", at=1),
    Case(TWO, _moves(("blue", 4, 3), ("blue", 5, 4), ("blue", 3, 5)), "illegal", reason="move to the left", at=2),
)


@pytest.mark.parametrize("case", CASES)
def test_each_plan_has_its_verdict(case):
    found = validate(Checkers(), case.problem, case.plan)
    assert (found.verdict, found.at) == ("complete" if case.verdict == "optimal" else case.verdict, case.at)
    assert case.reason in found.reason
    assert case.verdict != "optimal" or found.moves == optimum(Checkers(), case.problem)
