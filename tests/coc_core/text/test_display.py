from hypothesis import given, strategies as st

from coc_core.text import counted, duration, escaped, find_unprintable, quoted
from tests.support.for_each import for_each


@given(st.text(), st.integers(10, 60))
def test_a_quoted_text_is_printable_ascii_on_one_line(text, width):
    result = quoted(text, width)
    assert result.isascii()
    assert result.isprintable()
    assert [quoted(each, 6) for each in ("abcdef", "abcdefg")] == ["'abcdef'", "'abcde...'"]


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
    assert escaped("a\x1b[31m\n\u202eb\ud800") == "a\\x1b[31m\n\\u202eb\\ud800"


@for_each(
    ("count", "noun", "text"),
    [
        (0, ["step"], "0 steps"),
        (1, ["step"], "1 step"),
        (1_048_575, ["step"], "1,048,575 steps"),
        (1, ["address", "addresses"], "1 address"),
        (3, ["address", "addresses"], "3 addresses"),
    ],
)
def test_one_form_for_one_and_another_for_many(count, noun, text):
    assert counted(count, *noun) == text


@for_each(
    ("seconds", "text"),
    [
        (0, "0.0 ms"),
        (0.00042, "0.4 ms"),
        (0.00994, "9.9 ms"),
        (0.01, "10 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.00 s"),
        (3.214, "3.21 s"),
        (9.996, "10.0 s"),
        (59.9, "59.9 s"),
        (100.2, "1 min 40 s"),
        (3_725, "62 min 05 s"),
    ],
)
def test_a_time_has_the_unit_that_suits_it(seconds, text):
    assert duration(seconds) == text
