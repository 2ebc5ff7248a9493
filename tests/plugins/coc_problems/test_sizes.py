import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.text import format_sizes
from coc_problems import MOST_SIZES, parse_sizes
from tests.support.for_each import for_each


@for_each(
    ("text", "sizes"),
    [
        ("8", (8,)),
        ("0", (0,)),
        ("1-4", (1, 2, 3, 4)),
        ("5-5", (5,)),
        ("1-3,5", (1, 2, 3, 5)),
        ("9,2-4,3,1", (1, 2, 3, 4, 9)),
    ],
)
def test_sizes_are_numbers_and_ranges_between_commas(text, sizes):
    assert parse_sizes(text) == sizes


NO_SIZES = ["", "-", "1-", "-3", "1-2-3", "a", "1..3", " 1", "1, 2", "1,", ",1", "٣", "1_0", "01", "1-03", "+1", "1\n"]


@for_each("text", [*NO_SIZES, "1" * 19, "1," * 3_000 + "1"])
def test_what_is_no_list_of_sizes_is_refused(text):
    with pytest.raises(UsageError, match="is not a list of sizes; write it like 8, 1-20 or 1-3,5"):
        parse_sizes(text)


def test_an_empty_range_is_named():
    with pytest.raises(UsageError, match="the range of sizes '3-1' is empty"):
        parse_sizes("1,3-1")


@pytest.mark.parametrize("text", ["1-999999999", f"1-{MOST_SIZES + 1}", f"1-{MOST_SIZES},0"])
def test_there_can_be_too_many(text):
    with pytest.raises(UsageError, match=f"names more than {MOST_SIZES:,} sizes; choose fewer"):
        parse_sizes(text)


@given(st.sets(st.integers(0, 60), min_size=1))
def test_what_is_written_is_read(sizes):
    text = format_sizes(sizes)
    assert parse_sizes(text) == tuple(sorted(sizes))
    assert len(text) <= len(",".join(map(str, sizes)))
