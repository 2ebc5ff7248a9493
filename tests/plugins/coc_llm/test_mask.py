"""The key is replaced wherever it is, and nothing else is."""

import json

import pytest
from hypothesis import example, given, settings, strategies as st

from coc_llm.reading import MARKER, Mask

PRINTABLE = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
KEYS = st.text(PRINTABLE, min_size=8, max_size=60)


@settings(max_examples=50)
@given(key=KEYS, before=st.text(), after=st.text())
@example(key=r"00000\\0", before="", after="")
def test_the_key_is_replaced_in_each_place(key, before, after):
    mask = Mask(key)
    assert MARKER in mask.text(f"{before} {key} {after}")
    assert MARKER in mask.text(json.dumps({"a": f"{before} {key} {after}"}))
    for document in ({"a": [f"{before} {key} {after}"]}, {f" {key} ": 1}):
        try:
            masked = json.dumps(mask.document(document))
        except ValueError:  # where JSON does not survive it, there is no document
            continue
        assert key not in masked
        assert MARKER in masked


def test_a_key_of_digits_is_no_number_either():
    assert "1234567890" not in repr(Mask("1234567890"))
    with pytest.raises(ValueError, match="Expecting value"):
        Mask("1234567890").document({"a": 1234567890})


def test_a_word_that_stands_for_a_key_is_no_secret():
    for word in ("none", "EMPTY", "x"):
        assert Mask(word).text(f"PUSH {word}") == f"PUSH {word}"
