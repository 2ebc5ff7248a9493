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


ONE_ON_FOUR = Tower(1, 1, 4)
TWO_ON_FOUR = Tower(2, 1, 4)
THREE_ON_FOUR = Tower(3, 1, 4)
BACKWARDS_ON_FOUR = Tower(3, src=4, dst=2)

ON_FOUR: tuple[Case, ...] = (
    Case(ONE_ON_FOUR, _moves((1, 1, 4)), "optimal"),
    Case(ONE_ON_FOUR, _moves((1, 1, 3), (1, 3, 4)), "suboptimal"),
    Case(ONE_ON_FOUR, (), "incomplete"),
    Case(ONE_ON_FOUR, _moves((1, 1, 3)), "incomplete"),
    Case(ONE_ON_FOUR, _moves((1, 4, 1)), "illegal", reason="peg 4, which is empty", at=0),
    Case(TWO_ON_FOUR, _moves((1, 1, 2), (2, 1, 4), (1, 2, 4)), "optimal"),
    Case(TWO_ON_FOUR, _moves((1, 1, 2), (2, 1, 3), (2, 3, 4), (1, 2, 4)), "suboptimal"),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4), (2, 3, 4), (1, 2, 4)), "optimal"),
    Case(BACKWARDS_ON_FOUR, _moves((1, 4, 1), (2, 4, 3), (3, 4, 2), (2, 3, 2), (1, 1, 2)), "optimal"),
    Case(
        THREE_ON_FOUR,
        _moves((1, 1, 4), (2, 1, 3), (1, 4, 3), (3, 1, 4), (1, 3, 1), (2, 3, 4), (1, 1, 4)),
        "suboptimal",
    ),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 3), (3, 1, 4)), "incomplete"),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (2, 1, 2)), "illegal", reason="the smaller disk 1 of peg 2", at=1),
    Case(THREE_ON_FOUR, _moves((1, 1, 2), (3, 1, 4)), "illegal", reason="peg 1, which has disk 2 on top", at=1),
    Case(THREE_ON_FOUR, _moves((4, 1, 4)), "illegal", reason="disk 4 can't be taken", at=0),
)


@for_each("case", ON_THREE)
def test_each_plan_has_its_verdict(case):
    check_case(Hanoi(), case)


@for_each("case", ON_FOUR)
def test_each_plan_on_four_pegs_has_its_verdict(case):
    check_case(HanoiFour(), case)
