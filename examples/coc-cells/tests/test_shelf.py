from hypothesis import given, settings
from hypothesis import strategies as st

from coc_cells.shelf import Shelf

places = st.lists(st.tuples(st.integers(0, 1 << 16), st.text("ab", max_size=3)), max_size=80)


@settings(deadline=None)
@given(st.sampled_from([0, 1, 31, 32, 33, 1023, 1024, 1025]), places)
def test_a_shelf_is_what_a_list_is_and_no_older_one_changes(size, changes):
    shelf, texts = Shelf(), []
    for place in range(size):
        shelf = shelf.placed(place, str(place))
        texts.append(str(place))
    kept = [(shelf, list(texts))]
    for place, text in changes:
        place %= shelf.size + 1
        shelf = shelf.placed(place, text)
        texts[place : place + 1] = [text]
        kept.append((shelf, list(texts)))
    for older, then in kept:
        assert (older.size, list(older)) == (len(then), then)
        assert [older[place] for place in range(older.size)] == then


def test_a_changed_copy_shares_what_stays():
    shelf = Shelf()
    for place in range(2000):
        shelf = shelf.placed(place, "a")
    other = shelf.placed(1500, "b")
    assert sum(one is not two for one, two in zip(shelf.root, other.root, strict=True)) == 1
    assert shelf != other
    assert shelf == other.placed(1500, "a")
