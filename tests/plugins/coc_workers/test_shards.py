"""What shards are made of, and that a process works on one at a time."""

import pickle
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise

from hypothesis import given, strategies as st

from coc_workers.shards import in_shards, one_at_a_time

_under_way: list[int] = []


@given(items=st.lists(st.integers(0, 3)), most=st.integers(1, 5))
def test_shards_are_the_items_in_order(items: list[int], most: int) -> None:
    shards = list(in_shards(items, most, lambda item: item // 2))
    assert list(chain.from_iterable(shards)) == items
    assert all(0 < len(shard) <= most and len({item // 2 for item in shard}) == 1 for shard in shards)
    for before, after in pairwise(shards):
        assert len(before) == most or before[-1] // 2 != after[0] // 2


def test_items_are_taken_as_they_are_needed() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    shards = in_shards(items(), 3)
    assert [next(shards), next(shards)] == [[1, 2, 3], [4, 5, 6]]
    assert taken <= 7


@one_at_a_time
def _work(number: int) -> int:
    """Gives how many calls are under way."""
    _under_way.append(number)
    time.sleep(0.01)
    found = len(_under_way)
    _under_way.remove(number)
    return found


def test_one_call_is_under_way_at_a_time() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(_work, range(8))) == {1}
    assert pickle.loads(pickle.dumps(_work)) is _work
