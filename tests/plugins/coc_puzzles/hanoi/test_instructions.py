import pytest

from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import MOST_DISKS, Call, Move, Tower
from tests.support.for_each import for_each

PROBLEMS, INSTRUCTIONS, ACTIONS = Hanoi.problems, Hanoi.instructions, Hanoi.actions


@pytest.mark.parametrize(
    ("forms", "record", "text"),
    [
        (INSTRUCTIONS, Call(3, 1, 3, 2), "CALL n=3 src=1 dst=3 aux=2"),
        (INSTRUCTIONS, Move(3, 1, 3), "MOVE d=3 src=1 dst=3"),
        (ACTIONS, Move(3, 1, 3), "Move disk 3 from 1 to 3"),
        (PROBLEMS, Tower(3, 1, 3), "n=3 src=1 dst=3"),
    ],
)
def test_each_is_written_as_in_the_paper(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


@for_each(
    "text",
    [
        "CALL n=0 src=1 dst=3 aux=2",
        f"CALL n={MOST_DISKS + 1} src=1 dst=3 aux=2",
        "CALL n=3 src=1 dst=3 aux=1",
        "CALL n=3 src=1 dst=1 aux=2",
        "CALL n=3 src=0 dst=3 aux=2",
        "CALL n=3 src=1 dst=4 aux=2",
        "CALL n=3 src=1 dst=3",
        "CALL n=03 src=1 dst=3 aux=2",
        "MOVE d=0 src=1 dst=3",
        "MOVE d=1 src=2 dst=2",
        "call n=3 src=1 dst=3 aux=2",
        "CALL  n=3 src=1 dst=3 aux=2",
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 — each has a message of its own
        INSTRUCTIONS.parse(text)


@pytest.mark.parametrize("record", [Tower, Move])
def test_the_pegs_must_differ(record):
    with pytest.raises(ValueError, match="the pegs must differ, not be 2, 2"):
        record(1, 2, 2)
