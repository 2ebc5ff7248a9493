"""The page with the paper's tables: its figures and cells are those of the data that `coc reproduce` left."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from coc_core.plugin import CheckpointSpec, Registry
from coc_paper.report import Cell, FirstFailure, Plot, Series, text_of
from coc_paper.report.page import draw
from tests.support.paper_items import ITEMS

RESULTS = Path(__file__).parents[2] / "docs/results"
PAGE = (RESULTS / "paper.md").read_text("utf-8")
SECTIONS = {each["name"]: each for each in json.loads((RESULTS / "paper.json").read_text("utf-8"))["sections"]}
FIGURES = sorted(RESULTS.glob("figures/*"))
SHIPPED = (RESULTS / "shipped.md").read_text("utf-8")
TABLES = re.findall(r"^<!-- paper\.json: ([\w-]+)(?: / (.+))? -->\n((?:^\|.*\|\n)+)", PAGE + SHIPPED, re.MULTILINE)


def text(value):
    if isinstance(value, dict):
        value = Cell(value["ours"], value["paper"]) if "ours" in value else FirstFailure(value["step"], value["paper"])
    return text_of(value)


def cells(line):
    return [cell.strip() for cell in line[1:-1].split("|")]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda path: path.stem)
def test_a_figure_is_drawn_from_the_data_and_shown(figure):
    plots = [
        Plot(**{**plot, "series": [Series(**each) for each in plot["series"]]})
        for plot in SECTIONS[figure.stem]["plots"]
    ]
    assert figure.read_bytes() == draw(plots)
    assert f"(figures/{figure.name})" in PAGE


@pytest.mark.parametrize(("item", "title", "lines"), TABLES, ids=lambda value: value[:20])
def test_a_table_has_the_cells_of_the_data(item, title, lines):
    header, _, *rows = map(cells, lines.splitlines())
    (table,) = (each for each in SECTIONS[item]["tables"] if each["title"] == title)
    chosen = [table["columns"].index(column) for column in header]
    known = [[text(row[place]) for place in chosen] for row in table["rows"]]
    assert rows
    assert [row for row in rows if row not in known] == []


@pytest.mark.parametrize("item", ITEMS)
def test_a_setting_is_what_the_item_would_run_today(item):
    setting = ITEMS[item]().report({}).setting
    made = SECTIONS[item]["setting"]
    begin = "Training: " if item == "protocol" else ""  # whose first training was made in pieces
    assert made[made.index(begin) :] == setting[setting.index(begin) :]
    trainings = re.findall(r"Training: .*?\.(?= `loss=)", setting)
    shown = item not in ("hyperparameters", "protocol")  # two tables; the losses, in a column, of presets as they are
    assert [each for each in trainings if shown and each not in " ".join(PAGE.split())] == []


def test_no_item_is_left_out():
    assert len(TABLES) >= 9
    assert PAGE.count("\n|---") == len(TABLES) - 1, "a table without the comment that names its data"
    assert [name for name in ITEMS if not re.search(rf"coc reproduce [\w ]*{name}", PAGE + SHIPPED)] == []


def test_what_was_trained_again_is_said_of_the_checkpoints_that_ship():
    registry = Registry.installed()
    specs = {each.name: registry.folder(each) / "model.safetensors" for each in registry.specs(CheckpointSpec)}
    (table,) = SECTIONS["shipped"]["tables"]
    again = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    ships = [
        each
        for each in again
        if (path := specs.get(each["checkpoint"]))
        and sha256(path.read_bytes()).hexdigest().startswith(each["SHA-256, shipped"])
    ]
    (lines,) = (lines for item, _, lines in TABLES if item == "shipped")
    assert [cells(line)[0] for line in lines.splitlines()[2:]] == [each["checkpoint"] for each in ships]
    assert {each["came out"].partition(",")[0] for each in ships} == {"exactness equal"}
    replaced = [each for each in again if each not in ships]
    same = [each for each in replaced if each["came out"] == "weights equal"]
    (worse,) = (each for each in replaced if each not in same)
    right, of = worse["held-out pairs, again"].split(" of ")
    said = " ".join(SHIPPED.split())
    assert f"{len(ships)} of the {len(specs)} checkpoints that ship were trained a second time" in said
    assert (
        f"{len(replaced)} more were trained again and have been replaced since: {len(same)} had the same weights"
        in said
    )
    assert f"one got {int(of.replace(',', '')) - int(right.replace(',', ''))} of {of} held-out" in said


@pytest.mark.parametrize("item", ["instances", "holdout"])
def test_a_count_over_cells_is_that_of_the_data(item):
    (sentence,) = re.findall(r"Of \d+ (?:cells|runs).*?\.(?= |$)", SECTIONS[item]["meaning"])
    assert sentence in " ".join(PAGE.split())
