"""An item of another plugin."""

import importlib
import json
import sys

import pytest

from coc_core.plugin import attribution
from coc_paper import origin

FILES = {
    "__init__.py": """
from coc_core.plugin import ItemSpec, hookimpl

@hookimpl
def coc_items():
    return [ItemSpec("dice", "made_up.item:Dice", "rolls of dice"), ItemSpec("cards", "made_up.item:Cards", "nowhere")]
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
        rows = [[name, 6 / len(done.result)] for name, done in results.items()]
        tables = [Table("", ["a", "b"], rows)]
        return Section(question="Is it fair?", setting=f"{self.sides} sides.", meaning="Yes.", tables=tables)
''',
    "work.py": """
def roll(folder, needs, sides):
    return [1 // (sides - 4), 4 % sides, 9 % sides][:sides - 1]

def add(folder, needs):
    return needs["rolls"].result

def bad(folder, needs):
    return {1}
""",
}


@pytest.fixture
def dice(coc, tmp_path, monkeypatch, with_plugins, entry_point):
    """Runs `coc reproduce` with the plugin, and gives the code and the section or the error."""
    folder = tmp_path / "library" / "made_up"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    importlib.invalidate_caches()
    with_plugins(("made-up", "made_up"))
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("made-up", "made_up"),))
    origin.code.cache_clear()

    def run(*arguments):
        done = coc("reproduce", *arguments, "--out", tmp_path / "out", "--json")
        found = json.loads(done.out)
        return done.code, found["sections"][0] if "sections" in found else found

    yield run
    origin.code.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_up"]:
        del sys.modules[name]


def test_it_is_made_and_what_raises_fails_alone_and_names_the_plugin(dice, coc, tmp_path):
    _, section = dice("dice:sum", "--set", "dice.sides=5")
    assert (section["title"], section["setting"]) == ("Rolls of dice", "5 sides.")
    assert section["tables"][0]["rows"] == [["rolls", 2.0], ["sum", 2.0]]
    code, section = dice("--set", "dice.sides=4")
    assert (code, section["tables"][0]["rows"]) == (1, [])
    assert sorted(section["failures"]) == [
        "bad: what made_up.work:bad returned can't be written as JSON: Object of type set is not JSON serializable",
        "rolls: the plugin 'made-up' of stranger raised ZeroDivisionError: integer division or modulo by zero",
        "sum: what it needs failed: rolls",
    ]
    code, found = dice("dice:rolls", "--set", "dice.sides=1")  # the report divides by the number of rolls
    raised = "the plugin 'made-up' of stranger raised ZeroDivisionError: division by zero"
    assert (code, found["error"]["message"]) == (4, raised)
    missing = "the plugin 'made-up' of stranger can't provide made_up.item:Cards"
    assert dice("cards")[1]["error"]["message"].startswith(missing)
    listed = coc("reproduce", "--out", tmp_path / "out")
    assert missing in " ".join(listed.err.split())
    assert "Rolls of dice" in listed.out
