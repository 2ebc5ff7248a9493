"""Shards on an engine: the results of `map`, in order, whatever happens to the workers."""

import random
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import WorkerError
from coc_workers.pool import Lost, Pool, in_shards


class Frail(Executor):
    """Makes each call at once, but those lose the worker, and with it whatever comes after, for which the lists say so.

    The last item of a list is that of the next call: of those with a shard, and of those that ask for the worker.
    """

    def __init__(self, calls: list[bool], asked: list[bool] | None = None) -> None:
        self._calls = calls
        self._asked = [] if asked is None else asked
        self._broken = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._broken:
            raise BrokenExecutor("gone")
        future: Future[Any] = Future()
        calls = self._calls if args else self._asked
        if calls and calls.pop():
            self._broken = True
            future.set_exception(BrokenExecutor("lost"))
            return future
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def threads(jobs: int) -> Executor:
    return ThreadPoolExecutor(jobs)


@given(shards=st.lists(st.integers(), max_size=40), jobs=st.integers(1, 9), seed=st.integers())
def test_the_results_come_in_the_order_of_the_shards(shards: list[int], jobs: int, seed: int) -> None:
    rng = random.Random(seed)

    def later(number: int) -> int:
        time.sleep(rng.random() / 2_000)
        return -number

    with Pool(threads, jobs) as pool:
        assert list(pool.map(later, iter(shards))) == [-shard for shard in shards]


@given(shards=st.lists(st.integers(), max_size=30), jobs=st.integers(1, 5), lost=st.lists(st.booleans(), max_size=60))
def test_a_lost_worker_changes_no_result(shards: list[int], jobs: int, lost: list[bool]) -> None:
    """A shard is given up only after so many losses by itself that these calls can't make."""
    calls = [each and index % 2 == 0 for index, each in enumerate(lost)]
    pool = Pool(lambda jobs: Frail(calls), jobs)
    assert list(pool.map(abs, shards)) == list(map(abs, shards))


def test_shards_are_taken_as_they_are_needed() -> None:
    taken = 0

    def shards() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = Pool(lambda jobs: Frail([]), 2).map(abs, shards())
    assert [next(results) for _ in range(5)] == [1, 2, 3, 4, 5]
    assert taken <= 21


def test_the_first_shard_that_raises_is_the_one_that_is_heard_of() -> None:
    def fail(number: int) -> int:
        time.sleep(0.03 if number == 3 else 0)
        if number in (3, 4):
            raise ValueError(f"not {number}")
        return number

    with Pool(threads, 4) as pool:
        results = pool.map(fail, range(9))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(ValueError, match="not 3"):
            next(results)


def test_it_stops_when_it_is_told_to() -> None:
    heard: list[int] = []
    with Pool(threads, 2) as pool:
        heard += pool.map(abs, range(100), lambda: len(heard) >= 3)  # type: ignore[arg-type]
        for result in pool.map(abs, range(100), lambda: len(heard) >= 3):
            heard.append(result)  # type: ignore[arg-type]
    assert 3 <= len(heard) < 100


def test_a_shard_that_loses_every_worker_is_given_up_and_the_rest_goes_on() -> None:
    class Deadly(Frail):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            self._calls = [args == (3,)]
            return super().submit(fn, *args, **kwargs)

    for jobs in (1, 2, 5):
        results = list(Pool(lambda jobs: Deadly([]), jobs).map(abs, range(8)))
        assert results == [0, 1, 2, Lost(3), 4, 5, 6, 7]


def test_an_exception_of_a_shard_that_is_by_itself_is_heard_of() -> None:
    def fail(_number: int) -> int:
        raise ValueError("not this one")

    calls = [True] * 3
    with pytest.raises(ValueError, match="not this one"):
        list(Pool(lambda jobs: Frail(calls), 1).map(fail, [1]))


def test_workers_that_never_answer_are_given_up() -> None:
    made: list[int] = []

    def open_executor(jobs: int) -> Executor:
        made.append(jobs)
        return Frail([], [True])

    with pytest.raises(WorkerError, match="no worker answers, after 3 attempts"):
        Pool(open_executor, 2).open()
    assert made == [2, 2, 2]


def test_an_interrupt_while_workers_start_ends_them() -> None:
    ended: list[bool] = []

    class Interrupted(Frail):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise KeyboardInterrupt

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            ended.append(cancel_futures)

    with pytest.raises(KeyboardInterrupt):
        Pool(lambda jobs: Interrupted([]), 1).open()
    assert len(ended) == 1


def test_a_call_that_was_cancelled_is_made_again() -> None:
    class Cancelling(Frail):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if not (args and self._calls and self._calls.pop()):
                return super().submit(fn, *args, **kwargs)
            future: Future[Any] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    calls = [True, False, True]
    assert list(Pool(lambda jobs: Cancelling(calls), 2).map(abs, range(9))) == list(range(9))


def test_it_also_stops_while_a_shard_is_by_itself() -> None:
    """Two workers are lost with the shard beside others; nobody answers the third time."""
    calls = 0

    class Silent(Frail):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            nonlocal calls
            calls += bool(args)
            self._calls = [True]
            return Future() if calls > 2 else super().submit(fn, *args, **kwargs)

    started = time.monotonic()
    pool = Pool(lambda jobs: Silent([]), 1)
    assert list(pool.map(abs, [1], lambda: time.monotonic() > started + 0.5)) == []
    assert calls == 3


def test_an_engine_that_can_not_be_opened_again_ends_the_work() -> None:
    made: list[int] = []

    def open_executor(jobs: int) -> Executor:
        if made:
            raise OSError("nobody answers")
        made.append(jobs)
        return Frail([True])

    with pytest.raises(OSError, match="nobody answers"):
        list(Pool(open_executor, 1).map(abs, range(5)))


@given(items=st.lists(st.integers(0, 3)), most=st.integers(1, 5))
def test_shards_are_the_items_in_order(items: list[int], most: int) -> None:
    shards = list(in_shards(items, most, lambda item: item // 2))
    assert list(chain.from_iterable(shards)) == items
    assert all(0 < len(shard) <= most and len({item // 2 for item in shard}) == 1 for shard in shards)
    for before, after in pairwise(shards):
        assert len(before) == most or before[-1] // 2 != after[0] // 2
