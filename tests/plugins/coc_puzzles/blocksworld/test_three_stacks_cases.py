"""Problems with plans for each verdict: optimal, suboptimal, incomplete and illegal."""

from coc_puzzles.blocksworld.three_stacks import Move, Rearrangement, ThreeStacks
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each


def _moves(*moves: tuple[int, int, int]) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in moves)


ONE = Rearrangement(((1,), (), ()), ((), (), (1,)))
SAME = Rearrangement(((1,), (), (2,)), ((1,), (), (2,)))
SWAP = Rearrangement(((1, 2), (), ()), ((2, 1), (), ()))
TURN = Rearrangement(((1, 2, 3), (), ()), ((), (1, 2, 3), ()))

CASES: tuple[Case, ...] = (
    Case(ONE, _moves((1, 1, 3)), "optimal"),
    Case(ONE, _moves((1, 1, 2), (1, 2, 3)), "suboptimal"),
    Case(ONE, (), "incomplete"),
    Case(ONE, _moves((1, 1, 2)), "incomplete"),
    Case(ONE, _moves((1, 2, 3)), "illegal", reason="stack 2, which is empty", at=0),
    Case(SAME, (), "optimal"),
    Case(SWAP, _moves((2, 1, 2), (1, 1, 3), (2, 2, 1), (1, 3, 1)), "optimal"),
    Case(SWAP, _moves((1, 1, 2)), "illegal", reason="stack 1, which has B2 on top", at=0),
    Case(SWAP, _moves((2, 1, 2), (3, 1, 3)), "illegal", reason="stack 1, which has B1 on top", at=1),
    Case(TURN, _moves((3, 1, 3), (2, 1, 3), (1, 1, 2), (2, 3, 2), (3, 3, 2)), "optimal"),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(ThreeStacks(), case)
