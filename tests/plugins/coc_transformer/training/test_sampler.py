"""Which pairs a step learns from."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from coc_core.models import Pair
from coc_transformer.training import sampler as module
from coc_transformer.training.sampler import BatchSampler, BucketFamily, Curriculum, PrioritisedReplay, bucket_families

EVEN = [Pair("even", "") for _ in range(99)]
ODD = [Pair("odd", "")]


@pytest.fixture
def two_families(monkeypatch):
    """One family with a bucket of 99 pairs and one of a single pair; one with all in one bucket."""
    monkeypatch.setattr(module, "sampling_buckets", lambda pair, binary: (pair.prompt, "all"))
    return bucket_families([EVEN + ODD])


@given(st.integers(1, 40), st.integers(1, 50), st.integers(0, 9))
def test_every_pass_sees_every_pair_once(pairs, batch, seed):
    sampler = BatchSampler(pairs, batch, 0.0, seed)
    seen = np.concatenate([sampler.rows(step) for step in range(1, 3 * pairs // batch + 2)])
    for start in range(0, len(seen) - pairs + 1, pairs):
        assert sorted(seen[start : start + pairs]) == list(range(pairs))


@given(st.integers(1, 40), st.integers(1, 30), st.floats(0, 1), st.integers(0, 9))
def test_a_step_does_not_depend_on_those_before(pairs, batch, share, seed):
    family = BucketFamily(np.arange(pairs, dtype=np.int32), np.array([0, pairs]))
    one, other = (BatchSampler(pairs, batch, share, seed, [family]) for _ in range(2))
    for step in range(1, 9):
        other.rows(step)
    for step in (3, 1, 7):
        rows = one.rows(step)
        assert len(rows) == batch
        assert (rows == other.rows(step)).all()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_the_share_is_right_over_many_steps_even_of_small_batches(share, two_families):
    sampler = BatchSampler(100, 3, share, 0, two_families)
    counts = Counter(int(row) for step in range(1, 1_001) for row in sampler.rows(step))
    # The single odd pair is a bucket, one of two, in one of two families, and one pair of the other and of the passes.
    expected = 3_000 * (share * (1 / 4 + 1 / 200) + (1 - share) / 100)
    assert abs(counts[99] - expected) < 5 * expected**0.5 + 1


def test_a_stratum_is_drawn_as_often_as_any_other_and_its_pairs_alike(two_families):
    by_name, by_all = two_families
    rng = np.random.default_rng(0)
    drawn = Counter(by_name.draw(20_000, rng).tolist())
    assert abs(drawn[99] - 10_000) < 500
    assert max(drawn[row] for row in range(99)) < 200
    assert abs(Counter(by_all.draw(20_000, rng).tolist())[99] - 200) < 80


def test_two_dialects_have_no_bucket_in_common(monkeypatch):
    monkeypatch.setattr(module, "sampling_buckets", lambda pair, binary: (pair.prompt,))
    (family,) = bucket_families([EVEN, EVEN[:1] + ODD])
    assert np.diff(family.starts).tolist() == [99, 1, 1]
    assert sorted(family.rows) == list(range(101))


def test_buckets_follow_the_digits_of_the_tokens():
    """In decimal digits none of these additions carries; in binary ones they do over five digits, one, two and one."""
    pairs = [Pair(f"NEXT_ID={number}", f"NEXT_ID={number + 1}") for number in (31, 33, 35, 37)]
    decimal, binary = (bucket_families([pairs], binary=binary)[2] for binary in (False, True))
    assert [len(family.starts) - 1 for family in (decimal, binary)] == [1, 4]


def test_what_a_seed_draws_never_changes():
    """A training that names a seed must always learn from the same pairs."""
    buckets = BucketFamily(np.array([4, 0, 2, 1, 3, 5], np.int32), np.array([0, 1, 3, 6]))
    families = [buckets, BucketFamily(np.arange(6, dtype=np.int32), np.array([0, 6]))]
    sampler = BatchSampler(6, 5, 0.5, 3, families)
    expected = {1: [2, 5, 4, 5, 3], 2: [1, 3, 1, 5, 1], 3: [0, 3, 1, 4, 5], 9: [5, 2, 3, 2, 0]}
    assert {step: sampler.rows(step).tolist() for step in expected} == expected
    passes = BatchSampler(6, 4, 0.0, 3)
    assert [passes.rows(step).tolist() for step in (1, 2, 3)] == [[2, 5, 4, 1], [3, 0, 3, 1], [4, 0, 2, 5]]


LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=60).map(lambda lengths: np.array(lengths, np.int32))


@given(LENGTHS, st.floats(1, 50), st.data())
def test_a_pair_is_replaced_by_one_that_is_not_longer_and_always_the_same(lengths, steps, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=20)), np.int64)
    step = data.draw(st.integers(1, 60))
    one, other = (Curriculum.of(lengths, steps).rows(rows, step) for _ in range(2))
    assert len(one) == len(rows)
    assert (one == other).all()
    assert (lengths[one] <= lengths[rows]).all()


@given(LENGTHS, st.just(0.0) | st.floats(0.01, 50))
def test_more_and_more_are_used_and_in_the_end_none_is_replaced(lengths, steps):
    curriculum, everything = Curriculum.of(lengths, steps), np.arange(len(lengths))
    reached = [curriculum.reached(step) for step in range(1, 60)]
    assert reached == sorted(reached)
    assert 0 < reached[0] <= 1 == reached[-1]
    for step in range(max(1, int(steps) + 1), 60):
        assert (curriculum.rows(everything, step) == everything).all()


def test_the_first_step_draws_from_four_hundredths_and_the_fraction_grows_with_the_square():
    curriculum = Curriculum.of(np.array([5, 3, 9, 1, 7, 2, 8, 4, 6, 10], np.int32), 10)
    assert [curriculum.reached(step) for step in (1, 5, 9, 10, 11)] == pytest.approx([0.05, 0.29, 0.85, 1, 1])
    assert curriculum.rows(np.arange(10), 5).tolist() == [5, 3, 1, 3, 5, 3, 1, 3, 5, 1]
    assert curriculum.rows(np.arange(10), 9).tolist() == [7, 5, 4, 3, 8, 3, 8, 1, 0, 6]
    assert curriculum.rows(np.arange(10), 10).tolist() == list(range(10))
    assert Curriculum.of(np.array([1, 2], np.int32), 1.0).reached(1) == 1


def test_among_many_pairs_of_one_length_the_order_stays_too():
    lengths = np.array([2, 1] * 300, np.int32)
    assert Curriculum.of(lengths, 9).order.tolist() == [*range(1, 600, 2), *range(0, 600, 2)]


def noted(losses, count, seed=0):
    replay = PrioritisedReplay(len(losses), count, seed)
    replay.update(np.arange(len(losses)), torch.tensor(losses))
    return replay


@given(st.lists(st.sampled_from([0.0, 1e-9, 0.01, 3.0]), min_size=1, max_size=30), st.integers(1, 12))
def test_different_pairs_are_drawn_and_none_that_is_easy(losses, count):
    rows = noted(losses, count).rows(1)
    hard = [row for row, loss in enumerate(losses) if loss >= 0.01]
    assert len(rows) == len(set(rows)) == min(count, len(hard))
    assert set(rows) <= set(hard)


def test_pairs_are_drawn_in_proportion_to_their_hardness():
    replay = noted([1.0, 2.0, 5.0], 1)
    counts = Counter(int(row) for step in range(4_000) for row in replay.rows(step))
    for row, expected in enumerate((500, 1_000, 2_500)):
        assert abs(counts[row] - expected) < 5 * expected**0.5


def test_which_pairs_a_seed_draws_again_never_changes():
    replay = noted([0.0, 1.0, 2.0, 3.0, 1e-6, 2.1e-6, 5.0, 1.0], 3, seed=3)
    assert [replay.rows(step).tolist() for step in (1, 2, 3)] == [[2, 6, 7], [3, 6, 2], [2, 3, 7]]


def test_a_priority_is_a_hundredth_smaller_after_a_step():
    replay = noted([1.0, 50.0], 1)
    assert replay.priorities.tolist() == pytest.approx([0.99, 49.5])
    assert replay.tensors()["replay_priorities"].tolist() == pytest.approx([0.99, 49.5])


def test_pairs_of_a_priority_of_a_millionth_or_less_are_not_drawn():
    assert set(noted([1.005e-6, 1.015e-6, 2.0], 9).rows(1)) == {1, 2}
