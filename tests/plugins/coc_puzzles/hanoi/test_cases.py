"""Problems with plans for each verdict: optimal, suboptimal, incomplete and illegal."""

from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.four_pegs import HanoiFour
from coc_puzzles.hanoi.instructions import Move, Tower
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each


def _moves(*moves: tuple[int, int, int]) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in moves)


ONE = Tower(1)
TWO = Tower(2)
THREE = Tower(3)
BACKWARDS = Tower(2, src=3, dst=1)

ON_THREE: tuple[Case, ...] = (
    Case(ONE, _moves((1, 1, 3)), "optimal"),
    Case(ONE, _moves((1, 1, 2), (1, 2, 3)), "suboptimal"),
    Case(ONE, (), "incomplete"),
    Case(ONE, _moves((1, 1, 2)), "incomplete"),
    Case(ONE, _moves((1, 2, 3)), "illegal", reason="peg 2, which is empty", at=0),
    Case(TWO, _moves((1, 1, 2), (2, 1, 3), (1, 2, 3)), "optimal"),
    Case(BACKWARDS, _moves((1, 3, 2), (2, 3, 1), (1, 2, 1)), "optimal"),
    Case(TWO, _moves((1, 1, 3), (1, 3, 2), (2, 1, 3), (1, 2, 3)), "suboptimal"),
    Case(TWO, _moves((1, 1, 2), (2, 1, 3)), "incomplete"),
    Case(TWO, _moves((1, 1, 2), (2, 1, 2)), "illegal", reason="the smaller disk 1 of peg 2", at=1),
    Case(TWO, _moves((2, 1, 3)), "illegal", reason="peg 1, which has disk 1 on top", at=0),
    Case(TWO, _moves((3, 1, 3)), "illegal", reason="disk 3 can't be taken", at=0),
    Case(
        THREE,
        _moves((1, 1, 3), (2, 1, 2), (1, 3, 2), (3, 1, 3), (1, 2, 1), (2, 2, 3), (1, 1, 3)),
        "optimal",
    ),
    Case(THREE, _moves((1, 1, 3), (2, 1, 2), (1, 3, 2), (3, 1, 2)), "illegal", reason="the smaller disk 1", at=3),
)


THREE_ON_FOUR = Tower(3, 1, 4)

ON_FOUR: tuple[Case, ...] = (
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4), (2, 3, 4), (1, 2, 4)), "optimal"),
    Case(
        THREE_ON_FOUR,
        _moves((1, 1, 4), (2, 1, 3), (1, 4, 3), (3, 1, 4), (1, 3, 1), (2, 3, 4), (1, 1, 4)),
        "suboptimal",
    ),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4)), "incomplete"),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 2)), "illegal", reason="the smaller disk 1 of peg 2", at=1),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (3, 1, 4)), "illegal", reason="peg 1, which has disk 2 on top", at=1),
)


@for_each("case", ON_THREE)
def test_each_plan_has_its_verdict(case):
    check_case(Hanoi(), case)


@for_each("case", ON_FOUR)
def test_each_plan_on_four_pegs_has_its_verdict(case):
    check_case(HanoiFour(), case)
