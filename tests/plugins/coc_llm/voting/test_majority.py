"""First to lead by k: the formulas, beside the walk itself, computed state by state."""

from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_llm.voting.vote import MOST_LEAD, decision_rate, expected_votes, finish_rate, highest_error, least_lead

ERRORS = st.floats(0.001, 0.499)


def walk(error, lead):
    """The probability that the right response leads by k, and the mean number of votes, from the equations."""
    inner = 2 * lead - 1
    matrix, right, one = np.eye(inner), np.zeros(inner), np.ones(inner)
    for place in range(inner):
        if place > 0:
            matrix[place, place - 1] -= error
        if place < inner - 1:
            matrix[place, place + 1] -= 1 - error
    right[-1] = 1 - error
    return np.linalg.solve(matrix, right)[lead - 1], np.linalg.solve(matrix, one)[lead - 1]


@given(ERRORS, st.integers(1, 12))
def test_the_formulas_are_those_of_the_walk(error, lead):
    rate, votes = walk(error, lead)
    assert decision_rate(error, lead) == pytest.approx(rate, rel=1e-6)
    assert expected_votes(error, lead) == pytest.approx(votes, rel=1e-5)


def test_the_ends():
    assert (decision_rate(0, 3), decision_rate(1, 3), decision_rate(0.5, 3)) == (1, 0, 0.5)
    assert expected_votes(0.5, 3) == pytest.approx(walk(0.5, 3)[1]) == pytest.approx(9)
    assert expected_votes(0, 3) == 3
    assert decision_rate(1 - 1e-12, 100) < 1e-300
    assert finish_rate(0.1, 2, 3) == pytest.approx((81 / 82) ** 3)
    assert least_lead(0, 0.999, 10**12) == 1


@given(ERRORS, st.floats(0.5, 0.999999), st.integers(1, 10**9))
def test_the_least_k_is_enough_and_one_less_is_not(error, finish, decisions):
    try:
        lead = least_lead(error, finish, decisions)
    except UsageError:
        assert error > 0.3
        return
    assert finish_rate(error, lead, decisions) >= finish - 1e-6
    assert lead == 1 or finish_rate(error, lead - 1, decisions) < finish + 1e-6


def test_the_largest_k_is_chosen_where_it_is_needed():
    decisions = 1
    while (lead := least_lead(0.4, 0.99, decisions)) < MOST_LEAD:
        decisions += decisions // 5 + 1
    assert lead == MOST_LEAD
    with pytest.raises(UsageError, match="no vote is sure enough"):
        least_lead(0.4, 0.99, 2 * decisions)


@pytest.mark.parametrize("count", [1, 10, 256])
def test_the_highest_error_after_no_error(count):
    assert highest_error(0, count) == pytest.approx(1 - 0.05 ** (1 / count))
    assert highest_error(count, count) == 1
    assert log(1 - highest_error(0, count)) == pytest.approx(log(0.05) / count)


def test_the_highest_error_covers_the_true_one_in_nineteen_of_twenty_samples():
    rng = np.random.default_rng(1)
    wrong = rng.binomial(256, 0.03, 4000)
    covered = np.mean([highest_error(int(each), 256) >= 0.03 for each in wrong])
    assert 0.945 <= covered <= 0.99
