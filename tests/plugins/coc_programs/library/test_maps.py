"""Maps by number and by text, and arrays, against Python's."""

from hypothesis import given, strategies as st

from coc_programs import chain, each, procedure
from coc_programs.library import (
    Array,
    List,
    Map,
    Number,
    TextMap,
    append,
    entries,
    get,
    get_at,
    get_text,
    loaded,
    put,
    put_at,
    put_text,
)
from tests.support.library_calls import run, stored

OF_MAPS = {get: 0, put: 0, get_text: 1, put_text: 1, get_at: 2, put_at: 2}
"""The procedures with a key, and on which of a map by number, one by text and an array they are called."""


def made(numbers, texts, array):
    whole = Number.store
    return Map.store(numbers, whole), TextMap.store(texts, whole), Array.store(array, whole)


def on_maps(kept, calls):
    """What is kept at the end, and what each call gives, with its key and its item."""
    found = []

    @procedure
    def main(numbers, texts, array, keys, items):
        for (called, _, _), key, item in zip(calls, each(keys), each(items), strict=True):
            result = None
            if called is append:
                yield append(array, item)
            elif called is entries:
                result = [entry.key for entry in chain((yield entries(numbers)), "next")]
            else:
                on = (numbers, texts, array)[OF_MAPS[called]]
                result = yield called(*(on, key, item)[: len(called.parameters)])
            found.append(result)

    given = made(*kept)
    columns = (List.store([call[column] for call in calls], stored) for column in (1, 2))
    _, read = run(main, *given, *columns)
    keys = [{loaded(each, read) for each in it} if isinstance(it, list) else it for it in found]
    return [each.load(read) for each in given], [loaded(it, read) if isinstance(it, Number) else it for it in keys]


def python(kept, calls):
    """The same of Python's dicts and lists."""
    numbers, texts, (array, found) = dict(kept[0]), dict(kept[1]), (dict(enumerate(kept[2])), [])
    count = len(array)
    for called, key, item in calls:
        result = None
        if called is append:
            array[count] = item
            count += 1
        elif called is entries:
            result = {*numbers}
        elif called in (put, put_text, put_at):
            (numbers, texts, array)[OF_MAPS[called]][key] = item
        else:
            result = (numbers, texts, array)[OF_MAPS[called]].get(key)
        found.append(result)
    return [numbers, texts, [array.get(index) for index in range(count)]], found


WHOLE, TEXT = st.integers(-70, 70) | st.integers(-(10**9), 10**9), st.text("ab", max_size=3) | st.text(max_size=2)
KEPT = st.tuples(st.dictionaries(WHOLE, WHOLE), st.dictionaries(TEXT, WHOLE), st.lists(WHOLE))
CALLS = st.lists(
    st.tuples(st.sampled_from([get, put, get_at, put_at, append, entries]), WHOLE, WHOLE)
    | st.tuples(st.sampled_from([get_text, put_text]), TEXT, WHOLE)
)


@given(kept=KEPT, calls=CALLS)
def test_maps_and_arrays_are_those_of_python(kept, calls):
    assert on_maps(kept, calls) == python(kept, calls)
