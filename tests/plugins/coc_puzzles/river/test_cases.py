"""Problems with plans for each verdict: optimal, suboptimal, incomplete and illegal."""

from coc_puzzles.river.domain import RiverCrossing
from coc_puzzles.river.records import ACTIONS, Crossing, Row
from tests.support.cases import Case, check_case
from tests.support.for_each import for_each


def _rows(*crossings: str) -> tuple[Row, ...]:
    """The crossings of these people, to the right and back in turn."""
    banks = ("right", "left") * len(crossings)
    return tuple(
        ACTIONS.parse(f"Row [{people}] to the {bank} bank") for people, bank in zip(crossings, banks, strict=False)
    )


ONE = Crossing(1, 2)
TWO = Crossing(2, 2)
WIDE = Crossing(2, 3)
THREE = Crossing(3, 4)

CASES: tuple[Case, ...] = (
    Case(ONE, _rows("A1, a1"), "optimal"),
    Case(ONE, _rows("a1", "a1", "A1, a1"), "suboptimal"),
    Case(ONE, (), "incomplete"),
    Case(ONE, _rows("A1"), "incomplete"),
    Case(ONE, _rows("A1, a1", "A1"), "incomplete"),
    Case(ONE, _rows("A1", "a1"), "illegal", reason="a1 is not on the right bank", at=1),
    Case(ONE, _rows("A2"), "illegal", reason="A2 is not on the left bank", at=0),
    Case(ONE, _rows("A1", "A1")[1:], "illegal", reason="the boat is at the left bank already", at=0),
    Case(TWO, _rows("A1, a1", "A1", "A1, A2", "a1", "a1, a2"), "optimal"),
    Case(TWO, _rows("a1, a2", "a1", "A1, A2", "a2", "a1, a2"), "optimal"),
    Case(TWO, _rows("A1, a1, A2"), "illegal", reason="the boat takes 2, not 3", at=0),
    Case(TWO, _rows("a1, A2"), "illegal", reason="a1 is with A2, but without A1 in the boat", at=0),
    Case(TWO, _rows("A1"), "illegal", reason="a1 is with A2, but without A1 on the left bank", at=0),
    Case(TWO, _rows("a1, a2", "a1", "A1, a1"), "illegal", reason="without A2 on the right bank", at=2),
    Case(WIDE, _rows("A1, a1, A2", "a1", "a1, a2"), "optimal"),
    Case(THREE, _rows("A2, a2, A3, a3", "A2, a2", "A1, a1, A2, a2"), "optimal"),
    Case(THREE, _rows("A2, a2, A3, a3", "A2, a2", "A1, a1"), "incomplete"),
)


@for_each("case", CASES)
def test_each_plan_has_its_verdict(case):
    check_case(RiverCrossing(), case)
