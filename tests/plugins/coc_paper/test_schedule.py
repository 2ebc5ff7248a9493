import pytest

from coc_core.engines import Pool, open_processes
from coc_core.errors import StorageError
from coc_paper.schedule import Schedule, perform
from coc_paper.store import Store
from coc_paper.tasks import Task


@pytest.fixture
def store(tmp_path):
    return Store.open(tmp_path / "out", create=True)


def chain(log, start=1):
    first = Task("paper_work:count", {"start": start, "log": str(log)}, doing="the first")
    return Task("paper_work:count", {"start": 10, "log": str(log)}, {"first": first}, doing="the second")


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


def test_a_change_computes_again_what_depends_on_it(store, tmp_path):
    log = tmp_path / "log"
    Schedule.of(store, [chain(log)]).compute(None)
    Schedule.of(store, [chain(log, start=2)]).compute(None)
    assert log.read_text().split() == ["1", "10", "2", "10"]


def test_what_fails_is_named_and_the_rest_goes_on(store):
    bad = Task("paper_work:refuse", doing="refusing")
    after = Task("paper_work:count", {"start": 1}, {"bad": bad}, doing="what comes after")
    good = Task("paper_work:count", {"start": 5})
    schedule = Schedule.of(store, [after, good])
    schedule.compute(None)
    assert store.find(good).result == 6
    assert schedule.failed == {bad.key: "it makes no sense; try another", after.key: "refusing failed"}


def test_a_full_disk_ends_it(store):
    with pytest.raises(StorageError, match="no space is left"):
        Schedule.of(store, [Task("paper_work:full")]).compute(None)


def test_an_interrupt_keeps_what_is_done(store, tmp_path):
    schedule = Schedule.of(store, [chain(tmp_path / "log")])
    schedule.interrupt()
    schedule.compute(None)
    assert schedule.interrupted
    assert not schedule.done


@pytest.mark.slow
def test_workers_give_the_same_and_one_that_kills_them_is_named(store, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "tests/support")
    good = [Task("paper_work:count", {"start": start}, minutes=start) for start in range(5)]
    bad = Task("paper_work:die", doing="dying")
    schedule = Schedule.of(store, [bad, *good])
    with Pool(lambda jobs: open_processes(jobs, None), 2) as pool:
        schedule.compute(pool)
    assert [store.find(task).result for task in good] == [1, 2, 3, 4, 5]
    assert schedule.failed == {bad.key: "every worker that tried it was lost"}


def test_a_worker_that_does_not_reach_the_folder_says_so(store, tmp_path):
    with pytest.raises(StorageError, match="choose an --out that all workers reach"):
        perform(store.folder, chain(tmp_path / "log"))
