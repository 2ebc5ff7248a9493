"""The folder of results: each is found again, and believed only as it was kept; and what makes a result."""

import json
import platform
from types import SimpleNamespace

import pytest

from coc_core.errors import ArtefactError, PluginError, StorageError, UsageError
from coc_core.models import on_device
from coc_paper import origin
from coc_paper.origin import code, machine
from coc_paper.store import Store
from coc_paper.tasks import Task
from tests.support.for_each import for_each

TASK = Task("tests.support.paper_tasks:count", {"start": 1, "of": (1, 2)})
LIBRARIES = TASK.description["code"]["libraries"]


@pytest.fixture
def store(tmp_path):
    return Store.open(tmp_path / "deep" / "out", create=True)


def kept(store, result=1, task=TASK):
    store.keep(task, result, 1.25)
    return store.folder / "results" / f"{task.key}.json"


def elsewhere(**changes):
    """The task as other code has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coc_paper.tasks.code", lambda: {**TASK.description["code"], **changes})
        task = Task(TASK.function, TASK.arguments)
        assert (task.key == TASK.key) == (not changes)
    return task


def test_a_result_is_found_again(store):
    assert store.find(TASK) is None
    kept(store, {"a": [1, 2]})
    found = Store.open(store.folder, create=True).find(TASK)
    assert (found.result, found.seconds, found.machine, found.other) == ({"a": [1, 2]}, 1.25, machine(), "")
    assert store.find(Task(TASK.function, {"start": 2})) is None
    for result in ({1, 2}, float("nan")):
        with pytest.raises(PluginError, match=f"what {TASK.function} returned can't be written as JSON"):
            kept(store, result)


def test_another_folder_is_left_alone(tmp_path):
    (tmp_path / "diary.txt").write_text("mine")
    for place in (tmp_path, tmp_path / "diary.txt"):
        with pytest.raises(UsageError, match="is not a reproduction"):
            Store.open(place, create=True)
    with pytest.raises(StorageError, match="can't write the reproduction"):
        Store.open(tmp_path / "diary.txt" / "below", create=True)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_a_damaged_or_edited_result_is_refused(store):
    path = kept(store)
    text, changed = path.read_text(), "was changed since it was computed"
    for change in ({"result": {"rows": []}}, {"machine": "a better one"}, {"sha256": "0" * 64}):
        path.write_text(json.dumps(json.loads(text) | change))
        with pytest.raises(ArtefactError, match=rf"{path.name} {changed}; delete the file"):
            store.find(TASK)
    path.write_text("")
    with pytest.raises(ArtefactError, match=rf"{path.name} is not strict JSON.*; delete the file"):
        store.find(TASK)
    path.write_text(text)
    path.rename(path.with_name(f"{TASK.name}-{'0' * 12}.json"))
    with pytest.raises(ArtefactError, match=changed):
        store.find(TASK)


def test_a_changed_file_is_refused_where_it_is_used(store):
    made = store.files(TASK) / "deep" / "weights"
    made.parent.mkdir(parents=True)
    made.write_text("1")
    path = kept(store)
    assert store.find(TASK, with_files=True).result == 1
    for change in (lambda: made.write_text("2"), made.unlink, lambda: made.with_name("more").write_text("")):
        change()
        with pytest.raises(ArtefactError, match=rf"{TASK.key} was changed since .*; delete it and {path}"):
            store.find(TASK, with_files=True)
        assert store.find(TASK).result == 1


@for_each(
    ("there", "here", "said"),
    [
        ({}, {"sources": "0"}, "other code"),
        ({}, {"libraries": {**LIBRARIES, "torch": "0"}}, f"torch {LIBRARIES['torch']}, here 0"),
        ({}, {"libraries": {**LIBRARIES, "mine": "1"}}, "mine none, here 1"),
        ({}, {"libraries": {}}, "other plugins"),
        (
            {"sources": "1", "modules": {}, "libraries": {**LIBRARIES, "scipy": "1"}},
            {},
            "other code",
        ),  # of an older coc
    ],
)
def test_a_result_of_other_code_is_found_as_such(tmp_path, there, here, said):
    store, before, now = Store.open(tmp_path, create=True), elsewhere(**there), elsewhere(**here)
    kept(store, {"a": 1}, before)
    found = store.find(now)
    assert (found.result, found.seconds, store.has(now)) == ({"a": 1}, 1.25, False)
    assert found.other.startswith("coc ")
    assert found.other.endswith(f"{machine()}; {said}")
    kept(store, 2, now)
    assert (store.find(now).result, store.find(before).result) == (2, {"a": 1})


def test_of_other_results_the_newest_is_taken(store, monkeypatch):
    for number in range(3):
        made = SimpleNamespace(isoformat=lambda number=number, **_: f"2026-01-0{9 - number}T00:00:00+00:00")
        monkeypatch.setattr("coc_paper.store.datetime", SimpleNamespace(now=lambda _, made=made: made))
        kept(store, number, elsewhere(sources=f"{number}"))
    assert store.find(TASK).result == 0


@pytest.fixture
def anew():
    yield
    code.cache_clear()
    machine.cache_clear()


def test_a_change_in_a_package_of_cocs_or_in_a_version_is_noticed(tmp_path, monkeypatch, with_plugins, anew):
    with_plugins(("mine", "tests.broken.forgets_the_marker"))
    monkeypatch.setattr(origin, "version", lambda name: {"torch": "2.9.1+cu128", "numpy": "2.1"}[name])
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "coc_one" / "origin.py"))
    files = ("coc_one/README.md", "other/work.py", "coc_one/work.py", "coc_one/deep/checkpoint/weights")
    seen = []
    for name in (*files, *files):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("2" if (tmp_path / name).exists() else "1")
        code.cache_clear()
        seen.append(code()["sources"])
    assert seen[3] == seen[4] == seen[5]
    assert len({*seen[5:]}) == 3
    versions = {"torch": "2.9.1", "numpy": "2.1", "stranger": "1.0"}  # whatever the device
    assert code()["libraries"] == {"python": platform.python_version(), **versions}


@for_each(
    ("device", "version", "words"),
    [
        ("cuda:1", "2.9.1", ", Card cuda:1, torch 2.9.1, Python"),
        ("mps", "2.9.1", ", mps, torch 2.9.1, Python"),
        ("cpu", "2.9.1+cu128", f"({platform.machine()}), torch 2.9.1+cu128, Python"),
        ("cuda", "2.9.1+cpu", f"({platform.machine()}), torch 2.9.1+cpu, Python"),
        ("cuda", "", f"({platform.machine()}), no torch, Python"),
    ],
)
def test_the_machine_is_named_with_the_gpu_that_is_used(monkeypatch, anew, device, version, words):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: f"Card {device}")
    monkeypatch.setattr(origin, "_version", lambda _: version)
    machine.cache_clear()
    with on_device(device):
        assert words in machine()
