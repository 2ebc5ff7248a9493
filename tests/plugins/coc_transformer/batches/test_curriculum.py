"""Short pairs first."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from coc_learn.trainer import TrainingJob
from coc_transformer.batches import Curriculum

Job = Callable[..., TrainingJob]

LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=60).map(lambda lengths: np.array(lengths, np.int32))


@given(LENGTHS, st.floats(1, 50), st.data())
def test_a_pair_is_replaced_by_one_that_is_not_longer_and_always_the_same(
    lengths: np.ndarray, steps: float, data: st.DataObject
) -> None:
    rows = np.array(data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=20)), np.int64)
    step = data.draw(st.integers(1, 60))
    one, other = (Curriculum.of(lengths, steps).rows(rows, step) for _ in range(2))
    assert len(one) == len(rows)
    assert (one == other).all()
    assert (lengths[one] <= lengths[rows]).all()


@given(LENGTHS, st.just(0.0) | st.floats(0.01, 50))
def test_more_and_more_are_used_and_in_the_end_none_is_replaced(lengths: np.ndarray, steps: float) -> None:
    curriculum, everything = Curriculum.of(lengths, steps), np.arange(len(lengths))
    reached = [curriculum.reached(step) for step in range(1, 60)]
    assert reached == sorted(reached)
    assert 0 < reached[0] <= 1 == reached[-1]
    for step in range(max(1, int(steps) + 1), 60):
        assert (curriculum.rows(everything, step) == everything).all()


def test_the_first_step_draws_from_four_hundredths_and_the_fraction_grows_with_the_square() -> None:
    curriculum = Curriculum.of(np.array([5, 3, 9, 1, 7, 2, 8, 4, 6, 10], np.int32), 10)
    assert [curriculum.reached(step) for step in (1, 5, 9, 10, 11)] == pytest.approx([0.05, 0.29, 0.85, 1, 1])
    assert curriculum.rows(np.arange(10), 5).tolist() == [5, 3, 1, 3, 5, 3, 1, 3, 5, 1]
    assert curriculum.rows(np.arange(10), 9).tolist() == [7, 5, 4, 3, 8, 3, 8, 1, 0, 6]
    assert curriculum.rows(np.arange(10), 10).tolist() == list(range(10))
    assert Curriculum.of(np.array([1, 2], np.int32), 1.0).reached(1) == 1


def test_among_many_pairs_of_one_length_the_order_stays_too() -> None:
    lengths = np.array([2, 1] * 300, np.int32)
    assert Curriculum.of(lengths, 9).order.tolist() == [*range(1, 600, 2), *range(0, 600, 2)]
