"""Problems with plans for each verdict."""

from coc_puzzles.pancake.domain import Pancake
from coc_puzzles.pancake.records import FlipFrom, FlipInto, Order
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each

SORTED = Order((1, 2, 3), (1, 2, 3))
UPSIDE_DOWN = Order((3, 2, 1), (1, 2, 3))
TWISTED = Order((2, 1, 3), (1, 2, 3))

CASES: tuple[Case, ...] = (
    Case(SORTED, (), "optimal"),
    Case(SORTED, (FlipFrom(3), FlipInto(3)), "optimal"),
    Case(UPSIDE_DOWN, (FlipInto(1),), "optimal"),
    Case(UPSIDE_DOWN, (FlipFrom(1), FlipInto(1)), "optimal"),
    Case(UPSIDE_DOWN, (FlipFrom(2), FlipFrom(1), FlipInto(1)), "suboptimal"),
    Case(TWISTED, (FlipFrom(1), FlipInto(1), FlipFrom(2), FlipInto(2)), "optimal"),
    Case(TWISTED, (), "incomplete"),
    Case(TWISTED, (FlipFrom(1),), "incomplete"),
    Case(TWISTED, (FlipFrom(4),), "illegal", reason="no pancake P4", at=0),
    Case(TWISTED, (FlipFrom(1), FlipInto(9)), "illegal", reason="no pancake P9", at=1),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(Pancake(), case)
