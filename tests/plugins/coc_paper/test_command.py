import json
from pathlib import Path

import pytest

from coc_paper.items import eight, stack
from coc_paper.store import Store
from coc_paper.tasks import Task
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS


def missing(done):
    """What a report of one item says about what is still to be computed."""
    (section,) = json.loads(done.out)["sections"]
    return section["missing"]


def test_without_arguments_it_lists_the_items_and_makes_nothing(coc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = coc("reproduce")
    assert (done.code, done.err) == (0, "")
    for item in ITEMS.values():
        assert item.name in done.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_item_is_made_once(coc, tmp_path):
    out = tmp_path / "out"
    first = coc("reproduce", "traces", "growth", "--out", out, "-q")
    assert first.code == 0, first.err
    assert "6 of 6 traces" in first.out
    page = (out / "report" / "index.html").read_bytes()
    written = {path: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    second = coc("reproduce", "traces", "growth", "--out", out, "--json", "-q")
    assert second.code == 0
    assert [section["name"] for section in json.loads(second.out)["sections"]] == ["traces", "growth"]
    assert (out / "report" / "index.html").read_bytes() == page
    assert {path: path.stat().st_mtime_ns for path in (out / "results").iterdir()} == written
    listed = json.loads(coc("reproduce", "--out", out, "--json").out)["items"]
    traces = {row["item"]: row["quick"] for row in listed}["traces"]
    assert (traces["done"], traces["tasks"], set(traces["parts"].values())) == (6, 6, {True})


@pytest.mark.slow
def test_a_training_and_its_evaluation(coc, tmp_path, monkeypatch):
    monkeypatch.setitem(stack._STEPS, "quick", 3)
    done = coc("reproduce", "stack", "--out", tmp_path / "out", "-q")
    assert done.code == 0, done.err
    assert "Not all sizes are solved." in done.out
    assert (tmp_path / "out" / "report" / "stack-1.csv").read_text().count("\n") == 2


def test_what_can_not_be_computed_is_reported(coc, tmp_path, monkeypatch):
    bad = Task("tests.support.paper_tasks:refuse", doing="refusing")
    item = type(eight.ITEM)("eight", "t", lambda _: {"pancake pda symbolic": bad}, eight._report)
    monkeypatch.setattr(eight, "ITEM", item)
    done = coc("reproduce", "eight", "--out", tmp_path / "out", "-q")
    assert done.code == 1
    assert "Nothing could be computed. 1 of its tasks failed: refusing:" in " ".join(done.out.split())
    assert "it makes no sense" in (tmp_path / "out" / "report" / "index.html").read_text()


def test_what_is_there_can_be_reported_alone(coc, refused, tmp_path, monkeypatch):
    tasks = {name: Task("tests.support.paper_tasks:count", {"start": 1, "of": [name]}) for name in ("pda", "tape")}
    item = type(eight.ITEM)("eight", "t", lambda _: tasks, lambda _, __: eight._report("quick", {}))
    monkeypatch.setattr(eight, "ITEM", item)
    out = tmp_path / "out"
    assert f"nothing was computed in {out}" in refused(2, "reproduce", "eight", "--report-only", "--out", out)
    assert not out.exists()
    Store.open(out, create=True).keep(tasks["pda"], 1, 1.0)
    written = {path.name for path in (out / "results").iterdir()}
    done = coc("reproduce", "eight", "--report-only", "--out", out, "--json")
    assert done.code == 0, done.err
    assert missing(done) == "Of its 2 computations, 1 is still to be made."
    assert "<strong>Not complete.</strong> Of its 2" in (out / "report" / "index.html").read_text()
    assert "**Not complete.** Of its 2" in (out / "report" / "report.md").read_text()
    assert {path.name for path in (out / "results").iterdir()} == written
    said = refused(2, "reproduce", "eight", "--report-only", "--jobs", "2", "--out", out)
    assert "--report-only computes nothing, so it needs no workers" in said


@pytest.fixture
def four_parts(monkeypatch):
    """The tasks of an item that takes the place of `eight`, by their names."""
    before = Task("tests.support.paper_tasks:count", {"start": 0})
    tasks = {
        name: Task("tests.support.paper_tasks:count", {"start": start}, {"before": before})
        for start, name in enumerate(("pda a", "pda b", "tape a", "tape [a]"))
    }
    item = type(eight.ITEM)("eight", "t", lambda _: tasks, lambda _, __: eight._report("quick", {}))
    monkeypatch.setattr(eight, "ITEM", item)
    return tasks


@for_each(
    ("names", "made"),
    [
        (["eight"], {"pda a", "pda b", "tape a", "tape [a]"}),
        (["eight:pda*"], {"pda a", "pda b"}),
        (["eight:tape [a]"], {"tape [a]"}),  # a name; as a pattern it means another one
        (["eight:tape ?"], {"tape a"}),
        (["eight:pda b", "eight:pda b", "eight:t*"], {"pda b", "tape a", "tape [a]"}),
        (["eight:pda a", "eight"], {"pda a", "pda b", "tape a", "tape [a]"}),
    ],
)
def test_parts_of_an_item_are_made_alone(coc, tmp_path, four_parts, names, made):
    out = tmp_path / "out"
    done = coc("reproduce", *names, "--out", out, "--json")
    assert done.code == 0, done.err
    store = Store.open(out, create=False)
    assert {name for name, task in four_parts.items() if store.has(task)} == made
    assert bool(missing(done)) == (made != four_parts.keys())
    listed = json.loads(coc("reproduce", "--out", out, "--json").out)["items"]
    listing = {row["item"]: row["quick"] for row in listed}["eight"]
    assert listing == {"done": 1 + len(made), "tasks": 5, "parts": {name: name in made for name in four_parts}}


def test_a_report_of_one_part_has_those_that_were_made_before(coc, tmp_path, four_parts):
    out = tmp_path / "out"
    coc("reproduce", "eight:pda a", "--out", out, "-q")
    done = coc("reproduce", "eight:pda b", "--out", out, "--json")
    assert missing(done) == "Of its 5 computations, 2 are still to be made."


def test_results_of_other_code_are_shown_as_such_and_made_again(coc, tmp_path, four_parts, monkeypatch):
    out = tmp_path / "out"
    assert coc("reproduce", "eight", "--out", out, "--json").err == ""
    before = {path.name for path in (out / "results").iterdir()}
    monkeypatch.setattr("coc_paper.tasks.code_of", lambda *_: {"torch": "9"})
    said = f"{out} has 5 computations by other code, or another version of Python or torch; kept, but not used"
    listed = coc("reproduce", "--out", out, "--json")
    assert said in " ".join(listed.err.split())
    assert {row["item"]: row["quick"] for row in json.loads(listed.out)["items"]}["eight"]["done"] == 0
    reported = coc("reproduce", "eight", "--report-only", "--out", out, "--json")
    assert said in " ".join(reported.err.split())
    assert missing(reported) == "Of its 5 computations, 5 are still to be made."
    made = coc("reproduce", "eight", "--out", out, "--json")
    assert said in " ".join(made.err.split())
    assert missing(made) == ""
    after = {path.name for path in (out / "results").iterdir()}
    assert before < after
    assert len(after) == 2 * len(before)
    assert coc("reproduce", "--out", out).err == ""


def test_an_edited_result_is_named_by_every_way_to_see_it(refused, coc, tmp_path, four_parts):
    out = tmp_path / "out"
    assert coc("reproduce", "eight", "--out", out, "-q").code == 0
    path = out / "results" / f"{four_parts['pda a'].key}.json"
    path.write_text(path.read_text().replace('"result": 2', '"result": 7777'))
    for arguments in ([], ["eight"], ["eight", "--report-only"], ["eight:tape a"]):
        said = refused(3, "reproduce", *arguments, "--out", out)
        assert f"{path} was changed since it was computed; delete the file" in said
    path.unlink()
    assert coc("reproduce", "eight", "--out", out, "-q").code == 0


@pytest.mark.parametrize("name", ["eight:", "eight:PDA*", "eight:pda", "eight:pda a:", "eight::"])
def test_a_part_that_there_is_not_is_named(refused, tmp_path, four_parts, name):
    said = refused(2, "reproduce", name, "--out", tmp_path / "out")
    assert f"eight has no part {name.removeprefix('eight:')!r} with --budget quick; " in said
    assert "choose from pda a, pda b, tape [a], tape a" in said
    assert not (tmp_path / "out").exists()


def test_bad_input_is_one_line_and_changes_nothing(refused, tmp_path):
    out = tmp_path / "out"
    assert "unknown item 'trace'; did you mean 'traces'?" in refused(2, "reproduce", "trace", "--out", out)
    assert "unknown engine 'cloud'" in refused(2, "reproduce", "traces", "--engine", "cloud", "--out", out)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary").write_text("")
    assert "is not a reproduction" in refused(2, "reproduce", "traces", "--out", tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["diary"]
    assert not out.exists()


def test_a_missing_matplotlib_is_said_before_anything_is_computed(refused, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert "pip install -c constraints.txt '.[plots]'" in refused(2, "reproduce", "traces", "--out", tmp_path / "out")
    assert not Path(tmp_path / "out").exists()


def test_a_report_of_somebody_else_stays(refused, tmp_path):
    (tmp_path / "out" / "report").mkdir(parents=True)
    (tmp_path / "out" / "report" / "mine").write_text("")
    assert "is not a reproduction" in refused(2, "reproduce", "traces", "--out", tmp_path / "out")
