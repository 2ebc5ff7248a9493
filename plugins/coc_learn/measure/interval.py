"""The confidence interval of a proportion."""

from math import sqrt

_Z = 1.959963984540054  # the normal distribution's 97.5% quantile


def wilson(successes: int, instances: int) -> tuple[float, float]:
    """Wilson's score interval of a proportion with a confidence of 95%, both ends in [0, 1]; without instances, 0 and
    1. E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), p. 209-212.
    """
    if not instances:
        return 0.0, 1.0
    rate, spread = successes / instances, _Z * _Z / instances
    centre = (rate + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(rate * (1 - rate) / instances + spread / (4 * instances))
    # Where nothing or everything succeeded, an end is exactly 0 or 1, but rounding may miss it.
    return (centre - half if successes else 0.0), (centre + half if successes < instances else 1.0)


def percent(rate: float | None) -> str:
    """Return a rate as a percentage, which reads 100% only if nothing failed; a dash where there is none."""
    if rate is None:
        return "–"
    return "100%" if rate == 1 else f"{min(99.99, 100 * rate):.2f}%"
