"""What one operation, and each layer of a block, may be off in float32, in whatever order it is computed.

Bounds on sums of products are those of Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 3, which
hold for any order and with fused multiply-add. docs/explanation/certificates.md derives the others.
"""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.assumptions import ERF_ERROR, EXP_ERROR, LOG_ERROR, UNIT
from coc_transformer.model import Block, View
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.sequences import rotated

TINY = 1e-30
"""More than underflow, gradual or to zero, can change in 2^26 inputs or results; to be multiplied by what these are."""

EPS = 1e-5
"""LayerNorm adds it to the variance."""

_SLOPE_ERROR = 1e-9  # of LayerNorm's derivative, computed in float64, times s
_NORM_BEND = 1.2  # the largest second derivative of LayerNorm, times s^2 sqrt(d), is 2 / sqrt(3)


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
    bend = 0.5 * _NORM_BEND * (off / lowest).square() / root
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


def attention(x: Errors, block: Block, heads: int, view: View) -> Errors:
    """Return what attention makes of errors, given the `view` of one sequence, without the axes of batch and heads."""
    norm = normed(x, block.norm1)
    linear = sets.mapped(x.ellipsoid, norm.slope)
    width, seq = block.out.weight.shape[1] // heads, len(x.centre)
    weights = block.qkv.weight.view(3, heads, width, -1)
    parts, own_factors = list[Tensor](), torch.zeros(())
    mixes, sizes, underflows, own_slopes = [], [], [], []
    for head, out in enumerate(torch.split(block.out.weight, width, 1)):
        query, key, value = weights[:, head]
        weight, relative = _weights(Errors(norm.centre, sets.total([linear, norm.own])), query, key, view)
        share = weight * relative
        rest = 1 - share.sum(-1, keepdim=True)
        rest = torch.where(rest > 0, rest, math.nan)
        most = weight * (1 + relative) / rest  # the largest that each weight can be
        values = functional.linear(norm.centre, value)
        extents = _extents(linear, norm, value)
        mix = weight @ values
        parts.append(sets.around_segments((share / rest)[..., None] * ((values - mix[:, None]) @ out.mT)))
        through, factors = out @ value, torch.linalg.matrix_norm(out) * torch.linalg.matrix_norm(value)
        own = sets.total([sets.mapped(norm.own, through, factors), sets.around_box(extents.rounding, out)])
        others = torch.where(torch.eye(seq) > 0, most - weight, most)
        parts.append(sets.weighted(others, sets.mapped(linear, through, factors)))
        parts.append(sets.weighted(most, own))
        own_slopes.append(weight.diagonal()[:, None, None] * through)
        own_factors = own_factors + factors
        mixes.append(mix)
        largest_values = values.abs() + extents.moved
        sizes.append(most @ largest_values)
        underflows.append(TINY * (1 + largest_values.sum(0)))  # a weight may vanish
    jacobian = torch.eye(x.centre.shape[1], dtype=x.centre.dtype) + sum(own_slopes) @ norm.slope
    mixed, largest, rounding = torch.cat(mixes, -1), torch.cat(sizes, -1), gamma(2 * seq + 8)
    parts.append(sets.mapped(x.ellipsoid, jacobian, own_factors * torch.linalg.matrix_norm(norm.slope)))
    parts.append(sets.around_box(rounding * largest + torch.cat(underflows), block.out.weight))
    last = products(largest * (1 + rounding), torch.zeros_like(largest), block.out.weight)
    return finished(x.centre + block.out(mixed), parts, last)


class _Values(NamedTuple):
    """How far the values can be off, (seq, head_width): by the rounding of their layer, and altogether."""

    rounding: Tensor
    moved: Tensor


def _extents(linear: Tensor, norm: Normed, value: Tensor) -> _Values:
    rounding = products(norm.centre, sets.extents(linear) + sets.extents(norm.own), value)
    return _Values(rounding, sets.extents(linear, value) + sets.extents(norm.own, value) + rounding)


def _weights(x: Errors, query: Tensor, key: Tensor, view: View) -> tuple[Tensor, Tensor]:
    """Return the attention weights, (seq, seq), and how far each can be off relatively, before normalisation."""
    queries, keys = _projected(x, query, view.rotations, view.sharpness), _projected(x, key, view.rotations, None)
    scale, seq, width = 1 / math.sqrt(len(query)), len(x.centre), len(query)
    bias: Any = view.bias
    allowed, scores = bias > -math.inf, queries.centre @ keys.centre.mT * scale + bias
    by_query, by_key = sets.extents(queries.ellipsoid, keys.centre), sets.extents(keys.ellipsoid, queries.centre).mT
    off_query, off_key = sets.reach(queries.ellipsoid), sets.reach(keys.ellipsoid)
    both = off_query[:, None] * off_key
    lengths = (_length(queries) + off_query)[:, None], _length(keys) + off_key
    longest, underflow = lengths[0] * lengths[1], TINY * (1 + lengths[0] + lengths[1])
    off = scale * (by_query + by_key + both + gamma(width + 6) * longest + underflow) * sets.SLACK
    joined = 3 * LOG_ERROR * (scale * longest.amax(-1, keepdim=True) + math.log(seq))  # parts, by log-sum-exp
    off = torch.where(allowed, off + joined, 0.0)
    below = torch.where(allowed, scores.amax(-1, keepdim=True) - scores, 0.0) + 2 * off.amax(-1, keepdim=True)
    relative = torch.expm1(off + 4 * UNIT * below + seq * (EXP_ERROR + 4 * UNIT))
    return scores.softmax(-1), torch.where(allowed, relative, 0.0)


def _projected(x: Errors, weight: Tensor, rotations: Tensor | None, sharpness: Tensor | None) -> Errors:
    """Queries or keys of one head."""
    y = functional.linear(x.centre, weight)
    own = products(x.centre, sets.extents(x.ellipsoid), weight)
    if rotations is None:
        ellipsoid = sets.total([sets.mapped(x.ellipsoid, weight), sets.around_box(own)])
    else:
        y, turned = (
            rotated(y, rotations, torch.cat),
            rotated(weight.mT.expand(len(y), -1, -1), rotations[:, None], torch.cat).mT,
        )
        factors = 2 * torch.linalg.matrix_norm(weight)
        identity = torch.eye(len(weight), dtype=y.dtype)
        ellipsoid = sets.total(
            [
                sets.mapped(x.ellipsoid, turned, factors),
                sets.around_ball(torch.linalg.vector_norm(own, dim=-1), identity),
            ]
        )
        length = torch.linalg.vector_norm(y, dim=-1) + sets.reach(ellipsoid)
        ellipsoid = sets.total([ellipsoid, sets.around_ball(8 * UNIT * length, identity)])
    if sharpness is not None:
        y, ellipsoid = y * sharpness, ellipsoid * sharpness[..., None].square()
        ellipsoid = sets.total([ellipsoid, sets.around_box(8 * UNIT * (y.abs() + sets.extents(ellipsoid)) + TINY)])
    return Errors(y, ellipsoid)


def _length(x: Errors) -> Tensor:
    length: Tensor = torch.linalg.vector_norm(x.centre, dim=-1)
    return length


_GELU_SLOPE, _GELU_BEND = 1.13, 0.8
"""GELU's first derivative is at most 1.1290, and its second one sqrt(2 / pi) = 0.7979."""


def feed_forward(x: Errors, block: Block) -> Errors:
    """Return what the feed-forward layer makes of errors."""
    norm = normed(x, block.norm2)
    up, down = block.up.weight, block.down.weight
    linear = sets.mapped(x.ellipsoid, norm.slope)
    inner = block.up(norm.centre)
    rounding = products(norm.centre, sets.extents(linear) + sets.extents(norm.own), up, block.up.bias)
    moved = sets.extents(linear, up) + sets.extents(norm.own, up) + rounding
    share = 0.5 * (1 + torch.erf(inner / math.sqrt(2)))
    slope = share + inner * torch.exp(-inner.square() / 2) / math.sqrt(2 * math.pi)
    own = (ERF_ERROR / 2 + 4 * UNIT) * (inner.abs() + moved) + _GELU_BEND / 2 * moved.square() + TINY
    output = block.down(inner * share)
    last = products(inner * share, _GELU_SLOPE * moved + own, down, block.down.bias)
    weighted = down * slope[:, None, :]
    through = weighted @ up
    factors = torch.linalg.matrix_norm(weighted) * torch.linalg.matrix_norm(up)
    jacobian = torch.eye(x.centre.shape[1], dtype=x.centre.dtype) + through @ norm.slope
    parts = [
        sets.mapped(x.ellipsoid, jacobian, factors * torch.linalg.matrix_norm(norm.slope)),
        sets.mapped(norm.own, through, factors),
        sets.around_box(slope.abs() * rounding + own, down),
    ]
    return finished(x.centre + output, parts, last)
