from hypothesis import given, strategies as st

from coc_core.text import escaped, find_unprintable, quoted
from tests.support.for_each import for_each


@given(st.text(), st.integers(10, 60))
def test_a_quoted_text_is_printable_ascii_on_one_line(text, width):
    result = quoted(text, width)
    assert result.isascii()
    assert result.isprintable()


def test_a_long_text_is_cut():
    assert quoted("abcdef", 6) == "'abcdef'"
    assert quoted("abcdefg", 6) == "'abcde...'"


@for_each(("text", "offset"), [("", None), ("a b\n~", None), ("a\tb", 1), ("\x1b", 0), ("ab\x7f", 2), ("aé", 1)])
def test_the_first_unprintable_character_is_found(text, offset):
    assert find_unprintable(text) == offset


@given(st.text())
def test_an_escaped_text_keeps_its_lines_and_nothing_that_a_terminal_obeys(text):
    seen = escaped(text)
    assert find_unprintable(seen) is None
    assert seen.count("\n") == text.count("\n")
    assert escaped(seen) == seen
    if find_unprintable(text) is None:
        assert seen == text


def test_what_is_not_printable_is_escaped():
    assert escaped("a\x1b[31m\n\u202eb\ud800") == "a\\x1b[31m\n\\u202eb\\ud800"
