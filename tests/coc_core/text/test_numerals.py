import string

import pytest
from hypothesis import given, strategies as st

from coc_core.text import parse_decimal, parse_number
from tests.support.for_each import for_each

NOT_DECIMAL = ["", " ", "01", "00", "+1", "-0", "--1", "1_000", " 12", "12 ", "12\n", "1.0", "1e3", "0x1", "a"]
NOT_DECIMAL += ["٣", "१२", "１２", "²", "1" * 20, "\x00", "1\x00"]


@for_each("text", [*NOT_DECIMAL, "-1", "-2"])
def test_only_plain_decimals_are_parsed(text):
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_decimal(text)


@for_each("text", [*NOT_DECIMAL, "-2", "-01", "−1"])
def test_the_only_negative_number_is_minus_one(text):
    assert parse_number("-1") == -1
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_number(text)


@given(st.integers(0, 10**19 - 1))
def test_every_plain_decimal_of_19_digits_is_parsed(number):
    assert parse_decimal(str(number)) == parse_number(str(number)) == number


@given(st.text(st.characters(categories=("Nd",), exclude_characters=string.digits), min_size=1))  # codespell:ignore nd
def test_digits_of_other_scripts_are_refused(text):
    with pytest.raises(ValueError, match="is not a plain decimal number"):
        parse_number(text)
