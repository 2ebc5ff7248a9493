"""`coc.evaluate`."""

import csv
import json

import pytest

import coc_core as coc
from coc_core.errors import StorageError


def evaluated(**choices):
    return coc.evaluate(**{"domain": "pancake", "sizes": range(5, 8), "instances": 4, "model": "reference"} | choices)


def test_a_report_has_a_row_for_each_size_also_as_csv_and_as_html(tmp_path):
    report = evaluated(optimal=True)
    counts = [(row["n"], row["instances"], row["successes"], row["rate"]) for row in report.rows]
    assert counts == [(n, 4, 4, 1.0) for n in (5, 6, 7)]
    assert all(0 < row["low"] < row["high"] == 1.0 for row in report.rows)
    assert (report.total.instances, report.failures) == (12, [])
    assert repr(report) == "<EvaluationReport: pancake on pda with symbolic arithmetic: 12 of 12 solved>"
    shown = report._repr_html_()
    assert shown.startswith("<p><b>12 of 12 solved</b> pancake on pda with symbolic arithmetic</p><table>")
    assert (shown.count("<tr>"), "51.0 – 100.0%" in shown) == (5, True)
    report.to_csv(tmp_path / "rows.csv")
    rows = list(csv.DictReader((tmp_path / "rows.csv").read_text().splitlines()))
    assert [{name: str(value) for name, value in row.items()} for row in report.rows] == rows
    with pytest.raises(StorageError, match=r"can't write the table .*: No such file or directory"):
        report.to_csv(tmp_path / "no" / "rows.csv")


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
        ({"instances": 2, "split": "train"}, ["--instances", 2, "--split", "train"]),
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
