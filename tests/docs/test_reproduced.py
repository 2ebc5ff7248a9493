"""The committed reports of `coc reproduce`: page, figures and tables are those of their data."""

import json
from pathlib import Path

import pytest

from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table
from coc_paper.report.write import contents

RESULTS = Path(__file__).parents[2] / "docs/results"
LEFT_OUT = {"index.html"}  # what the docs do not need


def section(data):
    tables = [
        Table(each["title"], each["columns"], [list(map(value, row)) for row in each["rows"]])
        for each in data["tables"]
    ]
    plots = [Plot(**{**each, "series": [Series(**one) for one in each["series"]]}) for each in data["plots"]]
    return Section(**{**data, "tables": tables, "plots": plots})


def value(data):
    if not isinstance(data, dict):
        return data
    return Cell(data["ours"], data["paper"]) if "ours" in data else FirstFailure(data["step"], data["paper"])


@pytest.fixture(scope="module", params=["paper", "paper-full"])
def folder(request):
    return RESULTS / request.param


@pytest.fixture(scope="module")
def files(folder):
    document = json.loads((folder / "report.json").read_text("utf-8"))
    found = contents([section(each) for each in document["sections"]], document["heading"], document["facts"])
    return {name: data for name, data in found.items() if name not in LEFT_OUT and not name.endswith(".png")}


def test_nothing_is_missing_and_nothing_is_left_over(folder, files):
    assert {path.name for path in folder.iterdir()} == files.keys()


def test_every_file_is_what_the_data_say(folder, files):
    for name, data in files.items():
        assert (folder / name).read_bytes() == data, f"{name} is not that of report.json"
