import string

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from coc_core.text import Codec, Form, Forms, Template, parse_decimal, parse_number, shown, unprintable, visible
from coc_core.text.forms import INTEGER


@frozen
class Pair:
    left: int
    right: int


@frozen
class Word:
    word: str


SPELLED = Codec(lambda text: {"one": 1, "two": 2}[text])
PAIRS = Forms(Form.of(Pair, "PAIR {left}, {right}."), Form.of(Word, "WORD {word}", word=Codec(str.lower)))

NOT_DECIMAL = ["", " ", "01", "00", "+1", "-0", "--1", "1_000", " 12", "12 ", "12\n", "1.0", "1e3", "0x1", "a"]
NOT_DECIMAL += ["٣", "१२", "１２", "²", "1" * 20, "\x00", "1\x00"]


@pytest.mark.parametrize("text", [*NOT_DECIMAL, "-1", "-2"])
def test_what_is_no_plain_decimal_is_refused(text):
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_decimal(text)


@pytest.mark.parametrize("text", [*NOT_DECIMAL, "-2", "-01", "−1"])
def test_the_only_negative_number_is_minus_one(text):
    assert parse_number("-1") == -1
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_number(text)


@given(st.integers(0, 10**19 - 1))
def test_every_plain_decimal_of_19_digits_is_read(number):
    assert parse_decimal(str(number)) == parse_number(str(number)) == number


@given(st.text(st.characters(categories=("Nd",), exclude_characters=string.digits), min_size=1))  # codespell:ignore nd
def test_digits_of_other_scripts_are_no_digits(text):
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_number(text)


@given(st.text(), st.integers(10, 60))
def test_what_is_shown_is_printable_ascii_on_one_line(text, width):
    quoted = shown(text, width)
    assert quoted.isascii()
    assert quoted.isprintable()


def test_what_is_shown_is_cut():
    assert shown("abcdef", 6) == "'abcdef'"
    assert shown("abcdefg", 6) == "'abcde...'"


@pytest.mark.parametrize(
    ("text", "offset"), [("", None), ("a b\n~", None), ("a\tb", 1), ("\x1b", 0), ("ab\x7f", 2), ("aé", 1)]
)
def test_the_first_unprintable_character_is_found(text, offset):
    assert unprintable(text) == offset


def test_a_template_finds_its_fields():
    template = Template("MOVE d={d} src={src}")
    assert template.fields == ("d", "src")
    assert template.match("MOVE d=1 src=2") == {"d": "1", "src": "2"}
    assert repr(template) == "Template('MOVE d={d} src={src}')"


@pytest.mark.parametrize("text", ["", "MOVE d=1", "MOVE d=1 src=2\n", "xMOVE d=1 src=2", "MOVE d=1\n src=2"])
def test_a_template_is_matched_whole_and_on_one_line(text):
    assert Template("MOVE d={d} src={src}").match(text) is None


def test_a_field_ends_where_the_next_literal_first_stands():
    assert Template("{a} & {b}").match("1 & 2 & 3") == {"a": "1", "b": "2 & 3"}
    assert Template("{a}; {b} & {c}").match("1 & 2; 3") is None
    assert Template("{a} & {b}.").match("1 & 2.3.") == {"a": "1", "b": "2.3"}


def test_a_field_that_stands_twice_must_hold_the_same_twice():
    template = Template("{a}-{b}-{a}")
    assert template.fields == ("a", "b")
    assert template.match("1-2-1") == {"a": "1", "b": "2"}
    assert template.match("1-2-3") is None


def test_a_template_without_fields_matches_itself_alone():
    template = Template("No. [a-z]*")
    assert template.match("No. [a-z]*") == {}
    assert template.match("No. a") is None


@given(st.lists(st.sampled_from(["MOVE d=", " src=", "1", "\n", " "])).map("".join))
def test_matching_and_writing_are_inverse(text):
    template = Template("MOVE d={d} src={src}")
    found = template.match(text)
    assert found is None or template.format(**found) == text


def test_long_nasty_texts_are_matched_in_one_pass():
    template = Template("{a} & {b} & {c}.")
    assert template.match("&" * 100_000) is None
    assert template.match(" & " * 50_000) is None
    assert template.match("." * 100_000) is None


@given(st.integers(0, 10**19 - 1), st.integers(0, 10**19 - 1))
def test_a_record_is_read_as_it_was_written(left, right):
    pair = Pair(left, right)
    assert PAIRS.parse(PAIRS.format(pair)) == pair


def test_a_form_must_name_the_fields_of_its_record():
    with pytest.raises(TypeError, match=r"must name the fields of Pair: \['left', 'right'\]"):
        Form.of(Pair, "PAIR {left}")


def test_forms_know_their_records_and_no_others():
    assert Pair(1, 2) in PAIRS
    assert "PAIR 1, 2." not in PAIRS
    with pytest.raises(TypeError, match="no text form for a str"):
        PAIRS.format("PAIR 1, 2.")
    with pytest.raises(TypeError, match="nothing is expected here"):
        Forms().format(Pair(1, 2))


@pytest.mark.parametrize("text", ["", "PAIR 1, 2", "PAIR 1,2.", "pair 1, 2.", "PAIR 1, 2.\n", "WORDS a"])
def test_a_text_of_no_form_is_refused(text):
    with pytest.raises(ValueError, match="is not of the form"):
        PAIRS.parse(text)


def test_a_malformed_field_is_refused():
    with pytest.raises(ValueError, match="'01' is not a plain decimal number"):
        PAIRS.parse("PAIR 01, 2.")


def test_a_second_spelling_of_a_record_is_refused():
    assert PAIRS.parse("WORD a") == Word("a")
    with pytest.raises(ValueError, match="'WORD A' is not the usual spelling of a Word"):
        PAIRS.parse("WORD A")


def test_a_form_is_filled_by_its_keys():
    assert PAIRS.fill({"right": "2", "left": "1"}) == "PAIR 1, 2."
    assert PAIRS.fill({"word": "a"}) == "WORD a"
    with pytest.raises(ValueError, match="the keys are 'left', expected left, right or word"):
        PAIRS.fill({"left": "1"})


def test_unknown_keys_are_shown_without_their_terminal_escapes():
    with pytest.raises(ValueError, match=r"^[ -~]+$"):
        PAIRS.fill({"\x1b[31m": "1"})


def test_a_codec_writes_with_str_unless_told_otherwise():
    assert SPELLED.parse("two") == 2
    assert SPELLED.format(2) == INTEGER.format(2) == "2"


@given(st.text())
def test_a_text_made_visible_has_its_lines_and_nothing_that_a_terminal_obeys(text):
    seen = visible(text)
    assert unprintable(seen) is None
    assert seen.count("\n") == text.count("\n")
    assert visible(seen) == seen
    if unprintable(text) is None:
        assert seen == text


def test_what_is_not_printable_is_escaped():
    assert visible("a\x1b[31m\n\u202eb\ud800") == "a\\x1b[31m\n\\u202eb\\ud800"
