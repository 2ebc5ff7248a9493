"""Tasks and their computing: each once, after what it needs; what fails is named, and the rest goes on."""

import json

import pytest

from coc_core.errors import ArtefactError, PluginError, StorageError
from coc_paper.schedule import Schedule, perform
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_workers.engines import processes
from coc_workers.pool import Pool
from tests.support.for_each import for_each


def count(start=0, needs=None, log=None):
    return Task("tests.support.paper_tasks:count", {"start": start} | ({"log": str(log)} if log else {}), needs or {})


@pytest.fixture
def store(tmp_path):
    return Store.open(tmp_path / "out", create=True)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def chain(log, start=1):
    return count(10, {"first": count(start, log=log)}, log)


def scheduled(store, *tasks):
    return Schedule(store, [*with_needs(tasks).values()])


def test_the_key_depends_on_what_goes_in_and_on_nothing_else(monkeypatch):
    one, other = count(1), count(2)
    later = count(0, {"first": one})
    assert one.key == Task(one.function, {"start": 1}).key
    assert len({one.key, other.key, later.key, count(0, {"first": other}).key}) == 4
    assert list(with_needs([later, one]).values()) == [one, later]
    assert later.description == json.loads(json.dumps(later.description))
    monkeypatch.setattr("coc_paper.tasks.code", lambda: {"sources": "another"})
    assert count(1).key != one.key
    assert count(1).name == one.name


@for_each("function", ["tests.support.paper_tasks:nothing", "tests.support.nowhere:count", "nowhere.work:count", ":"])
def test_a_function_that_there_is_not_is_named(tmp_path, function):
    with pytest.raises(PluginError, match=f"the function {function} of a task can't be imported: "):
        Task(function).run(tmp_path, {})


def test_what_builds_on_a_result_follows_it_at_once_and_nothing_comes_twice(store, log):
    lasts = [chain(log, start) for start in (1, 2, 1)]
    schedule = scheduled(store, *lasts)
    schedule.compute(None)
    assert store.find(lasts[0]).result == 13
    assert (store.files(lasts[0]) / "seen.txt").read_text() == "here"
    assert all(map(store.has, schedule.tasks))
    scheduled(store, *lasts).compute(None)
    assert log.read_text().split() == ["1", "10", "2", "10"]


def test_what_fails_is_named_and_the_rest_goes_on(store):
    bad = Task("tests.support.paper_tasks:refuse")
    after, good = count(1, {"bad": bad}), count(5)
    schedule = scheduled(store, after, good)
    schedule.compute(None)
    assert store.find(good).result == 6
    assert schedule.failed == {bad.key: "it makes no sense; try another", after.key: "what it needs failed: bad"}


def test_a_full_disk_ends_it(store):
    with pytest.raises(StorageError, match="no space is left"):
        scheduled(store, Task("tests.support.paper_tasks:full")).compute(None)


def test_an_interrupt_keeps_what_is_done(store, log):
    schedule = scheduled(store, chain(log))
    schedule.interrupt()
    schedule.compute(None)
    assert not any(map(store.has, schedule.tasks))


@pytest.mark.slow
def test_workers_give_the_same_and_one_that_kills_them_is_named(store, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    first = count(1)
    scheduled(store, first).compute(None)
    bad = Task("tests.support.paper_tasks:die", needs={"first": first})
    after, refused = count(2, {"bad": bad}), Task("tests.support.paper_tasks:refuse")
    good = [count(start, {"first": first}) for start in range(3, 6)]
    last = count(7, {"one": good[0], "two": good[2]})
    schedule = scheduled(store, bad, *good, last, after, refused)
    with Pool(processes, 2) as pool:
        schedule.compute(pool)
    assert [store.find(task).result for task in (*good, last)] == [6, 7, 8, 22]
    assert schedule.failed == {
        bad.key: "every worker that tried it was lost",
        after.key: "what it needs failed: bad",
        refused.key: "it makes no sense; try another",
    }


def test_what_a_task_builds_on_is_there_and_unchanged(store, log):
    last = chain(log)
    assert perform(store.folder, last) == "its worker has another folder, other code or other versions"
    scheduled(store, last.needs["first"]).compute(None)
    (store.files(last.needs["first"]) / "seen.txt").write_text("there")
    with pytest.raises(ArtefactError, match="was changed since it was made"):
        scheduled(store, last).compute(None)
