"""Problems that a person types: what is read, and the one line about what can't be."""

import json

import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from tests.support.block_problems import DOMAIN
from tests.support.for_each import for_each

JSON = {"start": [["red-block", "a"], ["object_7"]], "hand": ["B"], "goal": ["on a B", "clear object_7", "handempty"]}
TEXT = "start=[[red-block, a], [object_7]] & hand=[B] & goal=[on a B, clear object_7, handempty]"


@pytest.mark.parametrize("text", [TEXT, json.dumps(JSON), f"\n {TEXT}\n"])
def test_good_problems_are_read(text):
    problem = parse_problem(DOMAIN, text)
    assert problem.start == (("red-block", "a"), ("object_7",))
    assert problem.hand == ("B",)
    assert problem.goal == (("on", "a", "B"), ("clear", "object_7"), ("handempty",))
    assert DOMAIN.problems.format(problem) == TEXT
    assert DOMAIN.size(problem) == 4


def test_blocks_are_numbered_by_their_names():
    start = ", ".join(f"[{name}]" for name in ("b10", "b2", "B1", "aa", "b1", "Z", "a"))
    problem = parse_problem(DOMAIN, f"start=[{start}] & hand=[] & goal=[]")
    assert problem.names == ("Z", "a", "B1", "aa", "b1", "b2", "b10")
    drawn = DOMAIN.problem(12)
    assert drawn.names == tuple(f"B{number}" for number in range(1, 13))


def many(count):
    return "], [".join(f"x{number}" for number in range(count))


@for_each(
    ("text", "complaint"),
    [
        ("start=[[a], [a]] & hand=[] & goal=[]", "'a' appears twice in the start"),
        ("start=[[a]] & hand=[a] & goal=[]", "'a' appears twice in the start"),
        ("start=[[a]] & hand=[b, c] & goal=[]", "the hand holds more than one block"),
        ("start=[[a]] & hand=[] & goal=[clear b]", "'b' is in the goal, but not in the start"),
        (
            "start=[[a]] & hand=[] & goal=[on a]",
            "'on a' is not one of on a b, ontable a, clear a, handempty, holding a",
        ),
        ("start=[[a]] & hand=[] & goal=[under a a]", "'under a a' is not one of"),
        ("start=[[a]] & hand=[] & goal=[handempty a]", "'handempty a' is not one of"),
        ("start=[[a]] & hand=[] & goal=[on a  a]", "'on a a' is not one of"),
        ("start=[[a]] & hand=[] & goal=clear a", "'clear a' is not a list of atoms"),
        ("start=[[a]] & hand=[] & goal=[clear 7]", "'7' is not a name"),
        ("start=[[1a]] & hand=[] & goal=[]", "'1a' is not a name: a letter, then letters, digits, - and _"),
        ("start=[[a,b]] & hand=[] & goal=[]", "'a,b' is not a name"),
        ("start=[[a], []] & hand=[] & goal=[]", "a tower is empty; leave it out"),
        ("start=[[]] & hand=[] & goal=[]", "a tower is empty; leave it out"),
        ("start=[a] & hand=[] & goal=[]", "'a' is not a list of blocks"),
        ("start=[] & hand=a & goal=[]", "'a' is not a list of blocks"),
        ("start=[] & hand=[] & goal=[]", "no problem of size n=0"),
        ("start=[[a]] & goal=[]", "not of the form"),
        (f"start=[[{many(100_000)}]] & hand=[] & goal=[]", "100,000 blocks are too many; the limit is 10,000"),
        (
            f"start=[[a]] & hand=[] & goal=[{', '.join(['clear a'] * 50_000)}]",
            "50,000 atoms are too many; the limit is",
        ),
        ('{"start": [["a"]], "hand": []}', "the keys are 'start, hand', expected start, hand, goal"),
        ('{"start": [["a"]], "hand": [], "goal": [["on", "a", "b"]]}', "'[on, a, b]' is not one of"),
    ],
)
def test_bad_problems_get_one_line(text, complaint):
    with pytest.raises(UsageError) as caught:
        parse_problem(DOMAIN, text)
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 400
