"""What one operation may be off in float32, in whatever order it is computed: what the bounds on rounding assume."""

from collections.abc import Mapping

UNIT = 2.0**-24 * (1 + 2.0**-20)
"""The unit roundoff of float32, with that of float64 on top of it, since centres are computed in float64."""

EXP_ERROR = 32 * UNIT
"""What the exponential function of a library may be off, relative to its value."""

ERF_ERROR = 16 * UNIT
"""What the error function of a library may be off."""

LOG_ERROR = 4 * UNIT
"""What the logarithm of a library may be off, relative to its value."""


def float32_assumptions() -> Mapping[str, str]:
    """Return what the bounds assume of the arithmetic, for people."""
    return {
        "arithmetic": "IEEE 754 float32, rounded to nearest, with gradual underflow or flush to zero",
        "sums": "sums of products in any order, fused or not; no TF32, no bfloat16, no Strassen",
        "unit": repr(UNIT),
        "exp": f"relative error at most {EXP_ERROR!r}",
        "erf": f"absolute error at most {ERF_ERROR!r}",
        "log": f"relative error at most {LOG_ERROR!r}",
        "layer norm": "the mean and the variance as sums in any order, in one pass or two",
        "softmax": "of scores minus the largest so far; parts are joined by these, or by the logarithms of their sums",
        "batches": "what a mask excludes, and other rows, add nothing",
    }
