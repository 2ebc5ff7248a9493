import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError, StorageError
from coc_paper.schedule import Schedule, perform, perform_chain, split
from coc_paper.store import Store
from coc_paper.tasks import Task
from coc_workers.engines import processes
from coc_workers.pool import Pool


@pytest.fixture
def store(tmp_path):
    return Store.open(tmp_path / "out", create=True)


def chain(log, start=1):
    first = Task("tests.support.paper_tasks:count", {"start": start, "log": str(log)}, doing="the first")
    return Task("tests.support.paper_tasks:count", {"start": 10, "log": str(log)}, {"first": first}, doing="the second")


def test_what_is_needed_comes_first_and_nothing_twice(store, tmp_path):
    log = tmp_path / "log"
    last = chain(log)
    schedule = Schedule.of(store, [last, last])
    assert schedule.minutes_left() is None
    schedule.compute(None)
    assert store.find(last).result == 13
    assert (store.files(last) / "seen.txt").read_text() == "here"
    assert (schedule.count_done(), schedule.minutes_left()) == (2, 0)
    again = Schedule.of(store, [last])
    assert again.count_done() == 2
    again.compute(None)
    assert log.read_text().split() == ["1", "10"]


def test_what_builds_on_a_result_follows_it_at_once(store, tmp_path):
    log = tmp_path / "log"
    Schedule.of(store, [chain(log, start) for start in (1, 2, 3)]).compute(None)
    assert log.read_text().split() == ["1", "10", "2", "10", "3", "10"]


@given(st.lists(st.sets(st.integers(0, 19), max_size=3), max_size=20))
def test_chains_need_nothing_of_each_other(needs):
    tasks = []
    for number, before in enumerate(needs):
        needed = {f"{index}": tasks[index] for index in before if index < number}
        tasks.append(Task("tests.support.paper_tasks:count", {"start": number}, needed))
    chains = split(tasks)
    assert sorted(task.key for each in chains for task in each) == sorted(task.key for task in tasks)
    for each in chains:
        keys = [task.key for task in each]
        for place, task in enumerate(each):
            assert {need.key for need in task.needs.values()} <= {*keys[:place]}
        joined = {each[0].key}
        for _ in each:
            for task in each:
                around = {need.key for need in task.needs.values()} | {task.key}
                joined |= around if around & joined else set()
        assert joined == {*keys}


def test_a_change_computes_again_what_depends_on_it(store, tmp_path):
    log = tmp_path / "log"
    Schedule.of(store, [chain(log)]).compute(None)
    Schedule.of(store, [chain(log, start=2)]).compute(None)
    assert log.read_text().split() == ["1", "10", "2", "10"]


def test_what_fails_is_named_and_the_rest_goes_on(store):
    bad = Task("tests.support.paper_tasks:refuse", doing="refusing")
    after = Task("tests.support.paper_tasks:count", {"start": 1}, {"bad": bad}, doing="what comes after")
    good = Task("tests.support.paper_tasks:count", {"start": 5})
    schedule = Schedule.of(store, [after, good])
    schedule.compute(None)
    assert store.find(good).result == 6
    assert schedule.failed == {bad.key: "it makes no sense; try another", after.key: "refusing failed"}


def test_a_full_disk_ends_it(store):
    with pytest.raises(StorageError, match="no space is left"):
        Schedule.of(store, [Task("tests.support.paper_tasks:full")]).compute(None)


def test_an_interrupt_keeps_what_is_done(store, tmp_path):
    schedule = Schedule.of(store, [chain(tmp_path / "log")])
    schedule.interrupt()
    schedule.compute(None)
    assert schedule.interrupted
    assert not schedule.done


@pytest.mark.slow
def test_workers_give_the_same_and_one_that_kills_them_is_named(store, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    good = [Task("tests.support.paper_tasks:count", {"start": start}, minutes=start) for start in range(5)]
    bad = Task("tests.support.paper_tasks:die", doing="dying")
    schedule = Schedule.of(store, [bad, *good])
    with Pool(processes, 2) as pool:
        schedule.compute(pool)
    assert [store.find(task).result for task in good] == [1, 2, 3, 4, 5]
    assert schedule.failed == {bad.key: "every worker that tried it was lost"}


@pytest.mark.slow
def test_what_builds_on_the_same_result_as_a_task_that_kills_workers_is_computed(store, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    first = Task("tests.support.paper_tasks:count", {"start": 1})
    Schedule.of(store, [first]).compute(None)
    bad = Task("tests.support.paper_tasks:die", needs={"first": first}, doing="dying")
    after = Task("tests.support.paper_tasks:count", {"start": 2}, {"bad": bad})
    beside = Task("tests.support.paper_tasks:count", {"start": 10}, {"first": first})
    schedule = Schedule.of(store, [bad, beside, after])
    with Pool(processes, 2) as pool:
        schedule.compute(pool)
    assert store.find(beside).result == 13
    assert schedule.failed == {bad.key: "every worker that tried it was lost", after.key: "dying failed"}
    assert schedule.done == {first.key, beside.key}


@pytest.mark.slow
def test_each_task_that_fails_has_its_own_reason(store, tmp_path, monkeypatch):
    """Also where, of the tasks that build on one result, one fails and the next one kills the worker."""
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    first = Task("tests.support.paper_tasks:count", {"start": 1})
    refused = Task("tests.support.paper_tasks:refuse", needs={"first": first})
    killing = Task("tests.support.paper_tasks:die", needs={"first": first})
    beside = Task("tests.support.paper_tasks:count", {"start": 10}, {"first": first})
    schedule = Schedule.of(store, [refused, killing, beside])
    with Pool(processes, 2) as pool:
        schedule.compute(pool)
    assert schedule.failed == {
        refused.key: "it makes no sense; try another",
        killing.key: "every worker that tried it was lost",
    }
    assert store.find(beside).result == 13


def test_a_worker_that_does_not_reach_the_folder_says_so(store, tmp_path):
    with pytest.raises(StorageError, match="choose an --out that all workers reach"):
        perform(store.folder, chain(tmp_path / "log"))


def test_a_worker_with_other_code_computes_nothing(store):
    first, second = (Task("tests.support.paper_tasks:count", {"start": start}) for start in (1, 2))
    outcomes = perform_chain(store.folder, [(first.key, first), ("another", second), (first.key, first)])
    assert outcomes == [None, "the worker has other code, versions or hardware"]
    assert not store.has(second)


def test_a_changed_file_of_a_task_before_it_is_not_built_on(store, tmp_path):
    last = chain(tmp_path / "log")
    (first,) = last.needs.values()
    Schedule.of(store, [first]).compute(None)
    (store.files(first) / "seen.txt").write_text("there")
    with pytest.raises(ArtefactError, match="was changed since it was made"):
        Schedule.of(store, [last]).compute(None)
