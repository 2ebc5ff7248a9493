"""`coc.evaluate`."""

import csv
import json

import pytest

import coc_core as coc
from coc_core.errors import StorageError, UsageError


def evaluated(**choices):
    return coc.evaluate(**{"domain": "pancake", "sizes": range(5, 8), "instances": 4, "model": "reference"} | choices)


def test_a_report_has_a_row_for_each_size():
    report = evaluated()
    assert [(row["n"], row["instances"], row["successes"], row["rate"]) for row in report.rows] == [
        (5, 4, 4, 1.0),
        (6, 4, 4, 1.0),
        (7, 4, 4, 1.0),
    ]
    assert all(0 < row["low"] < row["high"] == 1.0 for row in report.rows)
    assert (report.total.instances, report.failures) == (12, [])
    assert repr(report) == "<EvaluationReport: pancake on pda with symbolic arithmetic: 12 of 12 solved>"


def without_times(document):
    return {
        name: [without_times(row) for row in value] if name == "sizes" else value
        for name, value in document.items()
        if name not in ("seconds", "data", "trained_sizes", "untrained_sizes")
    }


@pytest.mark.parametrize(
    ("choices", "options"),
    [
        ({}, ["--instances", 4]),
        ({"instances": None, "near_goal": 2, "split": "train"}, ["--near-goal", 2, "--split", "train"]),
        ({"sizes": 4, "instances": None, "exhaustive": True}, ["-n", 4, "--exhaustive"]),
        ({"optimal": True, "seed": 7}, ["--instances", 4, "--optimal", "--seed", 7]),
        (
            {"memory": "tape", "arith": "learned", "arith_model": "reference", "sizes": 5},
            ["--instances", 4, "-m", "tape", "-a", "learned", "--arith-model", "reference", "-n", 5],
        ),
    ],
)
def test_the_command_line_measures_the_same(coc, choices, options):
    done = coc("eval", "-d", "pancake", "-n", "5-7", "--model", "reference", "-x", "lockstep", *options, "--json")
    report = evaluated(executor="lockstep", **choices)
    assert without_times(json.loads(report.to_json())) == without_times(json.loads(done.out))


def test_rows_are_written_as_csv(tmp_path):
    report = evaluated(optimal=True)
    report.to_csv(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in row.items()} for row in report.rows] == rows
    with pytest.raises(StorageError, match=r"can't write the table .*: No such file or directory"):
        report.to_csv(tmp_path / "no" / "rows.csv")


def test_a_notebook_shows_a_table():
    shown = evaluated()._repr_html_()
    assert shown.startswith("<p><b>12 of 12 solved</b> pancake on pda with symbolic arithmetic</p><table>")
    assert shown.count("<tr>") == 5
    assert "51.0 – 100.0%" in shown


def test_a_notebook_shows_no_interval_where_nothing_is_drawn():
    shown = evaluated(sizes=[3], exhaustive=True, instances=None)._repr_html_()
    assert "<td>6</td><td>6</td><td>100%</td><td>–</td>" in shown


def test_what_fails_is_listed(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    report = coc.evaluate("hanoi", [1, 2], model="garbage")
    assert [(failure.n, failure.kind) for failure in report.failures] == [(1, "protocol"), (2, "protocol")]
    assert report.total.successes == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choices", "options"),
    [
        ({"domain": "pancaek"}, ["-d", "pancaek"]),
        ({"sizes": "1..3"}, ["-n", "1..3"]),
        ({"sizes": "5-3"}, ["-n", "5-3"]),
        ({"sizes": "1-99999"}, ["-n", "1-99999"]),
        ({"sizes": [5, 9999]}, ["-n", "5,9999"]),
        ({"sizes": 3, "instances": None}, ["-n", 3, "--model", "reference"]),
        ({"instances": 0}, ["--instances", 0]),
        ({"instances": None, "near_goal": 0}, ["--near-goal", 0]),
        ({"instances": "x"}, ["--instances", "x"]),
        ({"max_steps": 0}, ["--max-steps", 0]),
        ({"max_steps": 1, "domain": "hanoi"}, ["-d", "hanoi", "-n", "5-7", "--max-steps", 1]),
        ({"exhaustive": True}, ["--exhaustive", "--instances", 4]),
        ({"near_goal": 3}, ["--near-goal", 3, "--instances", 4]),
        ({"domain": "hanoi", "near_goal": 3, "instances": None}, ["-d", "hanoi", "--near-goal", 3]),
        ({"optimal": True, "sizes": 30}, ["--optimal", "-n", 30]),
        ({"executor": "fast"}, ["-x", "fast"]),
        ({"model": "nobody"}, ["--model", "nobody"]),
        ({"memory": "taep"}, ["-m", "taep"]),
        ({"device": "abacus", "model": None}, ["--device", "abacus"]),
    ],
)
def test_bad_input_is_refused_in_the_words_of_the_command_line(as_refused_by, choices, options):
    domain = [] if "-d" in options else ["-d", "pancake"]
    as_refused_by(lambda: evaluated(**choices), "eval", *domain, *options)


@pytest.mark.parametrize("sizes", [[], range(5, 5), iter([])])
def test_no_sizes_are_refused(sizes):
    with pytest.raises(UsageError, match=r"the range of sizes .* is empty"):
        evaluated(sizes=sizes)


def test_far_too_many_sizes_are_refused():
    with pytest.raises(UsageError, match=r"'range.* names more than 10,000 sizes; choose fewer"):
        evaluated(sizes=range(10**9))


def test_another_split_is_refused():
    with pytest.raises(UsageError, match=r"Invalid value for '--split': 'dev' is not one of 'train', 'test', 'all'."):
        evaluated(split="dev")


def test_reports_on_the_same_problems_are_compared():
    stack, tape = evaluated(), evaluated(memory="tape")
    assert [(each.n, each.both, each.problems) for each in stack.compare(tape)] == [(5, 4, 4), (6, 4, 4), (7, 4, 4)]
    for other in ({"seed": 1}, {"sizes": range(5, 9)}, {"instances": 3}, {"split": "train"}):
        with pytest.raises(UsageError, match="both are on the same problems"):
            stack.compare(evaluated(**other))
