import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_puzzles.river.domain import RiverCrossing
from coc_puzzles.river.people import pairs
from coc_puzzles.river.records import ACTIONS, INSTRUCTIONS, PROBLEMS, Crossing, Ferry, Row, Trip
from tests.support.for_each import for_each


@pytest.mark.parametrize(
    ("forms", "record", "text"),
    [
        (PROBLEMS, Crossing(3, 2), "pairs=3 boat=2"),
        (INSTRUCTIONS, Ferry(20, 4), "FERRY pairs=20 boat=4"),
        (INSTRUCTIONS, Trip(11, 3, 2), "TRIP number=11 pairs=3 boat=2"),
        (ACTIONS, Row(pairs(1, 1), "left"), "Row [A1, a1] to the left bank"),
    ],
)
def test_the_texts(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


@for_each(
    ("forms", "text", "complaint"),
    [
        (INSTRUCTIONS, "FERRY pairs=0 boat=4", "'pairs' must be >= 1"),
        (INSTRUCTIONS, "FERRY pairs=51 boat=4", "'pairs' must be <= 50"),
        (INSTRUCTIONS, "FERRY pairs=2 boat=11", "'boat' must be <= 10"),
        (INSTRUCTIONS, "TRIP number=12 pairs=3 boat=2", "no plan for 3 pairs and a boat of 2 has a crossing 12"),
        (INSTRUCTIONS, "TRIP number=1 pairs=4 boat=2", "no plan for 4 pairs"),
        (INSTRUCTIONS, "TRIP number=1 pairs=4 boat=4", "no plan for 4 pairs"),
        (INSTRUCTIONS, "TRIP number=0 pairs=3 boat=2", "'number' must be >= 1"),
        (ACTIONS, "Row [a1, A1] to the left bank", "a1 comes before A1; the order is A1, a1, A2, a2"),
        (ACTIONS, "Row [A1, A1] to the left bank", "A1 comes before A1"),
        (ACTIONS, "Row [] to the left bank", "'people' must be >= 1"),
        (ACTIONS, "Row [A1] to the other bank", "'bank' must be in"),
    ],
)
def test_what_makes_no_sense_is_refused(forms, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        forms.parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pairs=3 boat=0", "'boat' must be >= 1"),
        ("pairs=100000 boat=4", "'pairs' must be <= 50"),
        ("pairs=three boat=2", "not a problem of river-crossing"),
        ("n=3", "is not of the form 'pairs={pairs} boat={boat}'"),
    ],
)
def test_bad_problems_get_one_line(text, complaint):
    assert parse_problem(RiverCrossing(), '{"pairs": 3, "boat": 2}') == Crossing(3, 2)
    with pytest.raises(UsageError, match=complaint):
        parse_problem(RiverCrossing(), text)
