import json

import pytest

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_paper.machine import machine
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


def test_a_folder_of_another_version_is_refused(tmp_path):
    Store.open(tmp_path, create=True)
    marker = tmp_path / MARKER
    marker.write_text(marker.read_text().replace('"coc": "', '"coc": "9'))
    with pytest.raises(ArtefactError, match=r"was made by coc '9.*; this is coc .*choose another folder with --out"):
        Store.open(tmp_path, create=True)


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
        match=rf"{path.name}(: (seconds|machine|files|sha256) is| has the unknown key).*; delete the file",
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
    store = Store.open(tmp_path, create=True)
    path = kept(store, result)
    with pytest.raises(ArtefactError) as error:
        store.find(TASK)
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


def test_what_other_code_computed_or_began_is_noticed(tmp_path, monkeypatch):
    store = Store.open(tmp_path, create=True)
    begun, never = Task(TASK.function, {"start": 2}), Task(TASK.function, {"start": 3})
    assert store.of_other_code([TASK, begun, never]) == []
    path = kept(store, 1)
    store.make_files(begun)
    assert store.of_other_code([TASK, begun, never]) == []
    monkeypatch.setattr("coc_paper.tasks.code_of", lambda *_: {"python": "9"})
    assert store.of_other_code([TASK, begun, never]) == [TASK, begun]
    assert store.find(TASK) is None
    kept(store, 2)
    assert store.of_other_code([TASK]) == []
    assert path.exists()
