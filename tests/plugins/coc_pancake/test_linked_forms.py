"""The texts of records, and of the instructions that name them."""

import pytest

from coc_core.domain import At, Record, split_record, without_record
from coc_pancake.linked import Contents, Join, LinkedPancake, Lowest, Settle, Turn
from tests.support.for_each import for_each

INSTRUCTIONS = LinkedPancake.instructions

SEEN = Contents(None, 4, 2)
TEXTS = [
    ("P1: below=[] above=[P4] next=[P2]", Record(1, SEEN)),
    ("CALL settle top=P3 AT P1: below=[] above=[P4] next=[P2]", Settle(3, At(1, SEEN))),
    ("CALL settle top=P3 AT P1", Settle(3, At(1))),
    ("CALL lowest turn=[] top=P3 next=P2 AT P1", Lowest(None, 3, 2, At(1))),
    ("CALL lowest turn=[P5] top=P3 next=P2 AT P1", Lowest(5, 3, 2, At(1))),
    ("CALL join turn=P5 next=P2 AT P1", Join(5, 2, At(1))),
    ("CALL turn below=[P3] next=P2 AT P1", Turn(3, 2, At(1))),
]


@for_each(("text", "value"), TEXTS)
def test_texts_are_read_and_written(text, value):
    assert INSTRUCTIONS.parse(text) == value
    assert INSTRUCTIONS.format(value) == text
    record = isinstance(value, Record)
    assert (split_record(text) is not None) == record
    assert record or " below=" not in without_record(text).partition(" AT ")[2]


@for_each(
    ("text", "complaint"),
    [
        ("P1: below=[P2, P3] above=[] next=[]", "has more than one pancake"),
        ("P1: below=[B2] above=[] next=[]", "'B2' is not a pancake"),
        ("P1: below=P2 above=[] next=[]", "'P2' is not a list of pancakes"),
        ("P1: below=[] above=[]", "not of the form"),
        ("P0: below=[] above=[] next=[]", "'P0' is not a pancake"),
        ("CALL settle top=[] AT P1", "is not a pancake"),
        ("CALL settle top=P1 AT P1:", "'1:' is not"),
        ("CALL settle top=P1 AT P1: next=[]", "not of the form"),
    ],
)
def test_other_texts_are_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        INSTRUCTIONS.parse(text)
