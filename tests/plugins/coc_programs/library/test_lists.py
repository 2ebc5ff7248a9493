"""Lists, texts and heaps, against Python's."""

import heapq
import random
import re
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from coc_programs import Record, Steps, each, new, procedure, read, write
from coc_programs.library import (
    Heap,
    List,
    Number,
    Text,
    backwards,
    decimal,
    extended,
    joint,
    length,
    less,
    number,
    popped,
    pushed,
    same_text,
)
from tests.support.library_calls import Box, Calls, Do


@procedure
def lists(box: Box, calls: List) -> Steps[None]:
    """Make calls, of which each gives a list, a number, a text or nothing."""
    found = yield new(List)
    for call in each(calls):
        do = yield read(cast(Do, call))
        a, b = do.a, do.b
        result: Record | None = None
        if do.what == "backwards":
            result = yield backwards(cast(List, a))
        elif do.what == "joint":
            result = yield joint(cast(List, a), cast(List, b))
        elif do.what == "length":
            result = yield length(cast(List, a))
        elif do.what == "extended":
            result = yield new(List)
            yield extended(cast(List, result), b)
        elif do.what == "decimal":
            result = yield decimal(cast(Number, a))
        elif do.what == "number":
            result = yield number(cast(Text, a))
        elif (yield same_text(cast(Text, a), cast(Text, b))):
            result = a
        found = yield new(List, first=result, next=found)
    yield write(box, found=found)


ON_LISTS = {
    "backwards": lambda a, b: a[::-1],
    "joint": lambda a, b: a + b,
    "length": lambda a, b: len(a),
    "extended": lambda a, b: [b],
    "decimal": lambda a, b: str(a),
    "number": lambda a, b: int(a) if re.fullmatch("-?[0-9]+", a) else None,
    "same_text": lambda a, b: a if a == b else None,
}
WHOLE, TEXT = st.integers(-(10**9), 10**9), st.text(max_size=3) | st.text("-/0123456789:", max_size=8)
ITEMS = st.recursive(WHOLE | TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
LIST = st.lists(ITEMS, max_size=6)
CALLS = st.lists(
    st.tuples(st.sampled_from(["backwards", "joint", "length", "extended"]), LIST, LIST)
    | st.tuples(st.just("decimal"), WHOLE, st.none())
    | st.tuples(st.sampled_from(["number", "same_text"]), TEXT, TEXT)
    | TEXT.map(lambda text: ("same_text", text, text)),
    max_size=12,
)


@procedure
def heaps(box: Box, calls: List) -> Steps[None]:
    """Push a key, or pop the least, which is what each call gives."""
    o = yield read(box)
    heap = cast("Heap | None", o.item)
    found = yield new(List)
    for call in each(calls):
        do = yield read(cast(Do, call))
        key: Number | None = None
        if do.what == "push":
            key = do.a
            heap = yield pushed(heap, key, less)
        elif heap:
            h = yield read(heap)
            key = h.item
            heap = yield popped(heap, less)
        found = yield new(List, first=key, next=found)
    yield write(box, item=heap, found=found)


def python_heap(heap, calls):
    heap, found = [*heap], []
    for what, key, _ in calls:
        if what == "push":
            heapq.heappush(heap, key)
        found.append(key if what == "push" else heapq.heappop(heap) if heap else None)
    return sorted(heap), found


def in_order(results):
    return sorted(results[0] or []), results[1]


PUSHES = st.integers(-50, 50).map(lambda key: ("push", key, None))
ON_HEAPS = st.lists(PUSHES | st.just(("pop", None, None)), max_size=40)


@pytest.fixture(scope="module")
def on_lists():
    return Calls(lists)


@pytest.fixture(scope="module")
def on_heaps():
    return Calls(heaps)


@given(calls=CALLS)
def test_lists_and_texts_are_those_of_python(on_lists, calls):
    assert on_lists.straight(calls)[1] == [ON_LISTS[what](a, b) for what, a, b in calls]


@given(calls=CALLS)
@settings(max_examples=10)
def test_they_are_on_the_machine(on_lists, calls):
    assert on_lists.on_the_machine(calls)[1] == [ON_LISTS[what](a, b) for what, a, b in calls]


@given(heap=st.lists(st.integers(-50, 50)), calls=ON_HEAPS)
def test_a_heap_gives_the_least_key(on_heaps, heap, calls):
    heap = sorted(heap)
    assert in_order(on_heaps.straight(calls, Heap.store(heap, Number.store))) == python_heap(heap, calls)


@pytest.mark.slow
def test_ten_thousand_calls_on_a_heap_of_five_thousand(on_heaps):
    rng = random.Random(0)
    heap = sorted(rng.randrange(10**6) for _ in range(5_000))
    calls = [rng.choice((("push", rng.randrange(10**6), None), ("pop", None, None))) for _ in range(10_000)]
    assert in_order(on_heaps.straight(calls, Heap.store(heap, Number.store))) == python_heap(heap, calls)


@pytest.mark.slow
@pytest.mark.parametrize("what", ON_LISTS)
def test_ten_thousand_calls_are_those_of_python(on_lists, what):
    rng, sizes = random.Random(0), [5_000, *[3] * 9_999]
    kinds = {"decimal": lambda n: rng.randint(-(10 ** min(n, 500)), 10 ** min(n, 500)), "number": str, "same_text": str}
    made = kinds.get(what, lambda n: rng.choices(range(10**6), k=n))
    if made is str:
        made = lambda n: "".join(rng.choices("-0123456789", [1, *[9] * 10], k=min(n, 500)))  # noqa: E731
    calls = [(what, made(size), None if what == "decimal" else made(size)) for size in sizes]
    assert on_lists.straight(calls)[1] == [ON_LISTS[what](a, b) for what, a, b in calls]


@given(calls=ON_HEAPS)
@settings(max_examples=10)
def test_a_heap_does_on_the_machine(on_heaps, calls):
    assert in_order(on_heaps.on_the_machine(calls)) == python_heap([], calls)
