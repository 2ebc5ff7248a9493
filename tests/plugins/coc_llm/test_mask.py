"""The key is replaced in whatever form a program writes it, and nothing else is."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings, strategies as st

from coc_llm.mask import MARKER, Mask
from tests.support.for_each import for_each

PRINTABLE = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
KEYS = st.text(PRINTABLE, min_size=8, max_size=60)
FORMS = {
    "as it is": lambda key: key,
    "in capitals": str.upper,
    "JSON": json.dumps,
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "JSON escapes": lambda key: "".join(f"\\u{ord(each):04X}" for each in key),
    "Python": lambda key: repr(key.encode()),
    "hexadecimal": lambda key: key.encode().hex(),
    "URL": lambda key: quote(key, safe=""),
    "URL escapes": lambda key: "".join(f"%{ord(each):02X}" for each in key),
    "HTML": lambda key: "".join(f"&#{ord(each)};" for each in key),
    "HTML, hexadecimal": lambda key: "".join(f"&#x{ord(each):x};" for each in key),
    "base64": lambda key: b64encode(key.encode()).decode(),
    "base64 of a header": lambda key: b64encode(f"Bearer {key}\n".encode()).decode(),
    "base64 for URLs": lambda key: urlsafe_b64encode(f"k:{key}".encode()).decode(),
}


@for_each("form", FORMS)
@settings(max_examples=20)
@given(key=KEYS, before=st.text(), after=st.text())
@example(key=r"00000\\0", before="", after="")
def test_the_key_is_replaced_in_each_form_and_place(form, key, before, after):
    written = FORMS[form](key)
    assert MARKER in Mask(key).text(f"{before} {written} {after}")
    for document in ({"a": [f"{before} {written} {after}"]}, {f" {written} ": 1}):
        try:
            masked = Mask(key).document(document)
        except ValueError:  # where JSON does not survive it, there is no document
            continue
        assert written not in json.dumps(masked)
        assert MARKER in json.dumps(masked)


@given(key=KEYS, document=st.dictionaries(st.text(), st.text() | st.lists(st.integers(10**6))))
def test_what_has_no_key_stays_as_it_is(key, document):
    assert Mask(f"sk-{key}-{key}").document(document) == document


def test_a_key_of_digits_is_no_number_either():
    with pytest.raises(ValueError, match="Expecting value"):
        Mask("1234567890").document({"a": 1234567890})


def test_a_word_that_stands_for_a_key_is_no_secret():
    for word in ("none", "EMPTY", "x"):
        assert Mask(word).text(f"PUSH {word}") == f"PUSH {word}"


def test_nothing_shows_the_key():
    assert "sk-secret" not in repr(Mask("sk-secret"))
    long = Mask("sk-secret").line("x" * 295 + "sk-secret\n")
    assert long == "x" * 295 + "[API " + "..."
