"""An item of another plugin."""

import importlib
import json
import sys

import pytest

from coc_core.plugin import attribution
from coc_paper import origin
from tests.support.for_each import for_each

FILES = {
    "__init__.py": """
from coc_core.plugin import ItemSpec, hookimpl

@hookimpl
def coc_items():
    return [ItemSpec("dice", "made_up.item:Dice", "rolls of dice")]
""",
    "item.py": '''
from attrs import frozen
from coc_paper.item import Item, parameter
from coc_paper.report import Section, Table
from coc_paper.tasks import Task

@frozen(kw_only=True)
class Dice(Item):
    """Rolls of dice."""

    sides: int = parameter("sides of a die", full=20, quick=6)

    def tasks(self):
        rolls = Task("made_up.work:roll", {"sides": self.sides})
        adding = Task("made_up.work:add", needs={"rolls": rolls})
        return {"rolls": rolls, "sum": adding, "bad": Task("made_up.work:bad")}

    def report(self, results):
        rows = [[name, done.result] for name, done in results.items()]
        tables = [Table("", ["a", "b"], rows)]
        return Section(question="Is it fair?", setting=f"{self.sides} sides.", meaning="Yes.", tables=tables)
''',
    "work.py": """
def roll(folder, needs, sides):
    return [number % sides for number in (-1, 4, 9)]

def add(folder, needs):
    return sum(needs["rolls"].result)

def bad(folder, needs):
    return {1}
""",
}


@pytest.fixture
def library(tmp_path, monkeypatch, with_plugins, entry_point):
    """The folder of the plugin."""
    folder = tmp_path / "library" / "made_up"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with_plugins(("made-up", "made_up"))
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("made-up", "made_up"),))
    anew()
    yield folder
    anew()


def anew():
    """Forget the plugin, as a new process does."""
    origin.code.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_up"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def changed(library, name, before, after):
    assert before in FILES[name]
    (library / name).write_text(FILES[name].replace(before, after))
    anew()


def test_its_parameters_can_be_set_and_a_function_that_raises_fails_alone(coc, library, tmp_path):
    done = coc("reproduce", "dice", "--list", "--out", tmp_path / "out")
    assert "dice: Rolls of dice" in done.out
    assert "sides 6 20 sides of a die" in " ".join(done.out.split())
    done = coc("reproduce", "dice:rolls", "--set", "dice.sides=3", "--out", tmp_path / "out", "--json")
    (section,) = json.loads(done.out)["sections"]
    assert (section["title"], section["setting"]) == ("Rolls of dice", "3 sides.")
    assert section["tables"][0]["rows"] == [["rolls", [2, 1, 0]]]
    changed(library, "work.py", "return [", "return 1 / 0, [")
    done = coc("reproduce", "dice", "--out", tmp_path / "other", "--json")
    assert done.code == 1
    (section,) = json.loads(done.out)["sections"]
    assert sorted(section["failures"]) == [
        "bad: what made_up.work:bad returned can't be written as JSON: Object of type set is not JSON serializable",
        "rolls: the plugin 'made-up' of stranger raised ZeroDivisionError: division by zero",
        "sum: what it needs failed: rolls",
    ]
    assert section["tables"][0]["rows"] == []


NAMED, USED = "the plugin 'made-up' of stranger", "the item dice can't be used: "


@pytest.mark.slow
@for_each(
    ("before", "after", "said"),
    [
        ("class Dice(Item)", "class Dice", USED),
        ("class Dice", "class Cards", f"{NAMED} can't provide made_up.item:Dice"),
        ("        rolls = Task", "        raise KeyError(3)\n        rolls = Task", f"{NAMED} raised KeyError: 3"),
        ('"rolls": rolls,', '"rolls": 7,', f"{USED}AttributeError: 'int' object has no attribute 'needs'"),
        ("        rows = ", "        return 7\n        rows = ", USED),
        ("        rows = ", "        rows = 1 / 0\n        rows = ", f"{NAMED} raised ZeroDivisionError"),
    ],
)
def test_an_item_that_is_wrong_is_named(refused, coc, library, tmp_path, before, after, said):
    changed(library, "item.py", before, after)
    assert said in refused(4, "reproduce", "dice", "--out", tmp_path / "out")
    if "rows" not in before:
        anew()
        listed = coc("reproduce", "--out", tmp_path / "out")
        assert said in " ".join(listed.err.split())
        assert "traces" in listed.out
