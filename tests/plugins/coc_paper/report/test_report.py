import json

import pytest
from attrs import evolve

from coc_core.errors import PluginError, UsageError
from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table, check_style, write
from coc_paper.report.figure import draw
from tests.support.for_each import for_each

SECTION = Section(
    name="thing",
    title="A <thing>",
    question="Is it?",
    setting="As it is.",
    meaning="It is.",
    sample="Half of it.",
    tables=[
        Table(
            "Numbers | bars",
            ["n", "rate", "text"],
            [
                [1, Cell(50.0, 60.0), "a|b"],
                [2, Cell(70.0, 60.0), None],
                [3000, Cell(60.0, 60.0), 0.5],
                [4, Cell(None, 1.0), FirstFailure(3, None)],
            ],
        )
    ],
    plots=[Plot("<p>", "x", "y", [Series("s", [[1, 2], [2, 3]], [[1, 3], [2, 4]])], log_x=True, log_y=True)],
    failures=["what & why"],
    seconds={"2 cores": 1234.0, "16 cores": 0.2},
)


@for_each(
    ("cell", "state", "text"),
    [
        (Cell(1.0, 2.0), "below", "1 (2)"),
        (Cell(2.0, 1.5), "above", "2 (1.5)"),
        (Cell(2.0, 2.0), "equal", "2 (2)"),
        (Cell(2.5, None), "", "2.5"),
        (Cell(None, 2.0), "", "–"),
        (FirstFailure(None, 1830), "above", "✓ (1,830)"),
        (FirstFailure(1, None), "below", "1 (✓)"),
        (FirstFailure(None, None), "equal", "✓ (✓)"),
        (FirstFailure(6145, 0), "equal", "6,145 (?)"),
    ],
)
def test_a_cell_says_where_it_stands(cell, state, text):
    assert (cell.state, str(cell)) == (state, text)


def test_the_report_has_everything_and_is_the_same_each_time(tmp_path):
    write(tmp_path / "one", [SECTION], "A report", "made here")
    write(tmp_path / "two", [SECTION], "A report", "made here")
    names = {"index.html", "report.json", "thing-1.csv", "thing.svg"}
    assert {path.name for path in (tmp_path / "one").iterdir()} == names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_texts_can_not_become_markup_and_the_page_loads_nothing(tmp_path):
    write(tmp_path / "out", [SECTION], "A report", "made <here>")
    text = (tmp_path / "out" / "index.html").read_text()
    assert "A &lt;thing&gt;" in text
    assert "what &amp; why" in text
    assert "<thing>" not in text
    assert 'class="below">50 (60) ▼</td>' in text
    assert "<td>3,000</td>" in text
    assert "The computations took 1,234 seconds on 2 cores and less than a second on 16 cores." in text
    assert 'class="above">70 (60)' in text
    assert "http://" not in text.partition("base64,")[0]
    assert "default-src 'none'" in text


def test_tables_have_the_papers_numbers_in_columns_of_their_own(tmp_path):
    write(tmp_path / "out", [SECTION], "A report", "")
    lines = (tmp_path / "out" / "thing-1.csv").read_text().splitlines()
    assert lines[:3] == ["n,rate,rate (paper),text,text (paper)", "1,50.0,60.0,a|b,", "2,70.0,60.0,,"]
    (section,) = json.loads((tmp_path / "out" / "report.json").read_text())["sections"]
    rows = section["tables"][0]["rows"]
    assert rows[0][1] == {"ours": 50.0, "paper": 60.0, "state": "below"}
    assert rows[3][2] == {"step": 3, "paper": None, "state": "below"}


def test_a_figure_is_drawn_in_the_style_that_is_chosen(tmp_path):
    (tmp_path / "own.mplstyle").write_text(
        "lines.linewidth: 7\naxes.prop_cycle: cycler('color', ['123456'])\nbackend: agg\n"
    )
    (tmp_path / "bad.mplstyle").write_text("lines.linewidth: wide\naxes.prop_cycle: os.system('true')\n")
    own = str(tmp_path / "own.mplstyle")
    check_style(own)
    check_style(None)
    figures = [draw(SECTION.plots, style) for style in (None, own, "ggplot", None)]
    assert figures[0] == figures[3]
    assert len(set(figures)) == 3
    assert b"stroke: #123456; stroke-width: 7" in figures[1]
    for wrong in ("no-such-style", str(tmp_path), "https://example.org/a.mplstyle", ""):
        with pytest.raises(UsageError, match="unknown style"):
            check_style(wrong)


def test_a_curve_without_points_is_drawn_as_none():
    (plot,) = SECTION.plots
    assert draw([evolve(plot, series=[Series("none", []), *plot.series])]).startswith(b"<?xml")


def test_a_row_has_a_value_for_each_column():
    with pytest.raises(ValueError, match="a table has 2 columns, and one of its rows 1 values"):
        Table("t", ["a", "b"], [[1, 2], [3]])


@for_each(
    "change",
    [
        {"meaning": 7},
        {"tables": [1]},
        {"tables": [Table("", ["a"], [[float("nan")]])]},
        {"tables": [Table("", ["a"], [[{1}]])]},
        {"plots": [Plot("", "x", "y", [Series("s", [1])])]},
    ],
)
def test_a_section_that_can_not_be_written_is_named_and_the_former_report_stays(tmp_path, change):
    write(tmp_path / "out", [SECTION], "A report", "")
    before = (tmp_path / "out" / "report.json").read_bytes()
    with pytest.raises(PluginError, match=r"the report of the item other can't be written: \w+: "):
        write(tmp_path / "out", [SECTION, evolve(SECTION, name="other", **change)], "A report", "")
    assert (tmp_path / "out" / "report.json").read_bytes() == before


def test_something_else_is_not_replaced(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("")
    with pytest.raises(UsageError, match="already exists and is not a"):
        write(tmp_path / "out", [SECTION], "A report", "")


def test_a_table_counts_what_is_below():
    (table,) = SECTION.tables
    assert [table.count(state) for state in ("below", "equal", "above")] == [2, 1, 1]
