"""Names of things in a text: finding them, and letting them change places."""

from hypothesis import given, strategies as st

from coc_core.text import names_in, number_names, rename
from coc_programs.heap.convention import name_pattern
from tests.support.for_each import for_each


@for_each(
    ("text", "letters", "names"),
    [
        ("CALL start=[B1, B22] & goal=[B22, B1]", {"B"}, {"B1", "B22"}),
        ("B1 P2 Peg3", {"B", "Peg"}, {"B1", "Peg3"}),
        ("n=12 BB1 xB1 B 1", {"B"}, set()),
        ("B01B2", {"B"}, {"B01"}),
        ("", {"B"}, set()),
        ("B1", set(), set()),
    ],
)
def test_names_are_letters_and_a_number(text, letters, names):
    assert names_in(text, letters) == {found[0] for found in name_pattern(letters).finditer(text)} == names


def test_names_change_places_at_once():
    assert rename("[B1, B2, B12] B1", {"B1": "B2", "B2": "B1"}) == "[B2, B1, B12] B2"


@given(st.permutations(range(1, 8)), st.lists(st.sampled_from(["B1", "B3", "B7", "n=3", "P2", ", "])))
def test_a_permutation_can_be_taken_back(places, pieces):
    text = " ".join(pieces)
    there = {f"B{number}": f"B{place}" for number, place in enumerate(places, 1)}
    back = {place: number for number, place in there.items()}
    assert rename(rename(text, there), back) == text
    assert len(names_in(rename(text, there), {"B"})) == len(names_in(text, {"B"}))


def test_names_are_numbered_in_order_each_occurrence_anew():
    text, meant = number_names("[B7, B2] & n=3 B7 P2", {"B"})
    assert text == "[B1, B2] & n=3 B3 P2"
    assert meant == {"B1": "B7", "B2": "B2", "B3": "B7"}
    assert number_names("n=3 P2", {"B"}) == ("n=3 P2", {})


@given(st.lists(st.sampled_from(["B1", "B3", "C7", "n=3", "P2", ", "])))
def test_numbering_can_be_taken_back(pieces):
    text = " ".join(pieces)
    numbered, meant = number_names(text, {"B", "C"})
    assert rename(numbered, meant) == text
    assert len(meant) == sum(piece[0] in "BC" for piece in pieces)
