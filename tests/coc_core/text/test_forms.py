from typing import Annotated, Literal

import pytest
from attrs import frozen, make_class
from hypothesis import given, strategies as st

from coc_core.text import Codec, Form, Forms
from coc_core.text.codec import INTEGER
from tests.support.for_each import for_each


@frozen
class Pair:
    left: int
    right: int


@frozen
class Word:
    word: str


SPELLED = Codec(lambda text: {"one": 1, "two": 2}[text])
PAIRS = Forms(Form.of(Pair, "PAIR {left}, {right}."), Form.of(Word, "WORD {word}", word=Codec(str.lower)))


@frozen
class Hinted:
    number: Annotated[int, SPELLED]
    side: Literal["left", "right"]
    rest: tuple[int, ...]


@frozen
class Weight:
    kilos: float


@given(st.integers(0, 10**19 - 1), st.integers(0, 10**19 - 1))
def test_parse_inverts_format(left, right):
    pair = Pair(left, right)
    assert PAIRS.parse(PAIRS.format(pair)) == pair


def test_forms_are_a_codec_of_their_records():
    assert PAIRS.codec.parse(PAIRS.codec.format(Pair(1, 2))) == Pair(1, 2)


def test_a_type_without_a_text_form_needs_a_codec():
    with pytest.raises(TypeError, match="no text form follows from the type <class 'float'>; pass a Codec"):
        Form.of(Weight)


def test_a_form_must_name_the_fields_of_its_record():
    with pytest.raises(TypeError, match=r"must name the fields of Pair: \['left', 'right'\]"):
        Form.of(Pair, "PAIR {left}")


def test_a_codec_follows_from_a_type_hint():
    form = Form.of(Hinted)
    assert form.parse("Hinted number=two side=left rest=[3, 4]") == Hinted(2, "left", (3, 4))
    with pytest.raises(ValueError, match="left or right"):
        form.parse("Hinted number=two side=down rest=[]")


def test_forms_can_be_listed():
    assert [form.record for form in PAIRS] == [Pair, Word]


def test_forms_contain_only_their_records():
    assert Pair(1, 2) in PAIRS
    assert "PAIR 1, 2." not in PAIRS
    with pytest.raises(TypeError, match="no text form for a str"):
        PAIRS.format("PAIR 1, 2.")
    with pytest.raises(TypeError, match="nothing is expected here"):
        Forms().format(Pair(1, 2))


@for_each("text", ["", "PAIR 1, 2", "PAIR 1,2.", "pair 1, 2.", "PAIR 1, 2.\n", "WORDS a"])
def test_a_text_of_no_form_is_refused(text):
    with pytest.raises(ValueError, match="is not of the form"):
        PAIRS.parse(text)


def test_of_many_forms_those_are_shown_that_begin_alike():
    many = Forms(*(Form.of(make_class(letter, ["x"], frozen=True), f"{letter} {{x}}") for letter in "abcdef"))
    with pytest.raises(ValueError, match=r"^'e' is not of the form 'e {x}' or 'a {x}' or 'b {x}' or 3 others$"):
        many.parse("e")


def test_a_malformed_field_is_refused():
    with pytest.raises(ValueError, match="'01' is not a plain decimal number"):
        PAIRS.parse("PAIR 01, 2.")


def test_a_second_spelling_of_a_record_is_refused():
    assert PAIRS.parse("WORD a") == Word("a")
    with pytest.raises(ValueError, match="'WORD A' is not the usual spelling of a Word"):
        PAIRS.parse("WORD A")


def test_forms_are_shown_by_the_names_of_their_records():
    assert repr(PAIRS) == "Forms(Pair, Word)"


def test_a_form_is_filled_by_its_keys():
    assert PAIRS.fill({"right": "2", "left": "1"}) == "PAIR 1, 2."
    assert PAIRS.fill({"word": "a"}) == "WORD a"
    with pytest.raises(ValueError, match="the keys are 'left', expected left, right or word"):
        PAIRS.fill({"left": "1"})
    with pytest.raises(ValueError, match="the keys are 'left, right, more', expected"):
        PAIRS.fill({"left": "1", "right": "2", "more": "3"})


def test_unknown_keys_are_quoted_without_terminal_escapes():
    with pytest.raises(ValueError, match=r"^[ -~]+$"):
        PAIRS.fill({"\x1b[31m": "1"})


def test_a_codec_formats_with_str_by_default():
    assert SPELLED.parse("two") == 2
    assert SPELLED.format(2) == INTEGER.format(2) == "2"
