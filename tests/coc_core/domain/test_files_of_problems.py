"""Files of problems: which texts they have, and on which lines."""

import json

import pytest

from coc_core.domain import json_lines, text_lines, whole_file
from coc_core.errors import UsageError


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


def test_a_whole_file_is_one_problem(tmp_path):
    assert list(whole_file(None, write(tmp_path, '{\n"n": 1\n}\n'))) == [(None, '{\n"n": 1\n}\n')]


@pytest.mark.parametrize("read", [text_lines, json_lines, whole_file])
def test_a_file_that_is_not_text_is_refused(tmp_path, read):
    with pytest.raises(UsageError, match=r"the problem file .* is not text"):
        list(read(None, write(tmp_path, b"\xff\xfe")))
    with pytest.raises(UsageError, match=r"can't read the problem file .*: Is a directory"):
        list(read(None, tmp_path))
