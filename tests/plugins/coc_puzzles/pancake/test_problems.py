"""Problems that a person types: what is read, and the one line about what can't be."""

import pytest

from coc_core.domain import parse_problem
from coc_puzzles.pancake.domain import Pancake
from tests.support.for_each import for_each


@pytest.mark.parametrize("text", ["start=[P2, P1] & goal=[P1, P2]", '{"start": ["P2", "P1"], "goal": ["P1", "P2"]}'])
def test_good_problems_are_read(text):
    problem = parse_problem(Pancake(), text)
    assert (problem.start, problem.goal) == ((2, 1), (1, 2))


MANY = ", ".join(f"P{pancake}" for pancake in range(1, 100_001))
BAD = [
    ("start=[P1, P1] & goal=[P1, P2]", "P1 appears twice in the start"),
    ("start=[P1] & goal=[P1, P2]", "P2 is missing from the start"),
    ("start=[P1, P2] & goal=[P1]", "P2 is missing from the goal"),
    ("start=[P3, P1] & goal=[P1, P3]", "P3 is unknown"),
    ("start=[P2, P1] & goal=[P2, P1]", "the goal of 2 pancakes must be P1 to P2, in this order"),
    ("start=[B1] & goal=[B1]", "'B1' is not a pancake"),
    ("start=P1 & goal=[P1]", "'P1' is not a list of pancakes"),
    ("start=[] & goal=[]", "no problem of size n=0"),
    ("state=[P1] & goal=[P1]", "not of the form"),
    (f"start=[{MANY}] & goal=[{MANY}]", "100,000 pancakes are too many; the limit is 1,000"),
    ('{"start": [[1]], "goal": "P1"}', "'[1]' is not a pancake"),
    ('{"start": false, "goal": []}', "neither a number, a name nor a list"),
]


@for_each(("text", "complaint"), BAD)
def test_bad_problems_get_one_line(refused, tmp_path, text, complaint):
    file = tmp_path / "problem"
    file.write_text(text)
    line = refused(2, "run", "--domain", "pancake", "--model", "reference", "--problem", file)
    assert complaint in line
    assert len(line) < 400
