"""First to lead by k: how likely a vote is right, how many votes it takes, and which k is enough.

A vote is a random walk. Each response that counts is right with probability 1 - e, and the walk ends when one response
leads the next by k. If all wrong responses agree, which is the worst case, this is the gambler's ruin: see Feller, *An
Introduction to Probability Theory and Its Applications*, volume 1, chapter XIV.
"""

from math import ceil, comb, exp, expm1, log, log1p

from coc_core.errors import UsageError

MOST_LEAD = 100
"""The largest k."""

_CONFIDENCE = 0.95
_LARGEST_EXPONENT = 700.0  # of what a float can hold


def decision_rate(error: float, lead: int) -> float:
    """Return the probability that a decision is right, 1 / (1 + (e / (1 - e)) ** k), if a response is wrong with e."""
    if error in (0, 1):
        return 1.0 - error
    return 1 / (1 + exp(min(_LARGEST_EXPONENT, lead * (log(error) - log1p(-error)))))


def finish_rate(error: float, lead: int, decisions: int) -> float:
    """Return the probability that all of so many decisions are right."""
    return decision_rate(error, lead) ** decisions


def expected_votes(error: float, lead: int) -> float:
    """Return the mean number of votes of a decision: k (2P - 1) / (1 - 2e), where P is its `decision_rate` and e the
    probability that a response is wrong, and k² for e = ½.
    """
    drift = 1 - 2 * error
    return lead**2 if abs(drift) < 1e-9 else lead * (2 * decision_rate(error, lead) - 1) / drift


def least_lead(error: float, finish: float, decisions: int) -> int:
    """Return the smallest k for which that many decisions are all right with the probability `finish`, below 1;
    UsageError if `error`, the probability that a response is wrong, is too large for any k up to `MOST_LEAD`.
    """
    if error == 0:
        return 1
    if error < 0.5:
        odds = expm1(-log(finish) / decisions)  # of a wrong decision to a right one, finish ** (-1 / decisions) - 1
        lead = max(1, ceil(log(odds) / (log(error) - log1p(-error)) - 1e-9))
        if lead <= MOST_LEAD:
            return lead
    raise UsageError(
        f"responses may be wrong at a rate of {error:.3f}, so no vote is sure enough",
        remedy="choose another model, or state k yourself: --executor vote:k=5",
    )


def highest_error(wrong: int, count: int) -> float:
    """Return the upper end of a one-sided 95% confidence interval for an error rate (Clopper and Pearson, 1934)."""
    if wrong >= count:
        return 1.0
    low, high = wrong / count, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        fewer = sum(comb(count, each) * middle**each * (1 - middle) ** (count - each) for each in range(wrong + 1))
        low, high = (middle, high) if fewer > 1 - _CONFIDENCE else (low, middle)
    return high
