import io
import json

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import parse_problem, read_problem, text_lines, whole_file
from coc_core.domain.problems import LONGEST
from coc_core.errors import UsageError
from coc_problems.items import json_lines
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
    "n=3": "is not of the form",
    "n=3 src=1 dst=1": "the pegs must differ, not be 1, 1",
    "n=3 src=1 dst=4": r"not a problem of hanoi: 4 is not one of the pegs 1, 2, 3$",
    "n=0 src=1 dst=2": "not a problem of hanoi: 'n' must be >= 1: 0$",
    '{"n": -0, "src": 1, "dst": 2}': "-0 must be written 0",
    "n=3 src=1 dst=2\u2003": "is not printable ASCII",
    "n=03 src=1 dst=2": "'03' is not a plain decimal number",
    "n=3 src=1 dst=2\nn=3 src=1 dst=2": "is not of the form",
    "n=3 src=1 dst=٢": "contains '.*', which is not printable ASCII",
    "n=3 src=1\tdst=2": r"contains '\\t', which is not printable ASCII",
    "\x1b[31m": r"contains '\\x1b', which is not printable ASCII",
    "{": "the problem is not strict JSON",
    "{}": "the keys are '', expected n, src, dst",
    '{"n": 3, "src": 1, "dst": 2, "aux": 3}': "the keys are 'n, src, dst, aux', expected n, src, dst",
    '{"n": 3.0, "src": 1, "dst": 2}': "'3.0' is neither a number, a name nor a list of them",
    '{"n": true, "src": 1, "dst": 2}': "'True' is neither",
    '{"n": {"a": 1}, "src": 1, "dst": 2}': "is neither a number, a name nor a list of them",
    '{"n": [3], "src": 1, "dst": 2}': r"'\[3\]' is not a plain decimal number",
    '{"n": "3 src=2", "src": 1, "dst": 2}': "is not a plain decimal number",
    '{"n": "3\\n", "src": 1, "dst": 2}': "is not of the form",
    '{"\\u001b[2J": 3}': r"the keys are '\\x1b\[2J', expected",
    '{"n": ' + "9" * 5000 + "}": "is not strict JSON",
    '{"n": ' + "[" * 100_000 + "]" * 100_000 + "}": "not strict JSON|recursion",
    '{"n": ' + "[" * 900 + "]" * 900 + ', "src": 1, "dst": 2}': "is not a plain decimal number|recursion",
    '[{"n": 3}]': "is not of the form",
}


def test_a_problem_is_a_text_or_json_in_a_file_or_on_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "problem.txt"
    for text in GOOD:
        path.write_text(text)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert parse_problem(Hanoi(), text) == read_problem(Hanoi(), str(path)) == Tower(3, 1, 2)
        assert read_problem(Hanoi(), "-") == Tower(3, 1, 2)
    assert parse_problem(Queue(), "items=[3, 1]") == parse_problem(Queue(), '{"items": [3, 1]}') == Line((3, 1))


@for_each("text", BAD)
def test_what_is_not_a_problem_is_refused_in_one_short_line(text):
    with pytest.raises(UsageError, match=BAD[text]) as error:
        parse_problem(Hanoi(), text)
    assert "\n" not in str(error.value)
    assert str(error.value).isascii()
    assert len(str(error.value)) < 400


def test_a_problem_of_a_size_out_of_range_or_that_is_too_long_is_refused():
    with pytest.raises(UsageError, match="queue has no problem of size n=0; n is 1 to 999"):
        parse_problem(Queue(), "items=[]")
    with pytest.raises(UsageError, match="the problem has more than"):
        parse_problem(Hanoi(), "n" * (LONGEST + 1))


@given(st.text())
def test_any_text_is_a_problem_or_refused(text):
    try:
        problem = parse_problem(Hanoi(), text)
    except UsageError:
        return
    assert isinstance(problem, Tower)


def write(tmp_path, text):
    path = tmp_path / "problems"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_blank_lines_count_but_are_no_problems(tmp_path):
    path = write(tmp_path, "one\n\n \t\r\ntwo\r\nthree")
    assert [(line, text.strip()) for line, text in text_lines(None, path)] == [(1, "one"), (4, "two"), (5, "three")]


def test_json_texts_are_unpacked_and_all_else_is_left_to_the_parser(tmp_path):
    lines = [json.dumps("n=1 src=1 dst=3"), '{"n": 1, "src": 1, "dst": 3}', "n=2", "[" * 100_000, "7"]
    path = write(tmp_path, "\n".join(lines))
    assert [(line, text.strip()) for line, text in json_lines(None, path)] == [
        (1, "n=1 src=1 dst=3"),
        *((number, line) for number, line in enumerate(lines[1:], 2)),
    ]
    assert list(whole_file(None, write(tmp_path, '{\n"n": 1\n}\n'))) == [(None, '{\n"n": 1\n}\n')]


@pytest.mark.parametrize("read", [text_lines, json_lines, whole_file])
def test_a_file_that_is_not_text_is_refused(tmp_path, read):
    with pytest.raises(UsageError, match=r"the problem file .* is not text"):
        list(read(None, write(tmp_path, b"\xff\xfe")))
    with pytest.raises(UsageError, match=r"can't read the problem file .*: Is a directory"):
        list(read(None, tmp_path))


@pytest.mark.parametrize("n", [0, -1, 1000, 10**6])
def test_a_size_out_of_range_is_refused(n):
    for problems in (Queue().problem, Queue().every_problem, Queue().check_size):
        with pytest.raises(UsageError, match=f"queue has no problem of size n={n}; n is 1 to 999"):
            problems(n)
    assert list(Queue().every_problem(2)) == [Line((0, 1)), Line((1, 0))]
    assert sorted(Queue().problem(5).items) == list(range(5))
