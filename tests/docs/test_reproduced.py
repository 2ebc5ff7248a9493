"""The committed report of `coc reproduce`: the page, the figures and the tables are those of its data."""

import json
from pathlib import Path

import pytest

from coc_paper.report import Cell, Plot, Section, Series, Table
from coc_paper.report.write import contents

FOLDER = Path(__file__).parents[2] / "docs/results/paper"
DOCUMENT = json.loads((FOLDER / "report.json").read_text("utf-8"))
LEFT_OUT = {"index.html"}  # what the docs do not need


def section(data):
    tables = [
        Table(each["title"], each["columns"], [list(map(value, row)) for row in each["rows"]])
        for each in data["tables"]
    ]
    plots = [Plot(**{**each, "series": [Series(**one) for one in each["series"]]}) for each in data["plots"]]
    return Section(**{**data, "tables": tables, "plots": plots})


def value(data):
    return Cell(data["ours"], data["paper"]) if isinstance(data, dict) else data


@pytest.fixture(scope="module")
def files():
    found = contents([section(each) for each in DOCUMENT["sections"]], DOCUMENT["facts"])
    return {name: data for name, data in found.items() if name not in LEFT_OUT and not name.endswith(".png")}


def test_nothing_is_missing_and_nothing_is_left_over(files):
    assert {path.name for path in FOLDER.iterdir()} == files.keys()


def test_every_file_is_what_the_data_say(files):
    for name, data in files.items():
        assert (FOLDER / name).read_bytes() == data, f"{name} is not that of report.json"
