import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError, PluginError, StorageError
from coc_paper.schedule import Schedule, _levels, perform
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


def test_what_builds_on_a_result_follows_it_at_once_and_nothing_comes_twice(store, log):
    lasts = [chain(log, start) for start in (1, 2, 1)]
    schedule = Schedule.of(store, lasts)
    schedule.compute(None)
    assert store.find(lasts[0]).result == 13
    assert (store.files(lasts[0]) / "seen.txt").read_text() == "here"
    assert schedule.count_done() == 4
    Schedule.of(store, lasts).compute(None)
    assert log.read_text().split() == ["1", "10", "2", "10"]


@given(st.lists(st.sets(st.integers(0, 19), max_size=3), max_size=20))
def test_levels_need_nothing_but_what_is_before_them(needs):
    tasks = []
    for number, before in enumerate(needs):
        tasks.append(count(number, {f"{index}": tasks[index] for index in before if index < number}))
    before = set()
    for level in _levels(tasks):
        assert all({need.key for need in task.needs.values()} <= before for task in level)
        before |= {task.key for task in level}
    assert before == {task.key for task in tasks}


def test_what_fails_is_named_and_the_rest_goes_on(store):
    bad = Task("tests.support.paper_tasks:refuse", doing="refusing")
    after, good = count(1, {"bad": bad}), count(5)
    schedule = Schedule.of(store, [after, good])
    schedule.compute(None)
    assert store.find(good).result == 6
    assert schedule.failed == {bad.key: "it makes no sense; try another", after.key: "refusing failed"}


def test_a_full_disk_ends_it(store):
    with pytest.raises(StorageError, match="no space is left"):
        Schedule.of(store, [Task("tests.support.paper_tasks:full")]).compute(None)


def test_an_interrupt_keeps_what_is_done(store, log):
    schedule = Schedule.of(store, [chain(log)])
    schedule.interrupt()
    schedule.compute(None)
    assert schedule.interrupted
    assert schedule.count_done() == 0


@pytest.mark.slow
def test_workers_give_the_same_and_one_that_kills_them_is_named(store, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    first = count(1)
    Schedule.of(store, [first]).compute(None)
    bad = Task("tests.support.paper_tasks:die", needs={"first": first}, doing="dying")
    after, refused = count(2, {"bad": bad}), Task("tests.support.paper_tasks:refuse")
    good = [count(start, {"first": first}) for start in range(3, 6)]
    schedule = Schedule.of(store, [bad, *good, after, refused])
    with Pool(processes, 2) as pool:
        schedule.compute(pool)
    assert [store.find(task).result for task in good] == [6, 7, 8]
    assert schedule.failed == {
        bad.key: "every worker that tried it was lost",
        after.key: "dying failed",
        refused.key: "it makes no sense; try another",
    }


def test_what_a_task_builds_on_is_there_and_unchanged(store, log):
    last = chain(log)
    with pytest.raises(StorageError, match="choose an --out that all workers reach"):
        perform(store.folder, last)
    (first,) = last.needs.values()
    Schedule.of(store, [first]).compute(None)
    (store.files(first) / "seen.txt").write_text("there")
    with pytest.raises(ArtefactError, match="was changed since it was made"):
        Schedule.of(store, [last]).compute(None)


def test_the_key_depends_on_what_goes_in_and_on_nothing_else(monkeypatch):
    one, other = count(1), count(2)
    later = count(0, {"first": one})
    assert one.key == Task(one.function, {"start": 1}, doing="counting").key
    assert len({one.key, other.key, later.key, count(0, {"first": other}).key}) == 4
    assert list(with_needs([later, one]).values()) == [one, later]
    monkeypatch.setattr("coc_paper.tasks.code", lambda: {"sources": "another"})
    assert count(1).key != one.key
    assert count(1).name == one.name


@for_each(
    "function", ["tests.support.paper_tasks:nothing", "tests.support.nowhere:count", "nowhere.work:count", "tests", ":"]
)
def test_a_function_that_there_is_not_is_named(tmp_path, function):
    with pytest.raises(PluginError, match=f"the function {function} of a task can't be imported: "):
        Task(function).run(tmp_path, {})
