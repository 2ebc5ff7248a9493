"""Hard pairs come again."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from coc_transformer.batches import PrioritisedReplay


def noted(losses: list[float], count: int, seed: int = 0) -> PrioritisedReplay:
    replay = PrioritisedReplay(len(losses), count, seed)
    replay.update(np.arange(len(losses)), torch.tensor(losses))
    return replay


@given(st.lists(st.sampled_from([0.0, 1e-9, 0.01, 3.0]), min_size=1, max_size=30), st.integers(1, 12))
def test_different_pairs_are_drawn_and_none_that_is_easy(losses: list[float], count: int) -> None:
    rows = noted(losses, count).rows(1)
    hard = [row for row, loss in enumerate(losses) if loss >= 0.01]
    assert len(rows) == len(set(rows)) == min(count, len(hard))
    assert set(rows) <= set(hard)


def test_pairs_are_drawn_in_proportion_to_their_hardness() -> None:
    replay = noted([1.0, 2.0, 5.0], 1)
    counts = Counter(int(row) for step in range(4_000) for row in replay.rows(step))
    for row, expected in enumerate((500, 1_000, 2_500)):
        assert abs(counts[row] - expected) < 5 * expected**0.5


def test_what_is_stored_is_what_is_drawn_from() -> None:
    replay, later = noted([1.0, 0.0, 3.0], 2), PrioritisedReplay(3, 2, 0)
    for name, tensor in later.tensors().items():
        tensor.copy_(replay.tensors()[name])
    assert (later.rows(7) == replay.rows(7)).all()
    assert PrioritisedReplay(3, 0, 0).tensors() == {}


def test_what_a_seed_draws_never_changes() -> None:
    replay = noted([0.0, 1.0, 2.0, 3.0, 1e-6, 2e-6, 5.0, 1.0], 3, seed=3)
    assert [replay.rows(step).tolist() for step in (1, 2, 3)] == [[2, 6, 7], [3, 6, 2], [2, 3, 7]]


def test_a_priority_is_a_hundredth_smaller_after_a_step() -> None:
    replay = noted([1.0, 50.0], 1)
    replay.decay()
    assert replay.priorities.tolist() == pytest.approx([0.99, 49.5])
    assert replay.tensors()["replay_priorities"].tolist() == pytest.approx([0.99, 49.5])


def test_pairs_of_a_priority_of_a_millionth_or_less_are_not_drawn() -> None:
    assert set(noted([0.99e-6, 1.01e-6, 2.0], 9).rows(1)) == {1, 2}
    assert set(noted([1e-6, 2.0], 9).rows(1)) == {1}
