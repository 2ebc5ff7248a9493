"""Lines of `results.jsonl`: read as written, and refused if anything about them is not as coc writes it."""

import json

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError
from coc_learn.measure.ended import Failure, Result, Score
from tests.support.for_each import for_each

counts = st.integers(0, 2**53)
SOLVED = Result("mine.txt:1", "n=1", Score(1, 1, 1, 2, 3, 4, 0.5), None)
FAULT = Failure(1, None, "n=1", "fault", 3, "action", "it is illegal", "mine.txt:1")
FAILED = Result("mine.txt:1", "n=1", Score(1, 1, 0, 2, 3, 4, 0.5), FAULT)


@given(counts, counts, st.floats(0, 1e9), st.text(), st.booleans())
def test_a_line_is_read_as_it_was_written(n, steps, seconds, text, is_solved):
    score = Score(n, 1, int(is_solved), steps, steps, steps, seconds, 1.5, 1)
    failure = None if is_solved else Failure(n, None, text, "unsolved", steps, None, text, text)
    result = Result(text, text, score, failure)
    line = result.line
    assert line.count(b"\n") == 1
    assert Result.parse(line, "here") == result


def test_the_plan_is_not_in_the_line():
    assert b"plan" not in SOLVED.line


@for_each(
    ("result", "path", "value"),
    [
        (SOLVED, "source", 1),
        (SOLVED, "problem", None),
        (SOLVED, "extra", 1),
        (SOLVED, "failure", []),
        (SOLVED, "failure", {}),
        (SOLVED, "score", 1),
        (SOLVED, "score n", 1.5),
        (SOLVED, "score n", -1),
        (SOLVED, "score steps", True),
        (SOLVED, "score instances", 2),
        (SOLVED, "score successes", 2),
        (SOLVED, "score successes", 0),
        (SOLVED, "score seconds", "1"),
        (SOLVED, "score extra", 1),
        (FAILED, "failure", None),
        (FAILED, "failure status", "tired"),
        (FAILED, "failure kind", 1),
        (FAILED, "failure seed", 1),
        (FAILED, "failure extra", 1),
        (FAILED, "score successes", 1),
    ],
)
def test_any_other_line_is_refused(result, path, value):
    found = json.loads(result.line)
    *outer, name = path.split(" ")
    (found[outer[0]] if outer else found)[name] = value
    with pytest.raises(
        ArtefactError, match=r"^results.jsonl, line 2(: | lacks | has | is not a result as coc writes it)"
    ):
        Result.parse(json.dumps(found).encode(), "results.jsonl, line 2")


def test_a_line_that_is_no_json_is_refused():
    with pytest.raises(ArtefactError, match="line 2 is not strict JSON"):
        Result.parse(b"\0\0\n", "line 2")
