"""Tasks and their computing: each once, after what it needs; what fails is named, and the rest goes on."""

import json

import pytest

from coc_core.errors import ArtefactError, PluginError, StorageError
from coc_paper.schedule import Schedule, perform
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_workers.pool import Pool
from coc_workers.processes import processes
from tests.support.for_each import for_each

REFUSED = Task("tests.support.paper_tasks:refuse")


def count(start=0, needs=None, log=None):
    return Task("tests.support.paper_tasks:count", {"start": start} | ({"log": str(log)} if log else {}), needs or {})


@pytest.fixture
def store(tmp_path):
    return Store.open(tmp_path / "out", create=True)


def computed(store, *tasks, pool=None):
    schedule = Schedule(store, [*with_needs(tasks).values()])
    schedule.compute(pool)
    return schedule.failed


def test_the_key_depends_on_what_goes_in_and_on_nothing_else(monkeypatch):
    one, other = count(1), count(2)
    later = count(0, {"first": one})
    assert one.key == count(1).key
    assert len({one.key, other.key, later.key, count(0, {"first": other}).key}) == 4
    assert list(with_needs([later, one]).values()) == [one, later]
    assert later.description == json.loads(json.dumps(later.description))
    monkeypatch.setattr("coc_paper.tasks.code", lambda: {"sources": "another"})
    assert (count(1).key == one.key, count(1).name == one.name) == (False, True)


@for_each("function", ["tests.support.paper_tasks:nothing", "tests.support.nowhere:count", "nowhere.work:count", ":"])
def test_a_function_that_there_is_not_is_named(tmp_path, function):
    with pytest.raises(PluginError, match=f"the function {function} of a task can't be imported: "):
        Task(function).run(tmp_path, {})


def test_what_builds_on_a_result_follows_it_at_once_and_nothing_comes_twice(store, tmp_path):
    log = tmp_path / "log"
    lasts = [count(10, {"first": count(start, log=log)}, log) for start in (1, 2, 1)]
    for _ in range(2):
        assert computed(store, *lasts) == {}
        assert store.find(lasts[0]).result == 13
        assert (store.files(lasts[0]) / "seen.txt").read_text() == "here"
        assert log.read_text().split() == ["1", "10", "2", "10"]


def test_what_fails_is_named_and_the_rest_goes_on(store):
    after, good = count(1, {"bad": REFUSED}), count(5)
    failed = computed(store, after, good)
    assert store.find(good).result == 6
    assert failed == {REFUSED.key: "it makes no sense; try another", after.key: "what it needs failed: bad"}


def test_a_full_disk_ends_it(store):
    with pytest.raises(StorageError, match="no space is left"):
        computed(store, Task("tests.support.paper_tasks:full"))


def test_an_interrupt_keeps_what_is_done(store):
    schedule = Schedule(store, [count()])
    schedule.interrupt()
    schedule.compute(None)
    assert not store.has(count())


@pytest.mark.slow
def test_workers_give_the_same_and_one_that_kills_them_is_named(store, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    first = count(1)
    computed(store, first)
    bad = Task("tests.support.paper_tasks:die", needs={"first": first})
    after, good = count(2, {"bad": bad}), [count(start, {"first": first}) for start in range(3, 6)]
    last = count(7, {"one": good[0], "two": good[2]})
    with Pool(processes, 2) as pool:
        failed = computed(store, bad, *good, last, after, REFUSED, pool=pool)
    assert [store.find(task).result for task in (*good, last)] == [6, 7, 8, 22]
    assert failed == {
        bad.key: "every worker that tried it was lost",
        after.key: "what it needs failed: bad",
        REFUSED.key: "it makes no sense; try another",
    }


def test_what_a_task_builds_on_is_there_and_unchanged(store):
    first, last = count(), count(1, {"first": count()})
    assert perform(store.folder, last) == "its worker has another folder, other code or other versions"
    computed(store, first)
    (store.files(first) / "seen.txt").write_text("there")
    with pytest.raises(ArtefactError, match="was changed since it was made"):
        computed(store, last)
