"""Micro-batches: all sequences once, no cut better than those chosen, none too large."""

import itertools

import numpy as np
from hypothesis import given, strategies as st

from coc_transformer.batches import Costs, cut

LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=200).map(sorted)
COSTS = st.builds(Costs, st.integers(0, 100), st.integers(1, 300))


def price(lengths: list[int], slices: list[slice], costs: Costs) -> int:
    return sum((part.stop - part.start) * lengths[part.stop - 1] + costs.overhead for part in slices)


@given(LENGTHS, COSTS)
def test_every_sequence_comes_once_and_no_slice_is_too_large(lengths: list[int], costs: Costs) -> None:
    slices = cut(np.array(lengths, np.int32), costs)
    assert [part.start for part in slices] == [0, *(part.stop for part in slices[:-1])]
    assert slices[-1].stop == len(lengths)
    for part in slices:
        count = part.stop - part.start
        assert count == 1 or count * lengths[part.stop - 1] <= costs.most


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8).map(sorted), COSTS)
def test_no_cuts_cost_less(lengths: list[int], costs: Costs) -> None:
    chosen = price(lengths, cut(np.array(lengths, np.int32), costs), costs)
    places = range(1, len(lengths))
    for inner in itertools.chain.from_iterable(itertools.combinations(places, count) for count in range(len(lengths))):
        ends = [0, *inner, len(lengths)]
        slices = [slice(*pair) for pair in itertools.pairwise(ends)]
        if all(s.stop - s.start == 1 or (s.stop - s.start) * lengths[s.stop - 1] <= costs.most for s in slices):
            assert chosen <= price(lengths, slices, costs)


def test_cuts_are_tried_at_64_positions() -> None:
    slices = cut(np.arange(1, 641, dtype=np.int32), Costs(0, 10_000))
    assert {part.start % 10 for part in slices} == {0}
    assert len(slices) == 64
