"""Numbers that several pages state are one each: what the code, the stored data or another page says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coc_core.plugin import DomainSpec, Registry
from tests.docs.test_reproduced import SECTIONS

ROOT = Path(__file__).parents[2]


def words(path):
    return " ".join((ROOT / path).read_text("utf-8").split())


def test_the_domains_are_counted():
    count = len(Registry.installed().specs(DomainSpec))
    assert f"[{count} domains](docs/explanation/puzzles.md)" in words("README.md")
    page = words("docs/explanation/puzzles.md")
    parts = re.search(
        r"(\d+) domains ship with coc: the (\d+) puzzles on this page, (\d+) .*? and (\d+) \[planning", page
    )
    total, *each = map(int, parts.groups())
    assert total == sum(each) == count
    rows = re.findall(
        r"^\| `([\w-]+)` \| \d+ to", (ROOT / "docs/explanation/puzzles.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) == each[0]


def test_the_suite_takes_as_long_on_each_page():
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    minutes = dict(re.findall(r"^\| `(.*)` \|.*\| (\d+) min \|$", contributing, re.MULTILINE))
    assert f"({minutes['pytest -n auto --dist worksteal']} minutes on two cores)" in words("README.md")
    assert f"in about {minutes['bash .ci/run']} minutes on two cores" in words(".ci/run")


def test_the_hours_of_the_papers_protocol_are_those_of_the_data():
    (table,) = (each for each in SECTIONS["protocol"]["tables"] if each["title"].startswith("Not run"))
    trainings, hours = (
        sum(row[table["columns"].index(name)] for row in table["rows"]) for name in ("trainings", "hours")
    )
    assert f"all {trainings} would take {hours:,.0f} hours" in words("docs/results/paper.md")
    assert f"{hours:,.0f} hours of a CPU" in words("docs/how-to/reproduce.md")


def test_the_cells_beside_the_papers_are_means_of_as_many_seeds():
    rows = {row[0]: row for table in SECTIONS["holdout"]["tables"][:1] for row in table["rows"]}
    (beside,) = (each for each in SECTIONS["protocol"]["tables"] if each["title"] == "Beside each other")
    name, paper, ours, *_ = beside["rows"][0]
    assert "mean of five seeds" in name
    assert rows["5%"][1] == 5
    assert (rows["5%"][2]["paper"], rows["5%"][2]["ours"]) == (paper, round(ours, 1))


def test_the_addresses_that_were_tested_are_counted():
    found = (
        sum(min(1_000, 10**digits - (digits > 1) * 10 ** (digits - 1)) for digits in range(1, 20)) * 12
    )  # expressions
    assert f"All {found:,} test targets" in words("docs/results/shipped.md")


def test_a_run_loads_as_many_modules_as_the_page_says():
    most = re.search(r"A run of three disks loads fewer than (\d+) modules", words("CONTRIBUTING.md"))
    assert json.loads((ROOT / "tests/repo/size.json").read_text())["modules of a run"] <= int(most[1])


@pytest.mark.slow
def test_problems_that_are_new_up_to_names_are_counted():
    done = subprocess.run([sys.executable, "benchmarks/new_problems.py"], cwd=ROOT, capture_output=True, text=True)
    found = dict(re.findall(r"^(.+?) training problems of a size: ([\d,]+) of 1,800 new", done.stdout, re.MULTILINE))
    page = words("docs/results/paper.md")
    many, few = (
        [found[f"{name}, {count}"] for name in ("blocksworld", "blocksworld-extended", "pancake")] for count in (500, 5)
    )
    assert "{} of 1,800 BlocksWorld problems, {} of Extended BlocksWorld and {} of Pancake".format(*many) in page
    assert "with five, {}, {} and {}".format(*few) in page
