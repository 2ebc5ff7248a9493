from hypothesis import given, settings, strategies as st

from coc_cells.persistent import PersistentList

changes = st.lists(st.tuples(st.integers(0, 1 << 16), st.text("ab", max_size=3)), max_size=80)


@settings(deadline=None)
@given(st.sampled_from([0, 1, 31, 32, 33, 1023, 1024, 1025]), changes)
def test_it_does_what_a_list_does_and_no_older_copy_changes(size, changes):
    items, texts = PersistentList(), []
    for index in range(size):
        items = items.replaced(index, str(index))
        texts.append(str(index))
    copies = [(items, list(texts))]
    for index, text in changes:
        index %= items.size + 1
        items = items.replaced(index, text)
        texts[index : index + 1] = [text]
        copies.append((items, list(texts)))
    for older, then in copies:
        assert (older.size, list(older)) == (len(then), then)
        assert [older[index] for index in range(older.size)] == then


def test_a_changed_copy_shares_the_other_nodes():
    items = PersistentList()
    for index in range(2000):
        items = items.replaced(index, "a")
    other = items.replaced(1500, "b")
    assert sum(one is not two for one, two in zip(items.root, other.root, strict=True)) == 1
    assert items != other
    assert items == other.replaced(1500, "a")
