"""What one operation may be off in float32, in whatever order it is computed.

Bounds on sums of products are those of Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 3, which
hold for any order and with fused multiply-add. docs/explanation/certificates.md derives the others.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.assumptions import UNIT
from coc_transformer.rounding import ellipsoid as sets

TINY = 1e-30
"""More than underflow, gradual or to zero, can change in 2^26 inputs or results; to be multiplied by what these are."""

EPS = 1e-5
"""LayerNorm adds it to the variance."""

_SLOPE_ERROR = 1e-9  # of LayerNorm's derivative, computed in float64, times s
_MOST_BEND = 1.2  # the largest second derivative of LayerNorm, times s^2 sqrt(d), is 2 / sqrt(3)


class Errors(NamedTuple):
    """Vectors in float64, (seq, d), and ellipsoids around what float32 makes of them, (seq, d, d)."""

    centre: Tensor
    ellipsoid: Tensor


class Normed(NamedTuple):
    """What LayerNorm makes of `Errors`: the result in float64, (seq, d); its derivative there, (seq, d, d); and
    ellipsoids around all else, what the derivative leaves out and rounding, (seq, d, d).
    """

    centre: Tensor
    slope: Tensor
    own: Tensor


def gamma(operations: int) -> float:
    """Return what so many roundings in a row can change, relative to the sum of absolute values (Higham, lemma 3.1)."""
    return operations * UNIT / (1 - operations * UNIT)


def products(centre: Tensor, extents: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return the rounding of a linear layer, (seq, outputs), whose inputs are at most `extents` away from `centre`."""
    inputs = centre.abs() + extents
    sizes = functional.linear(inputs, weight.abs(), None if bias is None else bias.abs())
    underflow = TINY * (1 + inputs.sum(-1, keepdim=True) + weight.abs().sum(-1))
    return gamma(weight.shape[1] + 1) * sizes * sets.SLACK + underflow


def normed(x: Errors, norm: nn.LayerNorm) -> Normed:
    """LayerNorm with its scale and shift. Where the standard deviation may vanish, the ellipsoids are NaN."""
    scale, shift = norm.weight, norm.bias
    width = x.centre.shape[-1]
    root = math.sqrt(width)
    centred = x.centre - x.centre.mean(-1, keepdim=True)
    deviation = (centred.square().mean(-1, keepdim=True) + EPS).sqrt()
    y = centred / deviation
    slope = (torch.eye(width, dtype=y.dtype) - 1 / width - y[:, :, None] * y[:, None] / width) / deviation[:, None]
    off = sets.reach(x.ellipsoid)[:, None]
    lowest = _positive(deviation - off / root)
    bend = 0.5 * _MOST_BEND * (off / lowest).square() / root
    length = torch.linalg.vector_norm(x.centre, dim=-1, keepdim=True) + off
    variance = gamma(4 * width + 16) * (length / lowest).square() / width
    inverse = torch.where(variance < 0.5, variance + 8 * UNIT, math.nan)  # the error of 1 / s, relative to it
    mean = gamma(width + 2) * length / root
    moved = off / lowest  # the most that a component of y can differ
    each = ((x.centre.abs() + off + length / root) * 4 * UNIT + 2 * mean) / lowest * (1 + 2 * inverse)
    each = scale.abs() * (each + (inverse + _SLOPE_ERROR) * moved) + 4 * UNIT * (
        scale.abs() * (y.abs() + moved) + shift.abs()
    )
    each = each + TINY * (1 + length + scale.abs() * (1 + 1 / lowest))
    own = sets.total(
        [
            sets.around_segment(scale * y * inverse),  # an error of 1 / s changes all components in proportion
            sets.around_box(each),
            sets.around_ball(bend[:, 0], torch.diag(scale)),
        ]
    )
    return Normed(scale * y + shift, scale[:, None] * slope, own)


def finished(centre: Tensor, parts: list[Tensor], own: Tensor) -> Errors:
    """Return the sum of a residual stream and a branch, with errors `parts`; `own` is the branch's last rounding."""
    so_far = sets.total(parts)
    rounding = own + 2 * UNIT * (centre.abs() + sets.extents(so_far) + own) + TINY
    return Errors(centre, sets.total([so_far, sets.around_box(rounding)]))


def _positive(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, math.nan)
