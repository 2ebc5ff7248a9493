"""Problems with plans for each verdict."""

from coc_puzzles.blocksworld.domain import OneTower
from coc_puzzles.blocksworld.rules import Move, Rearrangement
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each


def _moves(*blocks: int) -> tuple[Move, ...]:
    return tuple(map(Move, blocks))


ONE = Rearrangement(((1,),), (1,))
SWAP = Rearrangement(((1, 2),), (2, 1))
SAME = Rearrangement(((1, 2),), (1, 2))

CASES: tuple[Case, ...] = (
    Case(ONE, (), "optimal"),
    Case(ONE, _moves(1, 1), "optimal"),
    Case(SWAP, _moves(2, 1, 2, 1), "optimal"),
    Case(SWAP, _moves(2, 2, 2, 1), "optimal"),
    Case(SAME, (), "optimal"),
    Case(SAME, _moves(2, 1, 1, 2), "suboptimal"),
    Case(SWAP, _moves(2, 1), "incomplete"),
    Case(SWAP, _moves(2, 1, 1, 2), "incomplete"),
    Case(SWAP, _moves(1), "illegal", reason="B2 lies on it", at=0),
    Case(SWAP, _moves(3), "illegal", reason="no block B3", at=0),
    Case(SWAP, _moves(2, 1, 2, 2), "illegal", reason="on itself", at=3),
    Case(SWAP, _moves(2, 1, 2, 1, 2), "illegal", reason="B1 lies on it", at=4),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(OneTower(), case)
