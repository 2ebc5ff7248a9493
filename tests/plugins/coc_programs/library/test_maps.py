"""Maps by number and by text, and arrays, against Python's."""

import random
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from coc_programs import Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import (
    Array,
    List,
    Map,
    Number,
    Text,
    TextMap,
    append,
    entries,
    get,
    get_at,
    get_text,
    put,
    put_at,
    put_text,
)
from tests.support.library_calls import Box, Calls, Do


class Kept(Record):
    """What the calls change."""

    numbers: Map
    texts: TextMap
    array: Array

    @classmethod
    def store(cls, numbers, texts, array):
        """Return new records."""
        stored = Number.store
        return cls(
            numbers=Map.store(numbers, stored), texts=TextMap.store(texts, stored), array=Array.store(array, stored)
        )

    def load(self, read):
        """Return them, as Python has them."""
        return tuple(getattr(read(self), name).load(read) for name in self.field_names())


@procedure
def maps(box: Box, calls: List) -> Steps[None]:
    """Make calls, of which each gives an item, a list of keys, or nothing."""
    o = yield read(box)
    kept = yield read(cast(Kept, o.item))
    numbers, texts, array = kept.numbers, kept.texts, kept.array
    found = yield new(List)
    for call in each(calls):
        do = yield read(cast(Do, call))
        key, item = do.a, do.b
        result: Record | None = None
        if do.what == "put":
            yield put(numbers, cast(Number, key), item)
        elif do.what == "get":
            result = yield get(numbers, cast(Number, key))
        elif do.what == "put_text":
            yield put_text(texts, cast(Text, key), item)
        elif do.what == "get_text":
            result = yield get_text(texts, cast(Text, key))
        elif do.what == "put_at":
            yield put_at(array, cast(Number, key), item)
        elif do.what == "get_at":
            result = yield get_at(array, cast(Number, key))
        elif do.what == "append":
            yield append(array, item)
        else:
            result = yield new(List)
            for entry in chain((yield entries(numbers)), "next"):
                result = yield new(List, first=entry.key, next=result)
        found = yield new(List, first=result, next=found)
    yield write(box, found=found)


def python(kept, calls):
    """Return what is kept at the end, and what each call gives; keys as a set."""
    numbers, texts, (array, found) = dict(kept[0]), dict(kept[1]), (dict(enumerate(kept[2])), [])
    kinds, count = {"": numbers, "_text": texts, "_at": array}, len(array)
    for what, key, item in calls:
        on, result = kinds.get(what[3:]), None
        if what == "append":
            array[count] = item
            count += 1
        elif what == "entries":
            result = {*numbers}
        elif what.startswith("put"):
            on[key] = item
        else:
            result = on.get(key)
        found.append(result)
    return (numbers, texts, [array.get(index) for index in range(count)]), found


def unordered(results):
    kept, found = results
    return kept, [{*each} if isinstance(each, list) else each for each in found]


WHOLE, TEXT = st.integers(-70, 70) | st.integers(-(10**9), 10**9), st.text("ab", max_size=3) | st.text(max_size=2)
KEPT = st.tuples(st.dictionaries(WHOLE, WHOLE), st.dictionaries(TEXT, WHOLE), st.lists(WHOLE))
CALLS = st.lists(
    st.tuples(st.sampled_from(["get", "put", "get_at", "put_at", "append", "entries"]), WHOLE, WHOLE)
    | st.tuples(st.sampled_from(["get_text", "put_text"]), TEXT, WHOLE)
)


@pytest.fixture(scope="module")
def runs():
    return Calls(maps)


@given(kept=KEPT, calls=CALLS)
def test_maps_and_arrays_are_those_of_python(runs, kept, calls):
    assert unordered(runs.straight(calls, Kept.store(*kept))) == python(kept, calls)


@pytest.mark.slow
def test_ten_thousand_calls_on_five_thousand_items(runs):
    rng = random.Random(0)
    texts = ["".join(rng.choices("abcdefgh", k=5)) for _ in range(6_000)]
    items = {key: rng.randrange(1000) for key in range(5_000)}
    kept = items, dict(zip(texts[:5_000], items, strict=True)), [*items]
    names = ["get", "put", "get_at", "put_at", "append", "get_text", "put_text"]
    calls = [(what, rng.choice(texts) if "text" in what else rng.randrange(6_000), 7) for what in names * 10_000]
    calls += [("entries", None, None)] * 2
    assert unordered(runs.straight(calls, Kept.store(*kept))) == python(kept, calls)
    few = [(what, rng.randrange(-9, 9), 7) for what in ("put", "entries") * 10_000]
    assert unordered(runs.straight(few, Kept.store({}, {}, []))) == python(({}, {}, []), few)


@given(kept=KEPT, calls=CALLS)
@settings(max_examples=10)
def test_they_are_on_the_machine(runs, kept, calls):
    assert unordered(runs.on_the_machine(calls, Kept.store(*kept))) == python(kept, calls)
