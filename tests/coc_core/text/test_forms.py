import re
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
    assert PAIRS.parse(PAIRS.format(pair)) == PAIRS.codec.parse(PAIRS.codec.format(pair)) == pair


def test_a_codec_follows_from_a_type_hint():
    form = Form.of(Hinted)
    assert form.parse("Hinted number=two side=left rest=[3, 4]") == Hinted(2, "left", (3, 4))
    assert (SPELLED.format(2), INTEGER.format(2)) == ("2", "2")
    with pytest.raises(ValueError, match="left or right"):
        form.parse("Hinted number=two side=down rest=[]")


def test_forms_contain_only_their_records():
    assert (repr(PAIRS), [form.record for form in PAIRS]) == ("Forms(Pair, Word)", [Pair, Word])
    assert Pair(1, 2) in PAIRS
    assert "PAIR 1, 2." not in PAIRS
    with pytest.raises(TypeError, match="no text form for a str"):
        PAIRS.format("PAIR 1, 2.")
    with pytest.raises(TypeError, match=r"there are of anything: nothing is expected here$"):
        Forms().format(Pair(1, 2))


@for_each(
    ("error", "reason", "call"),
    [
        (TypeError, "no text form follows from the type <class 'float'>; pass a Codec", lambda: Form.of(Weight)),
        (TypeError, "must name the fields of Pair: ['left', 'right']", lambda: Form.of(Pair, "PAIR {left}")),
        (ValueError, "'01' is not a plain decimal number", lambda: PAIRS.parse("PAIR 01, 2.")),
        (ValueError, "'WORD A' is not the usual spelling of a Word", lambda: PAIRS.parse("WORD A")),
        *(
            (ValueError, "is not of the form", lambda text=text: PAIRS.parse(text))
            for text in ("", "PAIR 1, 2", "PAIR 1,2.", "pair 1, 2.", "PAIR 1, 2.\n", "WORDS a")
        ),
    ],
)
def test_what_has_no_form_or_not_the_usual_one_is_refused(error, reason, call):
    assert PAIRS.parse("WORD a") == Word("a")
    with pytest.raises(error, match=re.escape(reason)):
        call()


def test_of_many_forms_those_are_shown_that_begin_alike():
    many = Forms(*(Form.of(make_class(letter, ["x"], frozen=True), f"{letter} {{x}}") for letter in "abcdef"))
    with pytest.raises(ValueError, match=r"^'e' is not of the form 'e {x}' or 'a {x}' or 'b {x}' or 3 others$"):
        many.parse("e")


def test_a_form_is_filled_by_its_keys():
    assert PAIRS.fill({"right": "2", "left": "1"}) == "PAIR 1, 2."
    assert PAIRS.fill({"word": "a"}) == "WORD a"
    with pytest.raises(ValueError, match="the keys are 'left', expected left, right or word"):
        PAIRS.fill({"left": "1"})
    with pytest.raises(ValueError, match="the keys are 'left, right, more', expected"):
        PAIRS.fill({"left": "1", "right": "2", "more": "3"})
    with pytest.raises(ValueError, match=r"^[ -~]+$"):  # without terminal escapes
        PAIRS.fill({"\x1b[31m": "1"})
