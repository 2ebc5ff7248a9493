"""Which pairs a step learns from."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from coc_core.models import Pair
from coc_transformer.batches import BatchSampler, bucket_families, sampler as module
from coc_transformer.batches.sampler import BucketFamily

EVEN = [Pair("even", "") for _ in range(99)]
ODD = [Pair("odd", "")]


@pytest.fixture
def two_families(monkeypatch: pytest.MonkeyPatch) -> list[BucketFamily]:
    """One family with a bucket of 99 pairs and one of a single pair; one with all in one bucket."""
    monkeypatch.setattr(module, "sampling_buckets", lambda pair, binary: (pair.prompt, "all"))
    return bucket_families([EVEN + ODD])


@given(st.integers(1, 40), st.integers(1, 50), st.integers(0, 9))
def test_every_pass_sees_every_pair_once(pairs: int, batch: int, seed: int) -> None:
    sampler = BatchSampler(pairs, batch, 0.0, seed)
    seen = np.concatenate([sampler.rows(step) for step in range(1, 3 * pairs // batch + 2)])
    for start in range(0, len(seen) - pairs + 1, pairs):
        assert sorted(seen[start : start + pairs]) == list(range(pairs))


@given(st.integers(1, 40), st.integers(1, 30), st.floats(0, 1), st.integers(0, 9))
def test_a_step_does_not_depend_on_those_before(pairs: int, batch: int, share: float, seed: int) -> None:
    family = BucketFamily(np.arange(pairs, dtype=np.int32), np.array([0, pairs]))
    one, other = (BatchSampler(pairs, batch, share, seed, [family]) for _ in range(2))
    for step in range(1, 9):
        other.rows(step)
    for step in (3, 1, 7):
        rows = one.rows(step)
        assert len(rows) == batch
        assert (rows == other.rows(step)).all()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_the_share_is_right_over_many_steps_even_of_small_batches(
    share: float, two_families: list[BucketFamily]
) -> None:
    sampler = BatchSampler(100, 3, share, 0, two_families)
    counts = Counter(int(row) for step in range(1, 1_001) for row in sampler.rows(step))
    # The single odd pair is a bucket, one of two, in one of two families, and one pair of the other and of the passes.
    expected = 3_000 * (share * (1 / 4 + 1 / 200) + (1 - share) / 100)
    assert abs(counts[99] - expected) < 5 * expected**0.5 + 1


def test_a_stratum_is_drawn_as_often_as_any_other_and_its_pairs_alike(two_families: list[BucketFamily]) -> None:
    by_name, by_all = two_families
    rng = np.random.default_rng(0)
    drawn = Counter(by_name.draw(20_000, rng).tolist())
    assert abs(drawn[99] - 10_000) < 500
    assert max(drawn[row] for row in range(99)) < 200
    assert abs(Counter(by_all.draw(20_000, rng).tolist())[99] - 200) < 80


def test_two_dialects_have_no_bucket_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "sampling_buckets", lambda pair, binary: (pair.prompt,))
    (family,) = bucket_families([EVEN, EVEN[:1] + ODD])
    assert np.diff(family.starts).tolist() == [99, 1, 1]
    assert sorted(family.rows) == list(range(101))


def test_buckets_follow_the_digits_of_the_tokens() -> None:
    """In decimal digits none of these additions carries; in binary ones they do over five digits, one, two and one."""
    pairs = [Pair(f"NEXT_ID={number}", f"NEXT_ID={number + 1}") for number in (31, 33, 35, 37)]
    decimal, binary = (bucket_families([pairs], binary=binary)[2] for binary in (False, True))
    assert [len(family.starts) - 1 for family in (decimal, binary)] == [1, 4]


def test_what_a_seed_draws_never_changes() -> None:
    """A training that names a seed must always learn from the same pairs."""
    buckets = BucketFamily(np.array([4, 0, 2, 1, 3, 5], np.int32), np.array([0, 1, 3, 6]))
    families = [buckets, BucketFamily(np.arange(6, dtype=np.int32), np.array([0, 6]))]
    sampler = BatchSampler(6, 5, 0.5, 3, families)
    expected = {1: [2, 5, 4, 5, 3], 2: [1, 3, 1, 5, 1], 3: [0, 3, 1, 4, 5], 9: [5, 2, 3, 2, 0]}
    assert {step: sampler.rows(step).tolist() for step in expected} == expected
    passes = BatchSampler(6, 4, 0.0, 3)
    assert [passes.rows(step).tolist() for step in (1, 2, 3)] == [[2, 5, 4, 1], [3, 0, 3, 1], [4, 0, 2, 5]]
