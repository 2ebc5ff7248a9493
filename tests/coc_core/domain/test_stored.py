"""The rules of records as texts."""

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import record_named, split_record, without_record
from coc_problems.prompts import with_record

WORDS = st.text("abc=[] ", min_size=1)
NAMES = st.from_regex(r"[A-Z][0-9]{1,3}", fullmatch=True)


@given(NAMES, WORDS)
def test_a_record_has_a_name_and_contents(name, contents):
    assert split_record(f"{name}: {contents}") == (name, contents)


@given(WORDS, NAMES, WORDS)
def test_an_instruction_is_read_with_the_record_that_it_names(words, name, contents):
    text = f"CALL {words} AT {name}"
    read = with_record(text, {name: contents})
    assert read == f"{text}: {contents}"
    assert without_record(read) == without_record(text) == text
    assert split_record(text) is split_record(read) is None
    assert with_record(words, {}) == without_record(words) == words
    assert split_record(words) is None
    with pytest.raises(KeyError, match=name):
        with_record(text, {})


@given(NAMES)
def test_the_record_that_an_instruction_names_is_found(name):
    assert record_named(f"CALL go AT {name}") == name
    assert record_named("CALL finish") is None
