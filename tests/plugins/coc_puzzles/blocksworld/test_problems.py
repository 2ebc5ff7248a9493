"""Problems that a person types: what is read, and the one line about what can't be."""

import json

import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from tests.support.for_each import for_each

NESTED = json.dumps({"start": [["B1"], ["B2"]], "goal": ["B2", "B1"]})


@pytest.mark.parametrize(
    ("domain", "text", "start"),
    [
        (OneTower(), "start=[B1, B2] & goal=[B2, B1]", ((1, 2),)),
        (OneTower(), '{"start": ["B1", "B2"], "goal": ["B2", "B1"]}', ((1, 2),)),
        (OneTower(), " start=[B1, B2] & goal=[B2, B1]\n", ((1, 2),)),
        (SeveralTowers(), "start=[[B1], [B2]] & goal=[B2, B1]", ((1,), (2,))),
        (SeveralTowers(), NESTED, ((1,), (2,))),
    ],
)
def test_good_problems_are_read(domain, text, start):
    problem = parse_problem(domain, text)
    assert (problem.start, problem.goal) == (start, (2, 1))


MANY = ", ".join(f"B{block}" for block in range(1, 100_001))
BAD = [
    ("start=[B1, B1] & goal=[B1, B2]", "B1 appears twice in the start"),
    ("start=[B1, B2] & goal=[B2, B2]", "B2 appears twice in the goal"),
    ("start=[B1] & goal=[B1, B2]", "B2 is missing from the start"),
    ("start=[B1, B2] & goal=[B1]", "B2 is missing from the goal"),
    ("start=[B1, B9] & goal=[B9, B1]", "B9 is unknown"),
    ("start=[B0, B1] & goal=[B0, B1]", "B0 is unknown"),
    ("start=[B1, X2] & goal=[B1, B2]", "'X2' is not a block"),
    ("start=[B1, B02] & goal=[B1, B2]", "'02' is not a plain decimal number"),
    ("start=[B1,B2] & goal=[B1, B2]", "is not a plain decimal number"),
    ("start=[] & goal=[]", "no problem of size n=0"),
    ("start=[] & goal=[B1]", "B1 is missing from the start"),
    ("start=B1 & goal=[B1]", "'B1' is not a list of blocks"),
    ("start=[B1 & goal=[B1]", "is not a list of blocks"),
    ("goal=[B1] & start=[B1]", "not of the form"),
    ("", "not of the form"),
    (f"start=[{MANY}] & goal=[{MANY}]", "100,000 blocks are too many; the limit is 10,000"),
    ('{"start": ["B1"]}', "the keys are 'start', expected start, goal"),
    ('{"start": 1, "goal": 2}', "'1' is not a list of blocks"),
    ('{"start": [1], "goal": [1]}', "'1' is not a block"),
    ('{"start": {"a": 1}, "goal": []}', "neither a number, a name nor a list"),
    ('{"start": [true], "goal": [true]}', "neither a number, a name nor a list"),
    ('{"start": [null], "goal": [1.5]}', "neither a number, a name nor a list"),
    ('{"start": ["B1"], "start": ["B1"], "goal": ["B1"]}', "a key appears twice"),
    ('{"start": ["B1"', "not strict JSON"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "complaint"), BAD, ids=range(len(BAD)))
def test_bad_problems_get_one_line(refused, tmp_path, text, complaint):
    file = tmp_path / "problem"
    file.write_text(text)
    line = refused(2, "run", "--domain", "blocksworld", "--model", "reference", "--problem", file)
    assert complaint in line
    assert len(line) < 400


EXTENDED_BAD = [
    ("start=[[B1], []] & goal=[B1]", "a tower is empty; leave it out"),
    ("start=[[]] & goal=[B1]", "a tower is empty; leave it out"),
    ("start=[B1] & goal=[B1]", "'[B1]' is not a list of lists of blocks"),
    ("start=[[B1], [B1]] & goal=[B1]", "B1 appears twice in the start"),
    ("start=[] & goal=[B1]", "B1 is missing from the start"),
    ("start=[[[B1]]] & goal=[B1]", "'[B1]' is not a block"),
]


@for_each(("text", "complaint"), EXTENDED_BAD)
def test_bad_stacks_are_refused(text, complaint):
    with pytest.raises(UsageError) as caught:
        parse_problem(SeveralTowers(), text)
    assert complaint in str(caught.value)
