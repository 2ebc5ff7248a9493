"""A domain stated as operators writes and reads PDDL: the countdown of the guide, with no code for it of its own."""

import re
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[4] / "docs" / "how-to" / "write-a-domain.md"
RENAMED = {"before": "after", "due": "said", "say": "tell", r"n(\d)": r"x\1y", "countdown": "other"}


@pytest.fixture
def countdown(tmp_path):
    """The options for the countdown's plugin, whose module is forgotten after the test."""
    path = tmp_path / "countdown.py"
    path.write_text(re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)[0])
    yield "--plugin", path, "--model", "reference"
    sys.modules.pop("countdown", None)


@pytest.fixture
def files(coc, countdown, tmp_path):
    """Its domain and its problem of size 5, in PDDL."""
    folder = tmp_path / "five"
    assert coc("run", *countdown, "-d", "countdown", "-n", 5, "--pddl-out", folder).code == 0
    return folder / "domain.pddl", folder / "problem.pddl"


def test_what_it_writes_is_solved_under_any_names(coc, countdown, files, tmp_path):
    for file in files:
        text = file.read_text()
        for name, other in RENAMED.items():
            text = re.sub(rf"\b{name}\b", other, text)
        file.write_text(text)
    plan = tmp_path / "plan.txt"
    done = coc("run", *countdown, "--pddl", *files, "--plan", plan)
    assert (done.code, done.err) == (0, "")
    assert plan.read_text().splitlines() == [f"(tell x{n}y x{n - 1}y)" for n in range(5, 0, -1)]
    assert coc("validate", plan, "--pddl", *files).code == 0
    done = coc("eval", *countdown, "--problems", files[1])
    assert "1 of 1 solved: countdown" in done.out


def test_its_own_format_of_plans_is_read(coc, countdown, files):
    chosen = (files[0].with_name("plan.pddl"), *countdown[:2], "-d", "countdown", "-n", 5, "--plan-format", "pddl")
    assert coc("validate", *chosen).code == 0


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(goal (and (due n0)", "(goal (and (due n1)", r"the goal lacks \(due n0\), so this is not a problem"),
        ("(goal (and (due n0)", "(goal (and (due n0) (due n1)", r"the goal has \(due n1\), so this is not"),
        ("(before n1 n0)", "(before n1 n2)", r"\(before ...\) links objects in more than one order, or in none"),
        ("(due n5)", "(due n4)", r"at the beginning \(due n4\) holds, so this is not a state of countdown"),
    ],
)
def test_what_is_not_one_of_its_problems_is_refused(refused, countdown, files, old, new, reason):
    text = files[1].read_text().replace("(:goal", "(goal")
    assert old in text
    files[1].write_text(text.replace(old, new).replace("(goal", "(:goal"))
    assert re.search(reason, refused(2, "run", *countdown, "--pddl", *files))


def test_a_domain_without_operators_says_so(refused, files):
    told = refused(2, "run", "-d", "sort", "--model", "reference", "--pddl", *files)
    assert "sort does not say what it is in PDDL; state its actions as operators" in told
