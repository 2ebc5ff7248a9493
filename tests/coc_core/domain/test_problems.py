import io

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import parse_problem, read_problem
from coc_core.domain.problems import LONGEST
from coc_core.errors import UsageError
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.toy_parts import Line, Queue

GOOD = [
    "n=3 src=1 dst=2",
    "  n=3 src=1 dst=2\n",
    '{"n": 3, "src": 1, "dst": 2}',
    '{"dst": "2",\n "src": 1, "n": 3}\n',
]

BAD = {
    "": "'' is not of the form",
    "three disks": "is not of the form",
    "n=3": "is not of the form",
    "n=3 src=1 dst=1": "the pegs must differ, not be 1, 1",
    "n=3 src=1 dst=4": r"not a problem of hanoi: 4 is not one of the pegs 1, 2, 3$",
    "n=0 src=1 dst=2": "not a problem of hanoi: 'n' must be >= 1: 0$",
    "n=65 src=1 dst=2": "not a problem of hanoi: 'n' must be <= 64: 65$",
    '{"n": 3, "src": 1, "dst": 4}': r"not a problem of hanoi: 4 is not one of the pegs 1, 2, 3$",
    '{"n": -0, "src": 1, "dst": 2}': "-0 must be written 0",
    "n=3 src=1 dst=2\u2003": "is not printable ASCII",
    "\xa0n=3 src=1 dst=2": "is not printable ASCII",
    "\x0cn=3 src=1 dst=2": "is not printable ASCII",
    "n=03 src=1 dst=2": "'03' is not a plain decimal number",
    "n=-1 src=1 dst=2": "'-1' is not a plain decimal number",
    "n=3 src=1 dst=2\nn=3 src=1 dst=2": "is not of the form",
    "n=3 src=1 dst=٢": "contains '.*', which is not printable ASCII",
    "n=3 src=1\tdst=2": r"contains '\\t', which is not printable ASCII",
    "\x1b[31m": r"contains '\\x1b', which is not printable ASCII",
    "{": "the problem is not strict JSON",
    "{}": "the keys are '', expected n, src, dst",
    '{"n": 3}': "the keys are 'n', expected n, src, dst",
    '{"n": 3, "src": 1, "dst": 2, "aux": 3}': "the keys are 'n, src, dst, aux', expected n, src, dst",
    '{"n": 3, "n": 3, "src": 1, "dst": 2}': "a key appears twice",
    '{"n": 3.0, "src": 1, "dst": 2}': "'3.0' is neither a number, a name nor a list of them",
    '{"n": true, "src": 1, "dst": 2}': "'True' is neither",
    '{"n": null, "src": 1, "dst": 2}': "'None' is neither",
    '{"n": {"a": 1}, "src": 1, "dst": 2}': "is neither a number, a name nor a list of them",
    '{"n": [3], "src": 1, "dst": 2}': r"'\[3\]' is not a plain decimal number",
    '{"n": NaN, "src": 1, "dst": 2}': "NaN is not strict JSON",
    '{"n": 1e2, "src": 1, "dst": 2}': "'100.0' is neither",
    '{"n": "3 src=2", "src": 1, "dst": 2}': "is not a plain decimal number",
    '{"n": "3\\n", "src": 1, "dst": 2}': "is not of the form",
    '{"\\u001b[2J": 3}': r"the keys are '\\x1b\[2J', expected",
    '{"n": ' + "9" * 5000 + "}": "is not strict JSON",
    '{"n": ' + "[" * 100_000 + "]" * 100_000 + "}": "not strict JSON|recursion",
    '{"n": ' + "[" * 900 + "]" * 900 + ', "src": 1, "dst": 2}': "is not a plain decimal number|recursion",
    '[{"n": 3}]': "is not of the form",
}


@pytest.mark.parametrize("text", GOOD)
def test_a_problem_is_read_as_text_or_json(text):
    assert parse_problem(Hanoi(), text) == Tower(3, 1, 2)


def test_a_list_is_written_as_in_the_paper_or_as_json():
    assert parse_problem(Queue(), "items=[3, 1]") == parse_problem(Queue(), '{"items": [3, 1]}') == Line((3, 1))


@for_each("text", BAD)
def test_what_is_not_a_problem_is_refused_in_one_short_line(text):
    with pytest.raises(UsageError, match=BAD[text]) as error:
        parse_problem(Hanoi(), text)
    assert "\n" not in str(error.value)
    assert str(error.value).isascii()
    assert len(str(error.value)) < 400


def test_a_problem_of_a_size_out_of_range_is_refused():
    with pytest.raises(UsageError, match="queue has no problem of size n=0; n is 1 to 999"):
        parse_problem(Queue(), "items=[]")


def test_a_problem_that_is_too_long_is_refused():
    with pytest.raises(UsageError, match="the problem has more than"):
        parse_problem(Hanoi(), "n" * (LONGEST + 1))


@given(st.text())
def test_any_text_is_a_problem_or_refused(text):
    try:
        problem = parse_problem(Hanoi(), text)
    except UsageError:
        return
    assert isinstance(problem, Tower)


def test_a_problem_is_read_from_a_file_or_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "problem.txt"
    path.write_text(GOOD[0])
    assert read_problem(Hanoi(), str(path)) == Tower(3, 1, 2)
    monkeypatch.setattr("sys.stdin", io.StringIO(GOOD[2]))
    assert read_problem(Hanoi(), "-") == Tower(3, 1, 2)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"can't read the problem .*: No such file or directory"):
        read_problem(Hanoi(), str(tmp_path / "missing"))
    with pytest.raises(UsageError, match=r"can't read the problem .*: Is a directory"):
        read_problem(Hanoi(), str(tmp_path))


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "problem"
    path.write_bytes(b"n=3 \xff")
    with pytest.raises(UsageError, match="is not text"):
        read_problem(Hanoi(), str(path))
