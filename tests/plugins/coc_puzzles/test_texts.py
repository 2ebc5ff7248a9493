"""Texts of the puzzles: what is written is read again, and what makes no sense is refused in one line."""

import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from coc_puzzles.hanoi.any_state import HanoiAny
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.four_pegs import HanoiFour, OnFour, OnThree
from coc_puzzles.hanoi.instructions import MOST_DISKS, Call, Move, Tower
from coc_puzzles.pancake.domain import Pancake
from coc_puzzles.river import domain as river
from coc_puzzles.river.domain import RiverCrossing, pairs
from tests.support.for_each import for_each

RIVER = RiverCrossing()
SAID = [
    (Hanoi.instructions, Call(3, 1, 3, 2), "CALL n=3 src=1 dst=3 aux=2"),
    (Hanoi.instructions, Move(3, 1, 3), "MOVE d=3 src=1 dst=3"),
    (Hanoi.actions, Move(3, 1, 3), "Move disk 3 from 1 to 3"),
    (Hanoi.problems, Tower(3, 1, 3), "n=3 src=1 dst=3"),
    (HanoiFour.instructions, OnFour(10, 1, 4, 2, 3), "CALL pegs=4 n=10 src=1 dst=4 aux=2 spare=3"),
    (HanoiFour.instructions, OnThree(10, 4, 1, 4, 3), "CALL pegs=3 n=10 count=4 src=1 dst=4 aux=3"),
    (HanoiFour.problems, Tower(3, 4, 1), "n=3 src=4 dst=1"),
    (RIVER.instructions, river.Ferry(20, 4), "FERRY pairs=20 boat=4"),
    (RIVER.instructions, river.Trip(11, 3, 2), "TRIP number=11 pairs=3 boat=2"),
    (RIVER.actions, river.Row(pairs(1, 1), "left"), "Row [A1, a1] to the left bank"),
]


@for_each(("forms", "record", "text"), SAID)
def test_what_is_written_is_read(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


PROBLEMS = [
    (HanoiFour(), "n=3 src=2 dst=4", '{"n": 3, "src": 2, "dst": 4}'),
    (RIVER, "pairs=3 boat=2", '{"pairs": 3, "boat": 2}'),
    (Pancake(), "start=[P2, P1] & goal=[P1, P2]", '{"start": ["P2", "P1"], "goal": ["P1", "P2"]}'),
    (OneTower(), "start=[B1, B2] & goal=[B2, B1]", '{"start": ["B1", "B2"], "goal": ["B2", "B1"]}'),
    (SeveralTowers(), "start=[[B1], [B2]] & goal=[B2, B1]", '{"start": [["B1"], ["B2"]], "goal": ["B2", "B1"]}'),
    (
        Blocks(),
        "start=[[red-block, a], [object_7]] & hand=[B] & goal=[on a B, clear object_7, handempty]",
        '{"start": [["red-block", "a"], ["object_7"]], "hand": ["B"], "goal": ["on a B", "clear object_7", "handempty"]}',
    ),
]


@for_each(("domain", "text", "document"), PROBLEMS)
def test_a_problem_may_be_a_text_or_a_document(domain, text, document):
    problem = parse_problem(domain, f"\n {text}\n")
    assert problem == parse_problem(domain, document)
    assert domain.problems.format(problem) == text


def test_blocks_are_numbered_by_their_names():
    start = ", ".join(f"[{name}]" for name in ("b10", "b2", "B1", "aa", "b1", "Z", "a"))
    problem = parse_problem(Blocks(), f"start=[{start}] & hand=[] & goal=[]")
    assert problem.names == ("Z", "a", "B1", "aa", "b1", "b2", "b10")


@for_each(
    ("forms", "text", "complaint"),
    [
        (Hanoi.instructions, "CALL n=0 src=1 dst=3 aux=2", "'n' must be >= 1"),
        (Hanoi.instructions, f"CALL n={MOST_DISKS + 1} src=1 dst=3 aux=2", "'n' must be <= 64"),
        (Hanoi.instructions, "CALL n=3 src=1 dst=3 aux=1", "the pegs must differ, not be 1, 3, 1"),
        (Hanoi.instructions, "CALL n=3 src=1 dst=4 aux=2", "4 is not one of the pegs 1, 2, 3"),
        (Hanoi.instructions, "CALL n=03 src=1 dst=3 aux=2", "'03'"),
        (Hanoi.instructions, "MOVE d=1 src=2 dst=2", "the pegs must differ, not be 2, 2"),
        (HanoiFour.instructions, "CALL pegs=4 n=3 src=1 dst=4 aux=2 spare=2", "the pegs must differ"),
        (
            HanoiFour.instructions,
            "CALL pegs=3 n=3 count=4 src=1 dst=4 aux=2",
            "there are only 3 disks up to disk 3, not 4",
        ),
        (HanoiFour.instructions, "CALL pegs=3 n=3 count=0 src=1 dst=4 aux=2", "'count' must be >= 1"),
        (RIVER.instructions, "FERRY pairs=51 boat=4", "'pairs' must be <= 50"),
        (RIVER.instructions, "TRIP number=12 pairs=3 boat=2", "no plan for 3 pairs and a boat of 2 has a crossing 12"),
        (RIVER.instructions, "TRIP number=1 pairs=4 boat=2", "no plan for 4 pairs"),
        (RIVER.actions, "Row [a1, A1] to the left bank", "a1 comes before A1; the order is A1, a1, A2, a2"),
        (RIVER.actions, "Row [] to the left bank", "'people' must be >= 1"),
        (RIVER.actions, "Row [A1] to the other bank", "'bank' must be in"),
    ],
)
def test_a_text_that_makes_no_sense_is_refused(forms, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        forms.parse(text)


def many(letter, between=", "):
    return between.join(f"{letter}{number}" for number in range(1, 100_001))


@for_each(
    ("domain", "text", "complaint"),
    [
        (HanoiFour(), "n=3 src=1 dst=5", "5 is not one of the pegs 1, 2, 3, 4"),
        (HanoiAny(), "pegs=2 start=[1] goal=[2]", "there are 3 to 64 pegs, not 2"),
        (HanoiAny(), "pegs=3 start=[1, 2] goal=[2]", "there are 2 disks at the start and 1 in the end"),
        (HanoiAny(), "pegs=3 start=[0] goal=[2]", "0 is not one of the pegs 1 to 3"),
        (HanoiAny(), "pegs=3 start=[] goal=[]", "no problem of size n=0"),
        (RIVER, "pairs=3 boat=0", "'boat' must be >= 1"),
        (RIVER, "n=3", "is not of the form 'pairs={pairs} boat={boat}'"),
        (Pancake(), "start=[P1, P1] & goal=[P1, P2]", "P1 appears twice in the start"),
        (Pancake(), "start=[P1, P2] & goal=[P1]", "P2 is missing from the goal"),
        (Pancake(), "start=[P3, P1] & goal=[P1, P3]", "P3 is unknown"),
        (Pancake(), "start=[P2, P1] & goal=[P2, P1]", "the goal of 2 pancakes must be P1 to P2, in this order"),
        (Pancake(), "start=P1 & goal=[P1]", "'P1' is not a list of pancakes"),
        (Pancake(), f"start=[{many('P')}] & goal=[{many('P')}]", "100,000 pancakes are too many; the limit is 1,000"),
        (OneTower(), "start=[B1] & goal=[B1, B2]", "B2 is missing from the start"),
        (OneTower(), "start=[B0, B1] & goal=[B0, B1]", "B0 is unknown"),
        (OneTower(), "start=[B1, X2] & goal=[B1, B2]", "'X2' is not a block"),
        (OneTower(), "start=[B1,B2] & goal=[B1, B2]", "is not a plain decimal number"),
        (OneTower(), "start=[] & goal=[]", "no problem of size n=0"),
        (OneTower(), "start=[B1 & goal=[B1]", "is not a list of blocks"),
        (OneTower(), "", "not of the form"),
        (OneTower(), f"start=[{many('B')}] & goal=[{many('B')}]", "100,000 blocks are too many; the limit is 10,000"),
        (OneTower(), '{"start": ["B1"]}', "the keys are 'start', expected start, goal"),
        (OneTower(), '{"start": {"a": 1}, "goal": []}', "neither a number, a name nor a list"),
        (OneTower(), '{"start": ["B1"], "start": ["B1"], "goal": ["B1"]}', "a key appears twice"),
        (OneTower(), '{"start": ["B1"', "not strict JSON"),
        (SeveralTowers(), "start=[[B1], []] & goal=[B1]", "a tower is empty; leave it out"),
        (SeveralTowers(), "start=[B1] & goal=[B1]", "'[B1]' is not a list of lists of blocks"),
        (Blocks(), "start=[[a]] & hand=[a] & goal=[]", "'a' appears twice in the start"),
        (Blocks(), "start=[[a]] & hand=[b, c] & goal=[]", "the hand holds more than one block"),
        (Blocks(), "start=[[a]] & hand=[] & goal=[clear b]", "'b' is in the goal, but not in the start"),
        (
            Blocks(),
            "start=[[a]] & hand=[] & goal=[on a]",
            "'on a' is not one of on a b, ontable a, clear a, handempty, ",
        ),
        (Blocks(), "start=[[a]] & hand=[] & goal=[handempty a]", "'handempty a' is not one of"),
        (Blocks(), "start=[[a]] & hand=[] & goal=clear a", "'clear a' is not a list of atoms"),
        (Blocks(), "start=[[1a]] & hand=[] & goal=[]", "'1a' is not a name: a letter, then letters, digits, - and _"),
        (Blocks(), "start=[[a], []] & hand=[] & goal=[]", "a tower is empty; leave it out"),
        (Blocks(), f"start=[[{many('x', '], [')}]] & hand=[] & goal=[]", "100,000 blocks are too many; the limit is"),
        (Blocks(), f"start=[[a]] & hand=[] & goal=[{', '.join(['clear a'] * 50_000)}]", "50,000 atoms are too many"),
        (Blocks(), '{"start": [["a"]], "hand": [], "goal": [["on", "a", "b"]]}', "'[on, a, b]' is not one of"),
    ],
)
def test_a_bad_problem_gets_one_line(domain, text, complaint):
    with pytest.raises(UsageError) as caught:
        parse_problem(domain, text)
    assert complaint in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 400
