"""The two layers of a block, each with its residual connection."""

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from coc_transformer.assumptions import ERF_ERROR, EXP_ERROR, LOG_ERROR, UNIT
from coc_transformer.model import Block
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.rounding.operations import TINY, Errors, Normed, finished, gamma, normed, products
from coc_transformer.sequences import rotated


class AttentionInputs(NamedTuple):
    """What queries and keys know besides the hidden states: what is added to scores, (seq, seq); the
    rotations, (seq, 2 * planes), or None; and what queries are multiplied by, (seq, 1), or None.
    """

    bias: Tensor
    rotations: Tensor | None
    sharpness: Tensor | None


def attention(x: Errors, block: Block, heads: int, inputs: AttentionInputs) -> Errors:
    """Return what attention makes of errors."""
    norm = normed(x, block.norm1)
    linear = sets.mapped(x.ellipsoid, norm.slope)
    width, seq = block.out.weight.shape[1] // heads, len(x.centre)
    weights = block.qkv.weight.view(3, heads, width, -1)
    parts, own_factors = list[Tensor](), torch.zeros(())
    mixes, sizes, underflows, own_slopes = [], [], [], []
    for head, out in enumerate(torch.split(block.out.weight, width, 1)):
        query, key, value = weights[:, head]
        weight, relative = _weights(Errors(norm.centre, sets.total([linear, norm.own])), query, key, inputs)
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


def _weights(x: Errors, query: Tensor, key: Tensor, inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the attention weights, (seq, seq), and how far each can be off relatively, before normalisation."""
    queries, keys = _projected(x, query, inputs.rotations, inputs.sharpness), _projected(x, key, inputs.rotations, None)
    scale, seq, width = 1 / math.sqrt(len(query)), len(x.centre), len(query)
    allowed, scores = inputs.bias > -math.inf, queries.centre @ keys.centre.mT * scale + inputs.bias
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


_MOST_SLOPE, _MOST_BEND = 1.13, 0.8
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
    own = (ERF_ERROR / 2 + 4 * UNIT) * (inner.abs() + moved) + _MOST_BEND / 2 * moved.square() + TINY
    output = block.down(inner * share)
    last = products(inner * share, _MOST_SLOPE * moved + own, down, block.down.bias)
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
