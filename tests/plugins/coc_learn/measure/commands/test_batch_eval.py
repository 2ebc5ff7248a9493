"""`coc eval --problems`: the user's own problems, the table, the failures, the files, and what is refused."""

import csv
import json

import pytest

REFERENCE = ("--model", "reference")


@pytest.fixture
def problems(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("".join(f"n={n} src=1 dst=2\n" for n in (3, 1, 2, 2)))
    return path


def test_a_table_by_size_and_a_plan_a_problem(coc, problems, tmp_path):
    plans, rows = tmp_path / "plans", tmp_path / "rows.csv"
    words = ("eval", "-d", "hanoi", "--problems", problems, "--plans", plans, *REFERENCE)
    done = coc(*words, "--csv", rows)
    assert done.code == 0
    lines = [" ".join(line.split()[:3]) for line in done.out.splitlines()[1:5]]
    assert lines == ["1 1 1", "2 2 2", "3 1 1", "all 4 4"]
    found = [f"{row['n']} {row['successes']}" for row in csv.DictReader(rows.read_text().splitlines())]
    assert found == ["1 1", "2 2", "3 1"]
    names = [*(f"mine.txt-{n}.plan" for n in range(1, 5)), "results.jsonl"]
    assert sorted(path.name for path in plans.iterdir()) == names
    again = coc(*words, "--json")  # and nothing is run
    assert again.err == "coc: note: 4 of 4 problems were run before\n"
    found = json.loads(again.out)
    assert (found["restored"], found["successes"], found["problems"]) == (4, 4, str(problems))


def test_failures_are_listed_by_file_and_line(coc, fakes, tmp_path):
    (tmp_path / "p.jsonl").write_text('\n{"n": 2, "src": 1, "dst": 3}\n')
    words = ("eval", "-d", "hanoi", "--problems", tmp_path / "p.jsonl", "--plans", tmp_path / "plans")
    for _ in range(2):  # the second time from the folder
        done = coc(*words, "--model", "garbage")
        assert done.code == 1
        assert "  p.jsonl:2, n=2: protocol fault at step 1: " in done.out
    failure = json.loads(coc(*words, "--model", "garbage", "--json").out)["failures"][0]
    assert (failure["source"], failure["kind"]) == ("p.jsonl:2", "protocol")


def test_bad_lines_are_named_before_anything_is_run(refused, tmp_path):
    (tmp_path / "bad.txt").write_text("n=1 src=1 dst=3\nn=0 src=1 dst=3\nwhat\n")
    line = refused(2, "eval", "-d", "hanoi", "--problems", tmp_path / "bad.txt", "--plans", tmp_path / "p", *REFERENCE)
    assert "bad.txt:2: not a problem of hanoi: 'n' must be >= 1: 0; bad.txt:3: not a problem of hanoi: 'what'" in line
    assert not (tmp_path / "p").exists()
