import pytest
from hypothesis import given, strategies as st

from coc_learn.measure.interval import percent, wilson


# Agresti and Coull, The American Statistician 52 (1998); R's prop.test(..., correct = FALSE) gives the same.
@pytest.mark.parametrize(
    ("successes", "instances", "low", "high"),
    [(50, 50, 0.928652, 1.0), (0, 10, 0.0, 0.277533), (5, 10, 0.236593, 0.763407), (9, 10, 0.595850, 0.982124)],
)
def test_wilsons_interval(successes, instances, low, high):
    assert wilson(successes, instances) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(0, 500), st.integers(1, 500))
def test_the_interval_holds_the_rate(successes, instances):
    successes = min(successes, instances)
    low, high = wilson(successes, instances)
    assert 0 <= low <= successes / instances <= high <= 1
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (successes == instances)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_rate_reads_in_percent_and_100_only_if_nothing_failed():
    assert list(map(percent, (1.0, 1 - 1e-9, 1 / 3, None))) == ["100%", "99.99%", "33.33%", "–"]
