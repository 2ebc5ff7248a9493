"""Problems with plans for each verdict: optimal, suboptimal, incomplete and illegal."""

from coc_hanoi.four_pegs.domain import HanoiFour
from coc_hanoi.four_pegs.instructions import Move, Tower
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each


def _moves(*moves: tuple[int, int, int]) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in moves)


ONE = Tower(1)
TWO = Tower(2)
THREE = Tower(3)
BACKWARDS = Tower(3, src=4, dst=2)

CASES: tuple[Case, ...] = (
    Case(ONE, _moves((1, 1, 4)), "optimal"),
    Case(ONE, _moves((1, 1, 3), (1, 3, 4)), "suboptimal"),
    Case(ONE, (), "incomplete"),
    Case(ONE, _moves((1, 1, 3)), "incomplete"),
    Case(ONE, _moves((1, 4, 1)), "illegal", reason="peg 4, which is empty", at=0),
    Case(TWO, _moves((1, 1, 2), (2, 1, 4), (1, 2, 4)), "optimal"),
    Case(TWO, _moves((1, 1, 2), (2, 1, 3), (2, 3, 4), (1, 2, 4)), "suboptimal"),
    Case(THREE, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4), (2, 3, 4), (1, 2, 4)), "optimal"),
    Case(BACKWARDS, _moves((1, 4, 1), (2, 4, 3), (3, 4, 2), (2, 3, 2), (1, 1, 2)), "optimal"),
    Case(
        THREE,
        _moves((1, 1, 4), (2, 1, 3), (1, 4, 3), (3, 1, 4), (1, 3, 1), (2, 3, 4), (1, 1, 4)),
        "suboptimal",
    ),
    Case(THREE, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4)), "incomplete"),
    Case(THREE, _moves((1, 1, 2), (2, 1, 2)), "illegal", reason="the smaller disk 1 of peg 2", at=1),
    Case(THREE, _moves((1, 1, 2), (3, 1, 4)), "illegal", reason="peg 1, which has disk 2 on top", at=1),
    Case(THREE, _moves((4, 1, 4)), "illegal", reason="disk 4 can't be taken", at=0),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(HanoiFour(), case)
