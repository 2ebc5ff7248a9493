"""The cache of responses, beside a list that does the same slowly."""

import pytest
from hypothesis import given, strategies as st

from coc_core.models import ResponseCache
from coc_core.models.calls import _size

TEXTS = st.sampled_from(["", "a", "b", "cc", "c" * 300, "é", "\N{PANCAKES}" * 9])


@given(st.integers(0, 3_000), st.lists(st.tuples(TEXTS, TEXTS), max_size=40))
def test_the_oldest_responses_are_dropped_first(max_bytes, pairs):
    cache, expected = ResponseCache(max_bytes), []
    for prompt, response in pairs:
        found = next((pair for pair in expected if pair[0] == prompt), None)
        assert cache.get(prompt) == (found and found[1])
        if not found:
            cache.add(prompt, response)
            expected.append((prompt, response))
            while sum(_size(*pair) for pair in expected) > max_bytes:
                expected.pop(0)
        assert list(cache) == [prompt for prompt, _ in expected]
        assert len(cache) == len(expected)


def test_it_is_complete_until_something_is_dropped():
    cache = ResponseCache(1_000)
    assert cache.complete
    cache.add("a", "b")
    assert cache.complete
    cache.add("c", "d" * 1_000)
    assert not cache.complete


def test_a_new_prompt_has_no_response():
    cache = ResponseCache(1_000)
    cache.add("a", "b")
    assert dict(cache) == {"a": "b"}
    assert cache.get("b") is None
    with pytest.raises(KeyError):
        cache["b"]
