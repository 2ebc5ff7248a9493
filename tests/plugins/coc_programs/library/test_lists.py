"""Lists, texts and heaps, against Python's."""

import heapq
import re

from hypothesis import given, strategies as st

from coc_programs import each, procedure, read
from coc_programs.library import (
    Heap,
    List,
    Number,
    backwards,
    decimal,
    extended,
    joint,
    length,
    less,
    loaded,
    number,
    popped,
    pushed,
    same_text,
)
from tests.support.library_calls import called, run

PYTHON = {
    backwards: lambda a: a[::-1],
    joint: lambda a, b: a + b,
    length: len,
    extended: lambda a, b: [],
    decimal: str,
    number: lambda a: int(a) if re.fullmatch("-?[0-9]+", a) else None,
    same_text: lambda a, b: a == b,
}
WHOLE, TEXT = st.integers(-(10**9), 10**9), st.text(max_size=3) | st.text("-/0123456789:", max_size=8)
ITEMS = st.recursive(WHOLE | TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
LIST = st.lists(ITEMS, max_size=6)


def check(main, *arguments):
    given = arguments[: len(main.parameters)]
    assert called(main, *given) == PYTHON[main](*given), (main, given)


@given(a=LIST, b=LIST, whole=WHOLE, one=TEXT, other=TEXT)
def test_lists_and_texts_are_those_of_python(a, b, whole, one, other):
    for main in (backwards, joint, length, extended):
        check(main, a, b)
    check(decimal, whole)
    for text in (one, other):
        check(number, text)
        check(same_text, one, text)


def on_heap(heap, calls):
    """What pushes of a key and pops, which are None, give, and what is left."""
    found = []

    @procedure
    def main(heap, keys):
        for call, key in zip(calls, each(keys), strict=True):
            if call is not None:
                heap = yield pushed(heap, key, less)
            else:
                key = (yield read(heap)).item if heap else None
                heap = (yield popped(heap, less)) if heap else None
            found.append(key)
        return heap

    keys = List.store([call or 0 for call in calls], Number.store)
    result, at_end = run(main, Heap.store(sorted(heap), Number.store), keys)
    return sorted(result.load(at_end) if result else []), [each and loaded(each, at_end) for each in found]


def python_heap(heap, calls):
    heap, found = sorted(heap), []
    for key in calls:
        if key is not None:
            heapq.heappush(heap, key)
        found.append(key if key is not None else heapq.heappop(heap) if heap else None)
    return sorted(heap), found


@given(heap=st.lists(st.integers(-50, 50)), calls=st.lists(st.none() | st.integers(-50, 50), max_size=40))
def test_a_heap_gives_the_least_key(heap, calls):
    assert on_heap(heap, calls) == python_heap(heap, calls)
