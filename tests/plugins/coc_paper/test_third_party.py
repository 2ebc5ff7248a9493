"""An item of another plugin: what depends on a changed line, or on a checkpoint trained again, is computed again."""

import json
import shutil
import sys

import pytest

from coc_core.plugin import CheckpointSpec, Registry
from tests.support.for_each import for_each
from tests.support.forgetful import anew
from tests.support.paper_items import REGISTRY

HOOKS = """
from coc_core.plugin import CheckpointSpec, ItemSpec, hookimpl

@hookimpl
def coc_items():
    return [ItemSpec("dice", "made_up.item:ITEM", "rolls of dice")]

@hookimpl
def coc_checkpoints():
    return [CheckpointSpec("made-up", "made_up:checkpoint", ("made-up dialect",), "a copy")]
"""
ITEM = """
from attrs import frozen
from coc_paper.item import Item, Parameters, parameter
from coc_paper.report import Section, Table
from coc_paper.tasks import Task

@frozen(kw_only=True)
class Dice(Parameters):
    sides: int = parameter("sides of a die", full=20, quick=6)

def tasks(chosen):
    rolls = Task("made_up.rolling:roll", {"sides": chosen.sides}, doing="rolling")
    return {
        "rolls": rolls,
        "sum": Task("made_up.adding:add", needs={"rolls": rolls}, doing="adding"),
        "reference": Task("made_up.running:run", {"domain": "hanoi", "model": "reference"}, doing="running"),
        "trained": Task("made_up.running:run", {"domain": "hanoi", "model": "hanoi-pda"}, doing="running"),
        "read": Task("made_up.reading:read", {"checkpoint": "made-up"}, doing="reading"),
    }

def report(chosen, results):
    rows = [[name, done.result] for name, done in results.items()]
    return Section("dice", "Dice", "Is it fair?", f"{chosen.sides} sides.", "Yes.", tables=[Table("", ["a", "b"], rows)])

ITEM = Item("dice", "Rolls of dice", tasks, report, Dice)
"""
MODULES = {
    "__init__.py": HOOKS,
    "item.py": ITEM,
    "rolling.py": "from made_up.numbers import NUMBERS\n\ndef roll(folder, needs, sides):\n"
    '    """Roll."""\n    return [number % sides for number in NUMBERS]\n',
    "numbers.py": "NUMBERS = [-1, 4, 9]\n",
    "adding.py": 'def add(folder, needs):\n    return sum(needs["rolls"].result)\n',
    "running.py": "import coc_core as coc\n\ndef run(folder, needs, domain, model):\n    return coc.run(domain, 2, model=model).steps\n",
    "reading.py": "def read(folder, needs, checkpoint):\n    return checkpoint\n",
}
EVERY = {"rolls", "sum", "reference", "trained", "read"}


@pytest.fixture
def library(tmp_path, monkeypatch, with_plugins):
    """The folder of the plugin."""
    folder = tmp_path / "library" / "made_up"
    folder.mkdir(parents=True)
    for name, text in MODULES.items():
        (folder / name).write_text(text)
    shipped = REGISTRY.folder(REGISTRY.find(CheckpointSpec, "hanoi-pda"))
    shutil.copytree(shipped, folder / "checkpoint")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with_plugins(("made-up", "made_up"))
    anew()
    yield folder
    anew()


@pytest.fixture
def made(coc, tmp_path, library):
    """Reproduces `dice` with some options; gives the parts that were computed, those that other code made, and the rest."""
    results = tmp_path / "out" / "results"

    def run(*options):
        anew()
        before = {path.name for path in results.iterdir()} if results.exists() else set()
        done = coc("reproduce", "dice", *options, "--out", tmp_path / "out", "--json")
        assert done.code == 0, done.err
        (section,) = json.loads(done.out)["sections"]
        parts = {task: name for name, task in keys().items()}
        computed = {parts[path.stem] for path in results.iterdir() if path.name not in before}
        other = {name for line in section["other"] for name in EVERY if f"`{name}`" in line}
        return computed, other, section

    def keys():
        from made_up.item import ITEM

        return {name: task.key for name, task in ITEM.tasks(ITEM.parameters(budget="quick")).items()}

    return run


def changed(library, name, before, after):
    text = (library / name).read_text()
    assert before in text
    (library / name).write_text(text.replace(before, after))


def test_one_changed_line(made, library):
    assert made()[0] == EVERY
    for name, before, after in (
        ("rolling.py", '"""Roll."""', '"""Roll a die."""  # often'),
        ("item.py", "Is it fair?", "Is it?"),
        ("__init__.py", "rolls of dice", "dice"),
    ):
        changed(library, name, before, after)
    assert made()[:2] == (set(), set())
    changed(library, "numbers.py", "[-1, 4, 9]", "[-1, 4, 8]")
    computed, other, section = made()
    assert (computed, other) == (set(), {"rolls", "sum"})
    (table,) = section["tables"]
    assert {table["rows"][row][0] for row, _ in table["marked"]} == {"rolls", "sum"}
    assert made("--refresh")[:2] == ({"rolls", "sum"}, set())


@pytest.mark.slow
@for_each(
    ("name", "before", "after", "depends"),
    [
        ("rolling.py", "number % sides", "number % sides + 1", {"rolls", "sum"}),
        ("adding.py", "sum(", "1 + sum(", {"sum"}),
        ("running.py", "domain, 2,", "domain, 3,", {"reference", "trained"}),
        ("reading.py", "return checkpoint", "return checkpoint.upper()", {"read"}),
    ],
)
def test_what_depends_on_a_line_is_computed_again_and_nothing_else(made, library, name, before, after, depends):
    made()
    changed(library, name, before, after)
    assert made("--refresh")[:2] == (depends, set())


def test_one_checkpoint_trained_again(made, library, monkeypatch):
    assert made()[0] == EVERY
    weights = library / "checkpoint" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"!")
    (library / "checkpoint" / "README.md").write_text("Trained again.")
    computed, other, section = made()
    assert (computed, other) == (set(), {"read"})
    assert section["other"][0].endswith("; another checkpoint made-up")
    assert made("--refresh")[:2] == ({"read"}, set())
    real, shipped = Registry.folder, library / "checkpoint"
    monkeypatch.setattr(
        Registry, "folder", lambda self, spec: shipped if spec.name == "hanoi-pda" else real(self, spec)
    )
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    assert made()[:2] == (set(), {"read", "trained"})


def test_another_kind_of_hardware_and_version(made, monkeypatch):
    assert made()[0] == EVERY
    monkeypatch.setattr("coc_paper.origin.sources.hardware", lambda *, trains: "NVIDIA H100")
    assert made()[:2] == (set(), {"trained", "read"})
    monkeypatch.undo()


def test_it_is_listed_and_its_parameters_can_be_set(coc, refused, library, tmp_path):
    done = coc("reproduce", "dice", "--list", "--out", tmp_path / "out")
    assert "sides 6 20 sides of a die" in " ".join(done.out.split())
    done = coc("reproduce", "dice:rolls", "--set", "dice.sides=3", "--out", tmp_path / "out", "--json")
    (section,) = json.loads(done.out)["sections"]
    assert (section["setting"], section["tables"][0]["rows"]) == ("3 sides.", [["rolls", [2, 1, 0]]])
    assert "the item dice has no parameter 'side'; did you mean 'sides'?" in refused(
        2, "reproduce", "--set", "dice.side=3"
    )


@pytest.mark.slow
@for_each(
    ("name", "before", "after", "code", "said"),
    [
        (
            "item.py",
            'Item("dice"',
            'Item("dices"',
            4,
            "made_up.item:ITEM is not a `coc_paper.item.Item` with the name 'dice'",
        ),
        ("item.py", "ITEM = Item", "ITEM = str", 4, "the plugin 'made-up' of stranger can't provide made_up.item:ITEM"),
        (
            "item.py",
            "    rolls = Task",
            "    raise KeyError(3)\n    rolls = Task",
            4,
            "the plugin 'made-up' of stranger raised KeyError: 3",
        ),
        (
            "item.py",
            '"rolls": rolls,',
            '"rolls": 7,',
            4,
            "the tasks of the item dice are not a mapping of names to tasks",
        ),
        (
            "item.py",
            "    rows = ",
            "    return 7\n    rows = ",
            4,
            "the report of the item dice is not a `coc_paper.report.Section`",
        ),
        (
            "item.py",
            "    rows = ",
            "    rows = 1 / 0\n    rows = ",
            4,
            "the plugin 'made-up' of stranger raised ZeroDivisionError",
        ),
    ],
)
def test_an_item_that_is_wrong_is_named(refused, coc, library, tmp_path, name, before, after, code, said):
    original = (library / name).read_text()
    changed(library, name, before, after)
    anew()
    assert said in refused(code, "reproduce", "dice", "--out", tmp_path / "out")
    (library / name).write_text(original)
    if "rows" not in before:
        anew()
        changed(library, name, before, after)
        listed = coc("reproduce", "--out", tmp_path / "out")
        assert said in " ".join(listed.err.split())
        assert "traces" in listed.out
        (library / name).write_text(original)


def test_a_function_that_raises_fails_alone(coc, library, tmp_path):
    changed(library, "rolling.py", "return [", "return 1 / 0, [")
    changed(library, "reading.py", "return checkpoint", "return {checkpoint}")
    done = coc("reproduce", "dice", "--out", tmp_path / "out", "--json")
    assert done.code == 1
    (section,) = json.loads(done.out)["sections"]
    assert sorted(section["failures"]) == [
        "adding: rolling failed",
        "reading: what made_up.reading:read returned can't be written as JSON: Object of type set is not JSON serializable",
        "rolling: the plugin 'made-up' of stranger raised ZeroDivisionError: division by zero",
    ]
    assert [row[0] for row in section["tables"][0]["rows"]] == ["reference", "trained"]
