"""Items that wait at the same time are computed together."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from coc_doors.serve.batches import Batcher


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_what_waits_is_merged_and_shared_out(executor):
    calls, called, go = [], threading.Event(), threading.Event()

    def double(items):
        called.set()
        go.wait(10)
        calls.append(list(items))
        return [2 * item for item in items]

    async def clients():
        batcher = Batcher(double, executor, 4)
        first = asyncio.create_task(batcher.results([1]))
        await asyncio.to_thread(called.wait, 10)
        others = [asyncio.create_task(batcher.results([item, item + 1])) for item in (10, 20, 30)]
        await asyncio.sleep(0)
        assert len(batcher) == 6
        go.set()
        return await asyncio.gather(first, *others), len(batcher)

    found, left = asyncio.run(clients())
    assert found == [[2], [20, 22], [40, 42], [60, 62]]
    assert calls == [[1], [10, 11, 20, 21], [30, 31]]
    assert left == 0


def test_an_error_is_that_of_the_client_that_caused_it(executor):
    def fussy(items):
        if "bad" in items:
            raise ValueError("no")
        return items

    async def clients():
        batcher = Batcher(fussy, executor, 2)
        asked = [batcher.results(items) for items in (["bad"], ["good", "bad"], ["good"])]
        first = await asyncio.gather(*asked, return_exceptions=True)
        return first, await batcher.results(["good"])

    (one, two, three), later = asyncio.run(clients())
    assert isinstance(one, ValueError)
    assert isinstance(two, ValueError)
    assert (three, later) == (["good"], ["good"])


def test_who_has_given_up_is_left_out(executor):
    calls, called, go = [], threading.Event(), threading.Event()

    def same(items):
        called.set()
        go.wait(10)
        calls.append(list(items))
        return items

    async def clients():
        batcher = Batcher(same, executor, 10)
        first = asyncio.create_task(batcher.results(["first"]))
        await asyncio.to_thread(called.wait, 10)
        second, third = (asyncio.create_task(batcher.results([name])) for name in ("second", "third"))
        await asyncio.sleep(0.01)
        first.cancel()
        second.cancel()
        go.set()
        return await third

    assert asyncio.run(clients()) == ["third"]
    assert calls == [["first"], ["third"]]


def test_nothing_is_asked_for(executor):
    async def client():
        return await Batcher(list, executor, 2).results([])

    assert asyncio.run(client()) == []


def test_clients_that_come_at_the_same_time_share_a_call(executor):
    calls = []

    def same(items):
        calls.append(list(items))
        return items

    async def clients():
        batcher = Batcher(same, executor, 10)
        for _ in range(2):
            await asyncio.gather(*(batcher.results([number]) for number in range(5)))

    asyncio.run(clients())
    assert calls == [[0, 1, 2, 3, 4]] * 2
