"""Rows are read in batches of similar lengths."""

from itertools import chain, pairwise

from hypothesis import given, strategies as st

from coc_transformer.files import length_batches


@given(st.lists(st.integers(0, 60), max_size=25), st.sampled_from([0, 1, 20, 100, 1_000, 99.5]))
def test_batches_are_as_large_as_they_may_be(lengths, most):
    """Each has the shortest rows that are left, up to the first that would cost too much, or too much padding."""
    batches = list(length_batches(lengths, most))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    rows = [[lengths[index] for index in batch] for batch in batches]
    assert list(chain.from_iterable(rows)) == sorted(lengths)

    def fits(batch):
        return batch[-1] * len(batch) <= most and batch[-1] <= 8 + 1.1 * batch[0]

    assert all(len(batch) == 1 or fits(batch) for batch in rows)
    for batch, following in pairwise(rows):
        assert not fits([*batch, following[0]])
