"""The report: cells beside the paper's, a page that loads nothing, figures in a style."""

import json

import pytest
from attrs import evolve

from coc_core.errors import PluginError
from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table, text_of
from coc_paper.report.page import draw, write
from tests.support.for_each import for_each

ROWS = [[1, Cell(50.0, 60.0), "a|b"], [3000, Cell(70.0, 60.0), 0.5], [4, Cell(None, 1.0), FirstFailure(3, None)]]
PLOT = Plot("<p>", "x", "y", [Series("s", [[1, 2], [2, 3]], [[1, 3], [2, 4]])], log_x=True, log_y=True)
SECTION = Section(
    name="thing",
    title="A <thing>",
    question="Is it?",
    setting="As `it` is.",
    meaning="It is.",
    tables=[Table("Numbers | bars", ["n", "rate", "text"], ROWS)],
    failures=["what & why"],
    seconds={"2 cores": 1234.0, "16 cores": 0.2},
)


@for_each(
    ("cell", "state", "text"),
    [
        (Cell(1.0, 2.0), "below", "1 (2) ▼"),
        (Cell(2.0, 1.5), "above", "2 (1.5)"),
        (Cell(2.0, 2.0), "equal", "2 (2)"),
        (Cell(2.5, None), "", "2.5"),
        (Cell(None, 2.0), "", "–"),
        (FirstFailure(None, 1830), "above", "✓ (1,830)"),
        (FirstFailure(1, None), "below", "1 (✓) ▼"),
        (FirstFailure(None, None), "equal", "✓ (✓)"),
        (FirstFailure(6145, 0), "equal", "6,145 (?)"),
    ],
)
def test_a_cell_says_where_it_stands(cell, state, text):
    assert (cell.state, text_of(cell)) == (state, text)


def test_the_report_has_everything_and_loads_nothing(tmp_path):
    write(tmp_path / "out", [evolve(SECTION, plots=[PLOT])], "A report", "made <here>")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"index.html", "report.json", "thing.svg"}
    page = (tmp_path / "out" / "index.html").read_text()
    for words in (
        "A &lt;thing&gt;",
        "As <code>it</code> is.",
        "what &amp; why",
        "made &lt;here&gt;",
        'class="below">50 (60) ▼</td>',
        "<td>70 (60)</td>",
        "<td>3,000</td>",
        "20 min 34 s on 2 cores and 200 ms on 16 cores.",
        "default-src 'none'",
    ):
        assert words in page
    assert "<thing>" not in page
    assert "http://" not in page.partition("base64,")[0]
    (section,) = json.loads((tmp_path / "out" / "report.json").read_text())["sections"]
    rows = section["tables"][0]["rows"]
    assert rows[0][1] == {"ours": 50.0, "paper": 60.0, "state": "below"}
    assert rows[2][2] == {"step": 3, "paper": None, "state": "below"}


def test_the_same_plots_are_drawn_with_the_same_bytes():
    first, second = (draw([evolve(PLOT, series=[Series("none", []), *PLOT.series])]) for _ in range(2))
    assert first == second


@for_each(
    "change",
    [
        {"meaning": 7},
        {"tables": [1]},
        {"tables": [Table("", ["a"], [[float("nan")]])]},
        {"plots": [Plot("", "x", "y", [Series("s", [1])])]},
    ],
)
def test_a_section_that_can_not_be_written_is_named_and_the_former_report_stays(tmp_path, change):
    write(tmp_path / "out", [SECTION], "A report", "")
    before = (tmp_path / "out" / "report.json").read_bytes()
    with pytest.raises(PluginError, match=r"the item other can't be used: \w+: "):
        write(tmp_path / "out", [SECTION, evolve(SECTION, name="other", **change)], "A report", "")
    assert (tmp_path / "out" / "report.json").read_bytes() == before
