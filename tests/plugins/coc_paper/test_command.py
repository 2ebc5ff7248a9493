"""The command from the list to the report: what is there is used, and what is wrong is said in a line."""

import json
import re
import sys
from pathlib import Path

import pytest
from attrs import frozen

from coc_core.extras import install_command
from coc_core.plugin import attribution
from coc_core.storage import FreshFile
from coc_paper.item import Item, parameter
from coc_paper.items import untrained
from coc_paper.report import Section, Table
from coc_paper.store import MARKER, Store
from coc_paper.tasks import Task
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS

COUNT = "tests.support.paper_tasks:count"


def section_of(done):
    """What `--json` prints of the one item that was reproduced."""
    assert done.code == 0, done.err
    (section,) = json.loads(done.out)["sections"]
    return section


def names(folder):
    return {path.name for path in (folder / "results").iterdir()}


def rows_of(done):
    return {row["item"]: row for row in json.loads(done.out)["items"]}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_an_item_is_made_once(coc, out):
    first = coc("reproduce", "traces", "--out", out)
    assert first.code == 0, first.err
    assert "traces  Word by word those of the paper: 6 of 6" in first.out
    assert first.out.endswith(f"the report is {out / 'report' / 'index.html'}\n")
    page = (out / "report" / "index.html").read_bytes()
    written = {path: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    assert section_of(coc("reproduce", "traces", "--out", out, "--json", "-q"))["name"] == "traces"
    assert (out / "report" / "index.html").read_bytes() == page
    assert {path: path.stat().st_mtime_ns for path in (out / "results").iterdir()} == written


@pytest.mark.slow
def test_a_training_and_its_evaluation(coc, out):
    section = section_of(coc("reproduce", "--set", "stack.steps=3", "--set", "stack.sizes=1-3", "--out", out, "--json"))
    assert [(row[0], row[1]) for row in section["tables"][0]["rows"]] == [(0, 0)]


@pytest.fixture
def put(monkeypatch):
    """Puts an item in the place of `eight`, with tasks that a function makes of where to start."""

    def place(make):
        @frozen(kw_only=True)
        class Starts(Item):
            """T."""

            starts: tuple[int, ...] = parameter("where it starts", (1, 2, 3), (1,), least=0)
            label: str = parameter("what it is called", "plain")

            def tasks(self):
                return make(self.starts)

            def report(self, results):
                rows = [[name, self.label, done.result + 0] for name, done in results.items()]
                return Section(question="q?", setting="s", meaning="m", tables=[Table("", "abc", rows)])

        monkeypatch.setattr(untrained, "Eight", Starts)
        return make

    return place


def test_an_interrupt_says_how_to_go_on_and_two_can_not_compute_at_once(coc, refused, out, put):
    tasks = put(lambda _: {"pda": Task(COUNT), "tape": Task("tests.support.paper_tasks:interrupted")})
    done = coc("reproduce", "eight", "--out", out, "--json")
    assert done.code == 130
    assert json.loads(done.out)["error"]["kind"] == "interrupted"
    note = f"finished results are in {out}; run the same command again to continue coc: error: interrupted"
    assert note in " ".join(done.err.split())
    assert Store.open(out, create=False).has(tasks(())["pda"])
    assert not (out / "report").exists()
    with FreshFile(out / MARKER, "reproduction"):
        said = refused(5, "reproduce", "eight", "--out", out)
    assert f"another process is writing the reproduction {out / MARKER}; wait until it has ended" in said


@pytest.fixture
def four_parts(put):
    """Makes the tasks of an item that takes the place of `eight`, by their names."""

    def tasks(_=()):
        parts, before = ("pda a", "pda b", "tape a", "tape [a]"), Task(COUNT, {"start": 0})
        return {name: Task(COUNT, {"start": start}, {"before": before}) for start, name in enumerate(parts)}

    return put(tasks)


@for_each(
    ("chosen", "made", "missing"),
    [
        (["eight"], {"pda a", "pda b", "tape a", "tape [a]"}, ""),
        (["eight:tape [a]"], {"tape [a]"}, "Of its 5 computations, 3 are still to be made."),  # no pattern
        (["eight:pda*", "eight:tape ?"], {"pda a", "pda b", "tape a"}, "Of its 5 computations, 1 is still to be made."),
    ],
)
def test_parts_of_an_item_are_made_alone(coc, tmp_path, four_parts, chosen, made, missing):
    assert section_of(coc("reproduce", *chosen, "--out", tmp_path, "--json"))["missing"] == missing
    page, before = (tmp_path / "report" / "index.html").read_text(), names(tmp_path)
    assert (f"<b>Not complete.</b> {missing}" in page) == bool(missing)
    assert section_of(coc("reproduce", "eight", "--report-only", "--out", tmp_path, "--json"))["missing"] == missing
    assert names(tmp_path) == before
    parts = {name: name in made for name in four_parts()}
    found = {"done": 1 + len(made), "tasks": 5, "other": 0, "parts": parts}
    assert rows_of(coc("reproduce", "--out", tmp_path, "--json"))["eight"]["quick"] == found


def test_results_of_other_code_are_shown_as_such_until_they_are_refreshed(coc, refused, out, four_parts, monkeypatch):
    assert coc("reproduce", "eight", "--out", out, "--json").err == ""
    before, said = names(out), "some results were made by other code or other versions; "
    code = {**four_parts()["pda a"].description["code"], "sources": "0"}
    monkeypatch.setattr("coc_paper.tasks.code", lambda: code)
    found = coc("reproduce", "--out", out, "--json")
    assert f"{said}--refresh computes what differs again" in " ".join(found.err.split())
    state = rows_of(found)["eight"]["quick"]
    assert (state["done"], state["other"], {*state["parts"].values()}) == (0, 5, {False})
    shown = coc("reproduce", "eight", "--out", out, "--json")
    assert f"{said}shown as such; --refresh computes what differs again" in " ".join(shown.err.split())
    section = section_of(shown)
    (other,) = section["other"]
    assert section["missing"] == ""
    assert re.fullmatch(r"`pda a`, `pda b`, `tape a`, `tape \[a\]`: coc .*; other code", other)
    assert other.replace("`", "") in re.sub("</?code>", "", (out / "report" / "index.html").read_text())
    assert names(out) == before
    made = coc("reproduce", "eight:pda*", "--out", out, "--refresh", "--json")
    assert made.err == ""
    assert section_of(made)["other"][0].startswith("`tape a`, `tape [a]`: coc ")
    for path in (out / "results").iterdir():
        path.unlink()
    Store.open(out, create=False).keep(four_parts()["pda a"], "text", 1)
    code = {**code, "sources": "1"}
    said = refused(4, "reproduce", "eight", "--out", out, "--report-only", "-q")
    assert "the item eight can't be used: TypeError: " in said
    assert "; --refresh computes results of other code again" in said
    assert coc("reproduce", "eight", "--out", out, "--refresh", "-q").code == 0
    assert coc("reproduce", "--out", out).err == ""


def test_an_edited_result_is_named_by_every_way_to_see_it(refused, coc, out, four_parts):
    assert coc("reproduce", "eight", "--out", out, "-q").code == 0
    path = out / "results" / f"{four_parts()['pda a'].key}.json"
    path.write_text(path.read_text().replace('"result": 2', '"result": 7777'))
    for arguments in ([], ["eight"], ["eight", "--report-only"], ["eight:tape a"]):
        said = refused(3, "reproduce", *arguments, "--out", out)
        assert f"{path} was changed since it was computed; delete the file" in said
    path.unlink()
    assert coc("reproduce", "eight", "--out", out, "-q").code == 0


@pytest.fixture
def starts(put):
    """An item in the place of `eight`, which counts from each start."""
    put(lambda starts: {f"{start}": Task(COUNT, {"start": start}) for start in starts})


def test_settings_change_an_item_and_use_what_is_there(coc, tmp_path, starts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert coc("reproduce", "eight", "--budget", "full", "-q").code == 0
    before = names(Path("reproduced"))
    section = section_of(coc("reproduce", "--set", "eight.starts=2-4", "--set", "eight.label=a/b", "--json"))
    assert len(names(Path("reproduced")) - before) == 1
    assert (section["changed"], section["sample"]) == (["starts=2-4", "label=a/b"], "")
    assert section["tables"][0]["rows"] == [["2", "a/b", 3], ["3", "a/b", 4], ["4", "a/b", 5]]
    report = json.loads(Path("reproduced/report/report.json").read_text())
    assert "--budget quick --set 'eight.starts=2-4' --set 'eight.label=a/b'`" in report["facts"]
    section = section_of(coc("reproduce", "eight", "--json"))
    assert section["sample"] == "Less than `--budget full` computes: starts 1 instead of 1-3."


def test_items_and_what_can_be_set_are_listed_and_nothing_is_made(coc, tmp_path, starts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = coc("reproduce")
    assert (done.code, done.err) == (0, "")
    assert all(name in done.out for name in ITEMS)
    done = coc("reproduce", "eight", "traces", "stack", "--list", "--out", tmp_path / "out")
    for words in (
        "starts 1 1-3 where it starts",
        "parts, quick: 1 parts, full: 1, 2, 3",
        "any hyperparameter, such as --set stack.steps=1000",
        "nothing of it can be set",
    ):
        assert words in " ".join(done.out.split())
    items = rows_of(coc("reproduce", "--json", "--out", tmp_path / "out"))
    assert [*items["eight"]["parameters"][0].values()] == ["starts", "where it starts", "1", "1-3"]
    assert (items["eight"]["hyperparameters"], items["stack"]["hyperparameters"]) == (False, True)
    assert list(tmp_path.iterdir()) == []


def test_what_raises_in_a_plugin_fails_alone_and_names_it(coc, out, put, entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("made-up", "tests"),))  # whose code is here
    bad = Task("tests.support.paper_tasks:divide")
    put(
        lambda _: {
            "bad": bad,
            "after": Task(COUNT, {}, {"a": bad}),
            "set": Task(f"{COUNT}_in_set"),
            "good": Task(COUNT),
        }
    )
    done = coc("reproduce", "eight", "--out", out, "--json")
    (section,) = json.loads(done.out)["sections"]
    assert (done.code, section["title"], section["tables"][0]["rows"]) == (1, "T", [["good", "plain", 1]])
    assert sorted(section["failures"]) == [
        "after: what it needs failed: a",
        "bad: the plugin 'made-up' of stranger raised ZeroDivisionError: division by zero",
        f"set: what {COUNT}_in_set returned can't be written as JSON: Object of type set is not JSON serializable",
    ]
    put(fails)
    listed = coc("reproduce", "--out", out)
    assert "the plugin 'made-up' of stranger raised KeyError: 3" in " ".join(listed.err.split())
    assert "traces" in listed.out


def fails(self, results=None):
    raise KeyError(3)


@for_each(
    ("wrong", "said"),
    [
        (int, "NotAnAttrsClassError: "),
        ({"tasks": lambda _: {"a": 7}}, "'int' object has no attribute 'needs'"),
        ({"report": fails}, "KeyError: 3"),
        ({"report": lambda *_: 7}, "'int' object has no attribute 'title'"),
    ],
)
def test_an_item_that_is_wrong_is_named(refused, tmp_path, monkeypatch, wrong, said):
    kind = (
        wrong if wrong is int else type("Wrong", (untrained.Growth,), {"tasks": lambda _: {"a": Task(COUNT)}, **wrong})
    )
    monkeypatch.setattr(untrained, "Growth", kind)
    error = refused(4, "reproduce", "growth", "--out", tmp_path / "out")
    assert "the item growth can't be used: " in error
    assert said in error


SETS = "its parameters are preset, sizes, holdout, seeds;"


@for_each(
    ("words", "said"),
    [
        (["trace"], "unknown item 'trace'; did you mean 'traces'?"),
        (["eight:4"], "eight has no part '4' with --budget quick; choose from 1"),
        (["--refresh"], "--refresh computes what is asked for; name the items"),
        (["traces", "--report-only"], "nothing was computed in "),
        (["--set", "eight"], "--set: 'eight' sets nothing; write ITEM.NAME=VALUE"),
        (["--set", "eigth.starts=1"], "unknown item 'eigth'; did you mean 'eight'?"),
        (["--set", ".starts=1", "--list"], "unknown item ''"),
        (
            ["--set", "eight.start=1"],
            "the item eight has no parameter 'start'; did you mean 'starts'? choose from label",
        ),
        (["--set", "traces.n=3"], "the item traces has no parameter 'n'; nothing of it can be set"),
        (["--set", "eight.starts=x"], "--set eight.starts=x: 'x' is not a list of numbers; write it like 8, 1-20 or"),
        (["--set", "stack.holdout=100"], "--set stack.holdout=100: it must be from 0 to 99, not 100"),
        (["--set", "pairs.seed=1-2"], "--set pairs.seed=1-2: '1-2' is not a whole number"),
        (["--set", "stack.foo=1"], f"--set for stack: unknown hyperparameter 'foo'; {SETS}"),
        (["--set", "stack.preset=x"], f"--set for stack: unknown preset 'x'; {SETS} for"),
        (["--set", "stack.seeds=1", "--set", "stack.seeds=2"], "--set: 'stack.seeds' is given twice"),
    ],
)
def test_bad_input_is_one_line_and_makes_nothing(refused, tmp_path, starts, words, said):
    assert said in refused(2, "reproduce", *words, "--out", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_matplotlib_is_said_before_anything_is_computed(refused, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused(2, "reproduce", "traces", "--out", tmp_path / "out")
    assert install_command("plots").partition(" install ")[2] in said
    assert list(tmp_path.iterdir()) == []
