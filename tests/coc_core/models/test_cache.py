"""The cache of responses, beside a list that does the same slowly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coc_core.models import ResponseCache
from coc_core.models.cache import _size

TEXTS = st.sampled_from(["", "a", "b", "cc", "c" * 300, "é", "\N{PANCAKES}" * 9])


@given(st.integers(0, 3_000), st.lists(st.tuples(TEXTS, TEXTS), max_size=40))
def test_what_was_kept_first_goes_first(room, asked):
    answers, expected = ResponseCache(room), []
    for prompt, answer in asked:
        found = next((pair for pair in expected if pair[0] == prompt), None)
        assert answers.get(prompt) == (found and found[1])
        if not found:
            answers.keep(prompt, answer)
            expected.append((prompt, answer))
            while sum(_size(*pair) for pair in expected) > room:
                expected.pop(0)
        assert list(answers) == [prompt for prompt, _ in expected]
        assert len(answers) == len(expected)


def test_a_prompt_that_was_never_asked_has_no_answer():
    answers = ResponseCache(1_000)
    answers.keep("a", "b")
    assert dict(answers) == {"a": "b"}
    assert answers.get("b") is None
    with pytest.raises(KeyError):
        answers["b"]
