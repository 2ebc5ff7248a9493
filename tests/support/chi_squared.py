"""Pearson's chi-squared statistic, and what it may be."""

from math import sqrt


def chi_squared(counts):
    """The statistic of `counts` against a uniform distribution over all of them."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def critical(categories, z=3.090):
    """The value that it exceeds with probability 0.001 (z is that quantile of the normal distribution).

    Wilson and Hilferty's approximation, PNAS 17 (1931), p. 684-688, for `categories - 1` degrees of freedom.
    """
    freedom = categories - 1
    return freedom * (1 - 2 / (9 * freedom) + z * sqrt(2 / (9 * freedom))) ** 3
