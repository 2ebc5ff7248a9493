import json
import platform
from importlib.metadata import version

import pytest

from coc_core.errors import ArtefactError, PluginError, StorageError, UsageError
from coc_paper.origin.versions import machine
from coc_paper.store import MARKER, Store
from coc_paper.tasks import Task
from tests.support.for_each import for_each

TASK = Task("tests.support.paper_tasks:count", {"start": 1, "of": (1, 2)})


def test_a_result_is_found_again(tmp_path):
    store = Store.open(tmp_path / "deep" / "new", create=True)
    assert store.find(TASK) is None
    store.keep(TASK, {"a": [1, 2]}, 1.25)
    found = Store.open(tmp_path / "deep" / "new", create=True).find(TASK)
    assert found.result == {"a": [1, 2]}
    assert found.seconds == 1.25
    assert found.machine == machine()
    assert store.find(Task("tests.support.paper_tasks:count", {"start": 2})) is None


def test_nothing_is_made_to_look(tmp_path):
    Store.open(tmp_path / "none", create=False)
    assert list(tmp_path.iterdir()) == []


def test_another_folder_is_left_alone(tmp_path):
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not a reproduction"):
        Store.open(tmp_path, create=True)
    with pytest.raises(UsageError, match="is not a folder"):
        Store.open(tmp_path / "diary.txt", create=True)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_a_folder_of_another_format_is_refused(tmp_path):
    Store.open(tmp_path, create=True)
    marker = tmp_path / MARKER
    marker.write_text(marker.read_text().replace('"format": ', '"format": 9'))
    with pytest.raises(
        ArtefactError, match=r"has the format 9\d, and this coc writes .*choose another folder with --out"
    ):
        Store.open(tmp_path, create=True)


@for_each("text", ['{"format": 4}', '{"format": 4, "set": 1}', '{"format": 4, "set": {"a.b": 1}}', "[]", "{", ""])
def test_so_is_a_damaged_marker(tmp_path, text):
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(ArtefactError, match=MARKER):
        Store.open(tmp_path, create=True)


def test_a_folder_has_results_of_one_choice_of_settings(tmp_path):
    settings = {"stack.seeds": "0-9", "stack.steps": "3"}
    Store.open(tmp_path, create=True, settings=settings)
    assert Store.open(tmp_path, create=False) == Store.open(tmp_path, create=False, settings=settings)
    with pytest.raises(UsageError) as error:
        Store.open(tmp_path, create=False, settings={})
    assert str(error.value) == (
        f"{tmp_path} has results with --set stack.seeds=0-9 --set stack.steps=3, and this command is without --set;"
        " choose another folder with --out"
    )


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"task": {}, "result": 1, "seconds": 1, "machine": ""}'])
def test_a_damaged_result_is_named(tmp_path, text):
    store = Store.open(tmp_path, create=True)
    store.keep(TASK, 1, 1)
    (path,) = (tmp_path / "results").iterdir()
    path.write_text(text)
    with pytest.raises(ArtefactError, match=rf"{path.name}:? .*; delete the file"):
        store.find(TASK)


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": "1"},
        {"seconds": None},
        {"seconds": True},
        {"seconds": -1},
        {"machine": 7},
        {"files": 7},
        {"made": 7},
        {"more": 1},
        {"sha256": None},
    ],
)
def test_so_is_one_whose_notes_make_no_sense(tmp_path, change):
    store = Store.open(tmp_path, create=True)
    store.keep(TASK, 1, 1)
    (path,) = (tmp_path / "results").iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(
        ArtefactError,
        match=rf"{path.name}(: (seconds|machine|files|sha256|made) is| has the unknown key).*; delete the file",
    ):
        store.find(TASK)


def test_two_can_not_have_it_at_once(tmp_path):
    store = Store.open(tmp_path, create=True)
    with store.locked(), pytest.raises(StorageError, match="another process computes in"), store.locked():
        pass
    with store.locked():
        pass


def test_what_can_not_be_made_is_an_error(tmp_path):
    store = Store.open(tmp_path, create=True)
    (tmp_path / "results").write_text("in the way")
    with pytest.raises(StorageError, match="can't make the folder"):
        store.keep(TASK, 1, 1)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't make the reproduction"):
        Store.open(tmp_path / "file" / "below", create=True)


def kept(store, result, task=TASK):
    store.keep(task, result, 1)
    return store.folder / "results" / f"{task.key}.json"


@for_each(
    "change",
    [
        {"result": {"rows": [{"n": 1, "successes": 7_777, "instances": 1}]}},
        {"result": {"rows": []}},
        {"seconds": 2},
        {"machine": "a better one"},
        {"files": {"model": "0"}},
        {"sha256": "0" * 64},
    ],
)
def test_an_edited_result_is_refused(tmp_path, change):
    store = Store.open(tmp_path, create=True)
    path = kept(store, {"rows": [{"n": 1, "successes": 0, "instances": 1}]})
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ArtefactError, match=rf"{path.name} was changed since it was computed; delete the file"):
        store.find(TASK)


@for_each(
    ("result", "said"),
    [
        ({"rows": [{"successes": 7_777, "instances": 1}]}, "successes is 7777 of 1 instances"),
        ({"rows": [{"successes": 1.0, "instances": 1}]}, "successes is 1.0 of 1 instances"),
        ({"rows": [{"successes": 3, "instances": 4, "rate": 0.8}]}, "rate is 0.8, but 3 of 4 were solved"),
        ({"trained": {"heldout_exact": 5, "heldout_pairs": 4}}, "heldout_exact is 5 of 4 heldout_pairs"),
        ({"trained": {"train_exact": -1, "train_pairs": 4}}, "train_exact is -1 of 4 train_pairs"),
        ({"tested": {"a": [{"exact": 2, "pairs": 1}]}}, "exact is 2 of 1 pairs"),
        ([{"pairs": 3, "wrong": True}], "wrong is True of 3 pairs"),
        ([{"predicted": 1.5}], "predicted is 1.5, which is not from 0 to 1"),
        ({"held-out": [5, 4]}, "held-out is [5, 4]"),
        ({"steps": -3}, "-3 is negative"),
        ([[1, -2.5]], "-2.5 is negative"),
    ],
)
def test_a_result_that_can_not_be_is_refused(tmp_path, result, said):
    """Also if it has a digest of its own."""
    store, task = Store.open(tmp_path, create=True), Task("coc_paper.work.reference:trace", {"problem": None})
    path = kept(store, result, task)
    with pytest.raises(ArtefactError) as error:
        store.find(task)
    assert str(error.value) == f"{path} can't be right: {said}; delete the file"


def test_a_changed_file_is_refused_where_it_is_used(tmp_path):
    store = Store.open(tmp_path, create=True)
    made = store.make_files(TASK) / "deep" / "weights"
    made.parent.mkdir()
    made.write_text("1")
    path = kept(store, 1)
    assert store.find(TASK, with_files=True).result == 1
    for change in (lambda: made.write_text("2"), made.unlink, lambda: made.with_name("more").write_text("")):
        change()
        with pytest.raises(ArtefactError, match=rf"{TASK.key} was changed since .*; delete it and {path}"):
            store.find(TASK, with_files=True)
        assert store.find(TASK).result == 1


@pytest.fixture
def elsewhere(monkeypatch):
    """Makes a task anew, as other code has it."""

    def made(task, **changes):
        code = {**task.description["code"], **changes}
        monkeypatch.setattr("coc_paper.tasks.code_of", lambda *_: code)
        return Task(task.function, task.arguments, task.needs)

    return made


@for_each(
    ("change", "said"),
    [
        ({"modules": {"a.b": "0"}}, "other code: "),
        ({"parts": ["a.b:c"]}, "other code: parts of plugins"),
        ({"libraries": {"python": "2.7", "torch": "1"}}, "python {}, here 2.7; torch none, here 1"),
        ({"checkpoints": {"hanoi": "0"}}, "another checkpoint hanoi"),
        ({"hardware": "NVIDIA H100"}, "on none, here NVIDIA H100"),
    ],
)
def test_a_result_of_other_code_is_found_as_such(tmp_path, elsewhere, change, said):
    store, task = Store.open(tmp_path, create=True), Task(TASK.function, {"start": 5})
    store.keep(task, {"a": 1}, 1)
    assert store.other(task) is None
    other = elsewhere(task, **change)
    assert store.find(other) is None
    found = store.other(other)
    assert (found.result, found.seconds) == ({"a": 1}, 1)
    assert found.other.startswith(f"coc {version('chain-of-computation')}, ")
    assert f"{machine()}; {said.format(platform.python_version())}" in found.other
    store.keep(other, 2, 1)
    assert (store.find(other).result, store.find(task).result) == (2, {"a": 1})


def test_the_newest_is_taken_and_none_is_taken_without_a_look(tmp_path, elsewhere, monkeypatch):
    store, tasks = Store.open(tmp_path, create=True), [Task(TASK.function, {"start": 5})]
    for number in range(3):
        monkeypatch.setattr("coc_paper.store._now", lambda number=number: f"2026-01-0{9 - number}T00:00:00+00:00")
        store.keep(tasks[-1], number, 1)
        tasks.append(elsewhere(tasks[0], hardware=f"{number}"))
    assert store.other(tasks[-1]).result == 0
    path = store.folder / "results" / f"{tasks[1].key}.json"
    path.write_text(path.read_text().replace('"result": 1', '"result": 7'))
    with pytest.raises(ArtefactError, match="was changed since it was computed; delete the file"):
        store.other(tasks[-1])


def test_what_builds_on_a_result_of_other_code_says_so(tmp_path, elsewhere):
    store, first = Store.open(tmp_path, create=True), Task(TASK.function, {"start": 5})
    last = Task(TASK.function, {"start": 6}, {"first": first})
    for task in (first, last):
        store.keep(task, 1, 1)
    before = elsewhere(first, hardware="NVIDIA H100")
    assert before.key != first.key
    elsewhere(last)
    after = Task(last.function, last.arguments, {"first": before})
    assert store.other(after).other.count("on none, here NVIDIA H100") == 1
    assert "; what it builds on: on none, here NVIDIA H100" in store.other(after).other


def test_a_result_under_the_name_of_another_is_refused(tmp_path):
    store = Store.open(tmp_path, create=True)
    path = kept(store, 1)
    path.rename(path.with_name(f"{TASK.name}-{'0' * 12}.json"))
    with pytest.raises(ArtefactError, match="is not the result of its task; delete the file"):
        store.other(TASK)


def test_links_are_refused(tmp_path):
    store = Store.open(tmp_path / "out", create=True)
    path = kept(store, 1)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ArtefactError, match=r"can't read .*; delete the file"):
        store.find(TASK)
    path.unlink()
    (tmp_path / "mine").mkdir()
    store.files(TASK).parent.mkdir()
    store.files(TASK).symlink_to(tmp_path / "mine")
    with pytest.raises(StorageError, match="is a link; put a folder in its place"):
        store.make_files(TASK)
    assert list((tmp_path / "mine").iterdir()) == []


@for_each("result", [{1, 2}, float("nan"), object(), {"a": float("inf")}])
def test_what_is_no_plain_data_is_the_fault_of_the_function(tmp_path, result):
    store = Store.open(tmp_path, create=True)
    with pytest.raises(PluginError, match=f"what {TASK.function} returned can't be written as JSON"):
        store.keep(TASK, result, 1)
    assert not (tmp_path / "results").exists()


def test_what_other_code_began_is_noticed(tmp_path, elsewhere):
    store, task = Store.open(tmp_path, create=True), Task(TASK.function, {"start": 2})
    store.make_files(task)
    assert not store.begun(task)
    assert store.begun(elsewhere(task, hardware="another"))
