"""LayerNorm, GELU, softmax and rotations, of float32 or float64. In float32 each stays within the assumptions of
`coc_transformer.rounding`, so its bounds hold here, too. Small arrays are multiplied with `dot`, and constants are
arrays without axes, since numpy then takes half the time.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coc_transformer.files import COUNTERS

Array = NDArray[Any]

_ERF = np.frompyfunc(math.erf, 1, 1)
_EPS = 1e-5
_HALF, _MINUS_HALF, _INVERSE_P = (np.array(number, np.float32) for number in (0.5, -0.5, math.sqrt(2) / 0.3275911))
_A = [np.array(a, np.float32) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
"""The coefficients of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, formula 7.1.26."""


@cache
def _mean(width: int, dtype: Any) -> Array:
    """Return what a row is multiplied by for its mean, (D, 1)."""
    return np.full((width, 1), 1 / width, dtype)


def normed(x: Array, norm: tuple[Array, Array]) -> Array:
    """LayerNorm of (N, D), with its scale and shift, (1, D) each."""
    width, rows = x.shape[1], () if len(x) == 1 else (len(x), 1)
    mean = _mean(width, x.dtype)
    centred: Array = x - x.dot(mean).reshape(rows)
    if rows:
        centred /= np.sqrt(np.square(centred).dot(mean) + _EPS)
    else:
        centred /= np.array(math.sqrt(centred.dot(centred.T).item() / width + _EPS), x.dtype)
    centred *= norm[0]
    centred += norm[1]
    return centred


def gelu(u: Array) -> Array:
    """GELU(u) = u P(Z <= u) for a standard normal Z, which is (u + |u| - |u| P(|Z| > |u|)) / 2."""
    if u.dtype == np.float64:
        return u * (0.5 + 0.5 * np.asarray(_ERF(u / math.sqrt(2)), np.float64))
    size = np.abs(u)
    t = size + _INVERSE_P
    np.divide(_INVERSE_P, t, t)
    tail = t * _A[0]
    for coefficient in _A[1:]:
        tail += coefficient
        tail *= t
    tail *= size
    size += u
    square = u * u
    square *= _MINUS_HALF
    tail *= np.exp(square, square)
    size -= tail
    size *= _HALF
    return size


def softmax(scores: Array) -> Array:
    """Return the softmax along the last axis, in the memory of the scores."""
    scores -= np.maximum.reduce(scores, -1, keepdims=True)
    np.exp(scores, scores)
    scores /= np.add.reduce(scores, -1, keepdims=True)
    return scores


def rotation_table(planes: int) -> Array:
    """Do as `coc_transformer.model.positions` does."""
    speeds = np.logspace(0, 1, planes, base=0.04 / 2.0) * 2.0
    angles = np.arange(COUNTERS[1])[:, None] * speeds
    return np.concatenate((np.cos(angles), np.sin(angles)), 1).astype(np.float32)


def rotated(x: Array, rotations: Array) -> Array:
    """Rotate the first components of queries or keys, (..., S, W), by rows of the table, (..., S, 2 planes)."""
    planes = rotations.shape[-1] // 2
    cosines, sines = rotations[..., :planes], rotations[..., planes:]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return np.concatenate((first * cosines - second * sines, first * sines + second * cosines, rest), -1)
