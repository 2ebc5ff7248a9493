import json
import re
from pathlib import Path

import pytest
from attrs import evolve, frozen

from coc_core.extras import install_command
from coc_paper.item import Budget, Item, Parameters, parameter
from coc_paper.items import eight, stack
from coc_paper.report import Section, Table
from coc_paper.store import Store
from coc_paper.tasks import Task
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS, parameters


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
    item = evolve(eight.ITEM, tasks=lambda _: {"pancake pda symbolic": bad})
    monkeypatch.setattr(eight, "ITEM", item)
    done = coc("reproduce", "eight", "--out", tmp_path / "out", "-q")
    assert done.code == 1
    assert "Nothing could be computed. 1 of its tasks failed: refusing:" in " ".join(done.out.split())
    assert "it makes no sense" in (tmp_path / "out" / "report" / "index.html").read_text()


def test_an_interrupt_says_how_to_go_on(coc, tmp_path, monkeypatch):
    tasks = {"pda": Task("tests.support.paper_tasks:count"), "tape": Task("tests.support.paper_tasks:interrupted")}
    monkeypatch.setattr(eight, "ITEM", evolve(eight.ITEM, tasks=lambda _: tasks))
    out = tmp_path / "out"
    done = coc("reproduce", "eight", "--out", out, "--json")
    assert done.code == 130
    assert json.loads(done.out)["error"]["kind"] == "interrupted"
    note = f"finished results are in {out}; run the same command again to continue coc: error: interrupted"
    assert note in " ".join(coc("reproduce", "eight", "--out", out).err.split())
    assert Store.open(out, create=False).has(tasks["pda"])
    assert not (out / "report").exists()


def test_what_is_there_can_be_reported_alone(coc, refused, tmp_path, monkeypatch):
    tasks = {name: Task("tests.support.paper_tasks:count", {"start": 1, "of": [name]}) for name in ("pda", "tape")}
    item = type(eight.ITEM)(
        "eight", "t", lambda _: tasks, lambda _, __: eight._report(parameters("eight", Budget.quick), {})
    )
    monkeypatch.setattr(eight, "ITEM", item)
    out = tmp_path / "out"
    assert f"nothing was computed in {out}" in refused(2, "reproduce", "eight", "--report-only", "--out", out)
    assert not out.exists()
    out.mkdir()
    assert f"nothing was computed in {out}" in refused(2, "reproduce", "eight", "--report-only", "--out", out)
    assert list(out.iterdir()) == []
    Store.open(out, create=True).keep(tasks["pda"], 1, 1.0)
    written = {path.name for path in (out / "results").iterdir()}
    done = coc("reproduce", "eight", "--report-only", "--out", out, "--json")
    assert done.code == 0, done.err
    assert missing(done) == "Of its 2 computations, 1 is still to be made."
    assert "<strong>Not complete.</strong> Of its 2" in (out / "report" / "index.html").read_text()
    assert {path.name for path in (out / "results").iterdir()} == written


@pytest.fixture
def four_parts(monkeypatch):
    """The tasks of an item that takes the place of `eight`, by their names."""

    def tasks():
        before = Task("tests.support.paper_tasks:count", {"start": 0})
        return {
            name: Task("tests.support.paper_tasks:count", {"start": start}, {"before": before})
            for start, name in enumerate(("pda a", "pda b", "tape a", "tape [a]"))
        }

    item = type(eight.ITEM)(
        "eight", "t", lambda _: tasks(), lambda _, __: eight._report(parameters("eight", Budget.quick), {})
    )
    monkeypatch.setattr(eight, "ITEM", item)
    return tasks()


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
    assert listing == {
        "done": 1 + len(made),
        "tasks": 5,
        "other": 0,
        "parts": {name: name in made for name in four_parts},
    }


def test_a_report_of_one_part_has_those_that_were_made_before(coc, tmp_path, four_parts):
    out = tmp_path / "out"
    coc("reproduce", "eight:pda a", "--out", out, "-q")
    done = coc("reproduce", "eight:pda b", "--out", out, "--json")
    assert missing(done) == "Of its 5 computations, 2 are still to be made."


def test_results_of_other_code_are_shown_as_such_until_they_are_refreshed(coc, tmp_path, four_parts, monkeypatch):
    out = tmp_path / "out"
    assert coc("reproduce", "eight", "--out", out, "--json").err == ""
    before = {path.name for path in (out / "results").iterdir()}
    code = {**four_parts["pda a"].description["code"], "sources": "0"}
    monkeypatch.setattr("coc_paper.tasks.code", lambda: code)
    said = " were made by other code or other versions; "
    listed = coc("reproduce", "--out", out, "--json")
    assert f"5 results{said}--refresh computes what differs again" in " ".join(listed.err.split())
    state = {row["item"]: row["quick"] for row in json.loads(listed.out)["items"]}["eight"]
    assert (state["done"], state["other"], {*state["parts"].values()}) == (0, 5, {False})
    for more in ([], ["--report-only"]):
        shown = coc("reproduce", "eight", *more, "--out", out, "--json")
        assert f"4 results{said}shown as such; --refresh computes what differs again" in " ".join(shown.err.split())
        (section,) = json.loads(shown.out)["sections"]
        assert section["missing"] == ""
        (other,) = section["other"]
        assert other.startswith("`pda a`, `pda b`, `tape a`, `tape [a]`: coc ")
        assert other.endswith("; other code")
        assert {path.name for path in (out / "results").iterdir()} == before
        assert other.replace("`", "") in re.sub("</?code>", "", (out / "report" / "index.html").read_text())
    item = evolve(eight.ITEM, report=lambda chosen, results: eight._report(parameters("eight", Budget.quick), results))
    monkeypatch.setattr(eight, "ITEM", item)  # one that can't read what the other code left
    (other,) = json.loads(coc("reproduce", "eight", "--out", out, "--json").out)["sections"][0]["other"]
    assert other.endswith(
        "; left out, since they have another form (ValueError: not enough values to unpack (expected 3, got 2))"
    )
    evolved = evolve(eight.ITEM, report=lambda *_: eight._report(parameters("eight", Budget.quick), {}))
    monkeypatch.setattr(eight, "ITEM", evolved)
    made = coc("reproduce", "eight:pda*", "--out", out, "--refresh", "--json")
    assert made.err == ""
    (other,) = json.loads(made.out)["sections"][0]["other"]
    assert other.startswith("`tape a`, `tape [a]`: coc ")
    coc("reproduce", "eight", "--out", out, "--refresh", "-q")
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
    assert install_command("plots").partition(" install ")[2] in refused(
        2, "reproduce", "traces", "--out", tmp_path / "out"
    )
    assert not Path(tmp_path / "out").exists()


def test_a_report_of_somebody_else_stays(refused, tmp_path):
    (tmp_path / "out" / "report").mkdir(parents=True)
    (tmp_path / "out" / "report" / "mine").write_text("")
    assert "is not a reproduction" in refused(2, "reproduce", "traces", "--out", tmp_path / "out")


@pytest.fixture
def twice(monkeypatch):
    """An item in the place of `eight`, which trains nothing and has parameters: it counts from each start."""

    @frozen(kw_only=True)
    class Starts(Parameters):
        starts: tuple[int, ...] = parameter("where it starts", (1, 2, 3), (1,), least=0)
        label: str = parameter("what it is called", "plain")

    def tasks(chosen):
        return {f"{start}": Task("tests.support.paper_tasks:count", {"start": start}) for start in chosen.starts}

    def report(chosen, results):
        rows = [[name, chosen.label, done.result] for name, done in results.items()]
        return Section("eight", "t", "q?", f"From {chosen.starts}.", "m", tables=[Table("", ["a", "b", "c"], rows)])

    monkeypatch.setattr(eight, "ITEM", Item("eight", "t", tasks, report, Starts))


def test_settings_change_an_item_and_use_what_is_there(coc, tmp_path, twice, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert coc("reproduce", "eight", "--budget", "full", "-q").code == 0
    before = {path.name for path in Path("reproduced/results").iterdir()}
    done = coc("reproduce", "--set", "eight.starts=2-4", "--set", "eight.label=a/b", "--json")
    assert done.code == 0, done.err
    assert len({path.name for path in Path("reproduced/results").iterdir()} - before) == 1
    (section,) = json.loads(done.out)["sections"]
    assert section["changed"] == ["starts=2-4", "label=a/b"]
    assert (section["sample"], section["setting"]) == ("", "From (2, 3, 4).")
    assert section["tables"][0]["rows"] == [["2", "a/b", 3], ["3", "a/b", 4], ["4", "a/b", 5]]
    report = json.loads(Path("reproduced/report/report.json").read_text())
    assert "--budget quick --set 'eight.starts=2-4' --set 'eight.label=a/b'`" in report["facts"]


@for_each(
    ("change", "said"),
    [
        ("eight", "--set: 'eight' sets nothing; write ITEM.NAME=VALUE"),
        ("eight.starts", "--set: 'eight.starts' sets nothing"),
        (".starts=1", "unknown item ''"),
        ("eigth.starts=1", "--set 'eigth.starts': unknown item 'eigth'; did you mean 'eight'?"),
        ("eight.start=1", "the item eight has no parameter 'start'; did you mean 'starts'? choose from label, starts"),
        ("eight.starts=x", "--set eight.starts=x: 'x' is not a list of numbers; write it like 8, 1-20 or 1-3,5"),
        ("eight.starts=5-1", "--set eight.starts=5-1: the range of numbers '5-1' is empty"),
        ("eight.starts=0-99999", "--set eight.starts=0-99999: '0-99999' names more than 10,000 numbers; choose fewer"),
        (
            "eight.starts=9999999999",
            "--set eight.starts=9999999999: it must be from 0 to 1,000,000,000, not 9,999,999,999",
        ),
        ("traces.n=3", "the item traces has no parameter 'n'; nothing of it can be set"),
        ("stack.holdout=100", "--set stack.holdout=100: it must be from 0 to 99, not 100"),
        ("pairs.seed=1-2", "--set pairs.seed=1-2: '1-2' is not a whole number"),
        (
            "stack.foo=1",
            "--set for stack: unknown hyperparameter 'foo'; its parameters are preset, sizes, holdout, seeds;",
        ),
        ("stack.lr=fast", "--set for stack: lr must be a number, not 'fast'; its parameters are"),
        (
            "stack.preset=x",
            "--set for stack: unknown preset 'x'; its parameters are preset, sizes, holdout, seeds; for",
        ),
    ],
)
def test_a_wrong_setting_is_named_and_nothing_is_made(refused, tmp_path, twice, change, said):
    assert said in refused(2, "reproduce", "--set", change, "--out", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_setting_is_given_once(refused, tmp_path):
    changes = ["--set", "stack.seeds=1", "--set", "stack.seeds=2"]
    assert "--set: 'stack.seeds' is given twice" in refused(2, "reproduce", *changes, "--out", tmp_path / "out")


def test_what_can_be_set_is_listed(coc, tmp_path, twice):
    done = coc("reproduce", "eight", "traces", "stack", "--list", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    words = " ".join(done.out.split())
    assert "starts 1 1-3 where it starts" in words
    assert "parts, quick: 1 parts, full: 1, 2, 3" in words
    assert "any hyperparameter, such as --set stack.steps=1000" in words
    assert "nothing of it can be set" in words
    items = {row["item"]: row for row in json.loads(coc("reproduce", "--json", "--out", tmp_path / "out").out)["items"]}
    assert items["eight"]["parameters"][0] == {
        "name": "starts",
        "summary": "where it starts",
        "quick": "1",
        "full": "1-3",
    }
    assert (items["eight"]["hyperparameters"], items["stack"]["hyperparameters"]) == (False, True)
    assert list(tmp_path.iterdir()) == []


def test_only_what_was_asked_for_is_refreshed(refused):
    assert "--refresh computes what is asked for; name the items" in refused(2, "reproduce", "--refresh")


def test_a_style_is_checked_before_anything_is_computed(refused, coc, tmp_path, twice):
    out = tmp_path / "out"
    assert "unknown style 'ggplott', and no file of that name; did you mean 'ggplot'?" in refused(
        2, "reproduce", "eight", "--style", "ggplott", "--out", out
    )
    (tmp_path / "mine.mplstyle").write_text("lines.linewidth: wide\n")
    assert not out.exists()
    assert coc("reproduce", "eight", "--style", "ggplot", "--out", out, "-q").code == 0
