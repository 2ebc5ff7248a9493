"""Problems with plans for each verdict."""

from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.blocksworld.blocks.problem import Problem
from coc_puzzles.blocksworld.blocks.rules import PickUp, PutDown, Stack, Unstack
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each

SWAP = Problem((("a", "b"),), (), (("on", "a", "b"),))
CLEAR = Problem((("a", "b"), ("c",)), (), (("clear", "a"), ("handempty",)))
HELD = Problem((("a",),), ("b",), (("on", "b", "a"),))
FETCH = Problem((("a", "b"),), (), (("holding", "a"),))
SAME = Problem((("a",),), ("b",), (("clear", "a"),))

_FREED = (Unstack(2, 1), PutDown(2))

CASES: tuple[Case, ...] = (
    Case(SAME, (), "optimal"),
    Case(SAME, (PutDown(2),), "suboptimal"),
    Case(SWAP, (*_FREED, PickUp(1), Stack(1, 2)), "optimal"),
    Case(SWAP, (*_FREED, PickUp(1), PutDown(1), PickUp(1), Stack(1, 2)), "suboptimal"),
    Case(SWAP, _FREED, "incomplete"),
    Case(CLEAR, (Unstack(2, 1), Stack(2, 3)), "optimal"),
    Case(CLEAR, (Unstack(2, 1),), "incomplete"),
    Case(HELD, (Stack(2, 1),), "optimal"),
    Case(HELD, (PutDown(2), PickUp(2), Stack(2, 1)), "suboptimal"),
    Case(FETCH, (*_FREED, PickUp(1)), "optimal"),
    Case(SWAP, (PickUp(1),), "illegal", reason="b is on a", at=0),
    Case(SWAP, (PickUp(2),), "illegal", reason="b is not on the table", at=0),
    Case(SWAP, (Unstack(1, 2),), "illegal", reason="a is not on b", at=0),
    Case(SWAP, (Unstack(2, 1), PickUp(1)), "illegal", reason="the hand is not empty: it holds b", at=1),
    Case(SWAP, (PutDown(2),), "illegal", reason="the hand does not hold b", at=0),
    Case(SWAP, (PickUp(3),), "illegal", reason="no block B3", at=0),
    Case(HELD, (Stack(2, 2),), "illegal", reason="b is in the hand", at=0),
    Case(CLEAR, (PickUp(3), Stack(3, 1)), "illegal", reason="b is on a", at=1),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(Blocks(), case)
