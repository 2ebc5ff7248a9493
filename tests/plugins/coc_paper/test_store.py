import json

import pytest

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_paper.machine import machine
from coc_paper.store import MARKER, Store
from coc_paper.tasks import Task

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
    with pytest.raises(ArtefactError, match=rf"{path.name} .*; delete the file"):
        store.find(TASK)


@pytest.mark.parametrize(
    "change", [{"seconds": "1"}, {"seconds": None}, {"seconds": True}, {"machine": 7}, {"more": 1}]
)
def test_so_is_one_whose_notes_make_no_sense(tmp_path, change):
    store = Store.open(tmp_path, create=True)
    store.keep(TASK, 1, 1)
    (path,) = (tmp_path / "results").iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ArtefactError, match=rf"{path.name} is not the result of its task; delete the file"):
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
