"""What a result depends on beside its arguments: a change of it is another key, so that nothing of before is believed."""

import sys

import pytest

from coc_core.plugin import CheckpointSpec, DomainSpec, Registry
from coc_paper import sources
from coc_paper.items import Budget
from coc_paper.schedule import Schedule
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from tests.support.paper_items import ITEMS

MADE_UP = Task("made_up.work:compute", {"domain": "made-up"})


def anew():
    """Forget what was read, as a new process does."""
    for cached in (sources._versions, sources._registry, sources._parts, sources._checkpoint, sources._sources):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_up"]:
        del sys.modules[name]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The folder of a package whose module `work` has the function of the task `MADE_UP`."""
    folder = tmp_path / "library" / "made_up"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "work.py").write_text("def compute(folder, needs, domain):\n    return 1\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield folder
    anew()


def test_a_changed_line_makes_the_result_again_and_keeps_the_old_one(package, tmp_path):
    store, found = Store.open(tmp_path / "out", create=True), []
    for number in (1, 1, 2):
        (package / "work.py").write_text(f"def compute(folder, needs, domain):\n    return {number}\n")
        anew()
        Schedule.of(store, [MADE_UP]).compute(None)
        found.append(store.find(MADE_UP).result)
    assert found == [1, 1, 2]
    assert len(list((store.folder / "results").iterdir())) == 2


def test_only_what_can_run_changes_the_key(package):
    before = MADE_UP.key
    (package / "README.md").write_text("Words.")
    (package / "__pycache__").mkdir()
    anew()
    assert MADE_UP.key == before
    (package / "deep").mkdir()
    (package / "deep" / "more.py").write_text("")
    anew()
    assert MADE_UP.key != before


def test_each_version_is_in_the_key(monkeypatch):
    keys = {MADE_UP.key}
    for name in sources._versions():
        changed = {**sources._versions(), name: "0"}
        monkeypatch.setattr(sources, "_versions", lambda changed=changed: changed)
        keys.add(MADE_UP.key)
    assert len(keys) == 1 + len({"python", "torch", "coc"})


def test_a_torch_for_another_device_is_the_same(monkeypatch):
    versions = sources._versions()
    monkeypatch.setattr(sources, "version", lambda name: f"{versions['torch' if name == 'torch' else 'coc']}+cu128")
    sources._versions.cache_clear()
    assert sources._versions()["torch"] == versions["torch"]
    anew()


def test_every_task_has_the_sources_of_the_parts_that_it_runs():
    registry = Registry.installed()
    package = {
        (type(spec), spec.name): plugin.module.partition(".")[0] for plugin in registry.plugins for spec in plugin.specs
    }
    for item in ITEMS.values():
        for task in with_needs([each for budget in Budget for each in item.tasks(budget).values()]).values():
            code = task.description["code"]
            assert {"coc_core", "coc_paper.work", "coc_transformer", "python", "torch", "coc"} <= code.keys()
            if "domain" in task.arguments:
                assert package[DomainSpec, task.arguments["domain"]] in code
            shipped = task.arguments.get("checkpoint") or task.arguments.get("model")
            assert (f"checkpoint {shipped}" in code) == (shipped is not None)
            if task.function.endswith(":evaluate"):
                assert shipped or "model" in task.needs


def test_the_weights_of_a_shipped_checkpoint_are_in_the_key(tmp_path, monkeypatch):
    def key():
        anew()
        return Task("tests.support.paper_tasks:count", {"model": "hanoi-pda"}).key

    shipped = key()
    assert shipped != Task("tests.support.paper_tasks:count", {"model": "no-such-checkpoint"}).key
    monkeypatch.setattr(Registry, "folder", lambda _, spec: tmp_path if isinstance(spec, CheckpointSpec) else None)
    (tmp_path / "model.safetensors").write_text("1")
    keys = {shipped, key()}
    (tmp_path / "model.safetensors").write_text("2")
    keys.add(key())
    assert len(keys) == 3
    (tmp_path / "README.md").write_text("Words.")
    assert key() in keys
    anew()
