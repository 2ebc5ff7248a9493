"""Lists of numbered things, and of anything."""

import re

import pytest
from hypothesis import given, strategies as st

from coc_core.text import Codec, check_permutation, item_codec, list_codec, list_of
from tests.support.for_each import for_each

CARD = item_codec("C", "card")
CARDS = list_codec("C", "card")
LISTS = list_of(list_of(Codec(str), "word"), "list")


@given(st.lists(st.integers(0, 10**19 - 1)).map(tuple))
def test_lists_round_trip(numbers):
    assert CARDS.parse(CARDS.format(numbers)) == numbers


@for_each(
    ("codec", "text", "items"),
    [
        (CARD, "C3", 3),
        (CARDS, "[]", ()),
        (CARDS, "[C1]", (1,)),
        (CARDS, "[C1, C20]", (1, 20)),
        (LISTS, "[]", ()),
        (LISTS, "[[]]", ((),)),
        (LISTS, "[[a]]", (("a",),)),
        (LISTS, "[[a, b c], [], [d]]", (("a", "b c"), (), ("d",))),
        (LISTS, "[[[a, b]]]", (("[a, b]",),)),
        (LISTS, "[[a],[b]]", (("a],[b",),)),
    ],
)
def test_lists_are_read_as_they_are_written(codec, text, items):
    assert codec.parse(text) == items
    assert codec.format(items) == text


@for_each(
    ("codec", "text", "reason"),
    [
        (CARDS, "C1", "'C1' is not a list of cards"),
        (CARDS, "[C1", "'[C1' is not a list of cards"),
        (CARDS, "C1]", "is not a list of cards"),
        (CARDS, "", "'' is not a list of cards"),
        (CARDS, "[D1]", "'D1' is not a card; cards are C1, C2, and so on"),
        (CARDS, "[C1,C2]", "'1,C2' is not a plain decimal number"),
        (CARDS, "[C1, C02]", "'02' is not a plain decimal number"),
        (CARDS, "[C1, ]", "'' is not a card"),
        (CARDS, "[C٣]", "is not a plain decimal number"),
        (CARDS, "[C1]\n", "is not a list of cards"),
        (CARDS, "[C1, C" + 20 * "1" + "]", "is not a plain decimal number"),
        (LISTS, "", "'' is not a list of lists"),
        (LISTS, "[a]", "'a' is not a list of words"),
        (LISTS, "[[a], ]", "'' is not a list of words"),
        (LISTS, "[[a], [b]", "'[b' is not a list of words"),
        (LISTS, "[]]", "']' is not a list of words"),
    ],
)
def test_other_texts_are_refused(codec, text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        codec.parse(text)


@for_each(
    ("start", "goal", "reason"),
    [
        ((1, 1, 2), (1, 2), "C1 appears twice in the start"),
        ((1, 2), (2, 2), "C2 appears twice in the goal"),
        ((1,), (1, 2), "C2 is missing from the start"),
        ((1, 2), (1,), "C2 is missing from the goal"),
        ((), (1,), "C1 is missing from the start"),
        ((1,), (), "C1 is missing from the goal"),
        ((5, 1), (1, 5), "C5 is unknown: 2 of them are C1 to C2"),
        ((0, 1), (1, 0), "C0 is unknown"),
    ],
)
def test_lists_that_do_not_match_are_refused(start, goal, reason):
    with pytest.raises(ValueError, match=reason):
        check_permutation("C", start, goal)


@given(st.permutations(range(1, 8)), st.permutations(range(1, 8)).map(tuple))
def test_permutations_match(start, goal):
    check_permutation("C", iter(start), goal)
    check_permutation("C", (), ())
