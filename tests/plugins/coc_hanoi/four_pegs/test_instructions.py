import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_hanoi.four_pegs.domain import HanoiFour
from coc_hanoi.four_pegs.instructions import ACTIONS, INSTRUCTIONS, PROBLEMS, Move, OnFour, OnThree, Tower, Transfer
from tests.support.for_each import for_each


@pytest.mark.parametrize(
    ("forms", "record", "text"),
    [
        (INSTRUCTIONS, OnFour(10, 1, 4, 2, 3), "CALL pegs=4 n=10 src=1 dst=4 aux=2 spare=3"),
        (INSTRUCTIONS, OnThree(10, 4, 1, 4, 3), "CALL pegs=3 n=10 count=4 src=1 dst=4 aux=3"),
        (INSTRUCTIONS, Transfer(3, 1, 4), "MOVE d=3 src=1 dst=4"),
        (ACTIONS, Move(3, 1, 4), "Move disk 3 from 1 to 4"),
        (PROBLEMS, Tower(3, 4, 1), "n=3 src=4 dst=1"),
    ],
)
def test_the_texts(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


@for_each(
    "text",
    [
        "CALL pegs=4 n=0 src=1 dst=4 aux=2 spare=3",
        "CALL pegs=4 n=65 src=1 dst=4 aux=2 spare=3",
        "CALL pegs=4 n=3 src=1 dst=4 aux=2 spare=2",
        "CALL pegs=4 n=3 src=1 dst=4 aux=2 spare=5",
        "CALL pegs=3 n=3 count=4 src=1 dst=4 aux=2",
        "CALL pegs=3 n=3 count=0 src=1 dst=4 aux=2",
        "CALL pegs=3 n=3 count=1 src=1 dst=4 aux=4",
        "CALL pegs=5 n=3 count=1 src=1 dst=4 aux=2",
        "CALL n=3 src=1 dst=3 aux=2",
        "MOVE d=1 src=2 dst=2",
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 — each has a message of its own
        INSTRUCTIONS.parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("n=3 src=1 dst=5", "'dst' must be in"),
        ("n=3 src=2 dst=2", "the pegs must differ, not be 2, 2"),
        ("n=65 src=1 dst=2", "'n' must be <= 64"),
    ],
)
def test_problems_are_typed_as_those_of_three_pegs_are(text, complaint):
    assert parse_problem(HanoiFour(), "n=3 src=2 dst=4") == Tower(3, 2, 4)
    assert parse_problem(HanoiFour(), '{"n": 3, "src": 2, "dst": 4}') == Tower(3, 2, 4)
    with pytest.raises(UsageError, match=complaint):
        parse_problem(HanoiFour(), text)
