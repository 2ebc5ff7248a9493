"""Plans in PDDL are read strictly: what a validator would refuse is no plan here, either."""

import coc_core as coc
from tests.support.for_each import for_each


@for_each(
    ("line", "reason"),
    [
        ("(move d1 peg1 peg3)", "d1 is not on peg1"),
        ("(move d1 d2 peg2)", "peg2 is not clear"),
        ("(move d3 peg2 d1)", "can't lie on the smaller disk 1"),
    ],
)
def test_what_is_moved_is_where_the_action_says(line, reason):
    report = coc.validate("hanoi-any", line, problem="pegs=3 start=[1, 1, 2] goal=[1, 3, 2]", plan_format="pddl")
    assert report.verdict == "illegal"
    assert reason in report.reason
