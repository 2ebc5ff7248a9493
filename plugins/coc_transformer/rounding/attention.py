"""Attention, with its residual connection."""

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from coc_transformer.model import Layer, rotated
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.rounding.operations import (
    EXP_ERROR,
    TINY,
    UNIT,
    Errors,
    Normed,
    finished,
    gamma,
    normed,
    products,
)


class Sight(NamedTuple):
    """What queries and keys know besides the hidden states.

    Attributes:
        allowed: Which keys each query attends to, (seq, seq) of bool.
        rotations: Those of queries and keys, (seq, 2 * planes); None without rotary positions.
        sharpness: What queries are multiplied by, (seq, 1); None if they are not.
    """

    allowed: Tensor
    rotations: Tensor | None
    sharpness: Tensor | None


def attention(x: Errors, layer: Layer, heads: int, sight: Sight) -> Errors:
    """What attention makes of errors."""
    norm = normed(x, layer.norm1)
    linear = sets.mapped(x.ellipsoid, norm.slope)
    width, seq = layer.out.shape[1] // heads, len(x.centre)
    weights = layer.qkv.view(3, heads, width, -1)
    parts: list[Tensor] = []
    mixes, sizes, own_slopes = [], [], []
    for head, out in enumerate(torch.split(layer.out, width, 1)):
        query, key, value = weights[:, head]
        weight, relative = _weights(Errors(norm.centre, sets.total([linear, norm.own])), query, key, sight)
        share = weight * relative
        rest = 1 - share.sum(-1, keepdim=True)
        rest = torch.where(rest > 0, rest, math.nan)
        most = weight * (1 + relative) / rest  # the largest that each weight can be
        values = functional.linear(norm.centre, value)
        extents = _extents(linear, norm, value)
        mix = weight @ values
        parts.append(sets.around_segments((share / rest)[..., None] * ((values - mix[:, None]) @ out.mT)))
        through = out @ value
        own = sets.total([sets.mapped(norm.own, through), sets.around_box(extents.rounding, out)])
        parts.append(sets.weighted(torch.where(torch.eye(seq) > 0, most - weight, most), sets.mapped(linear, through)))
        parts.append(sets.weighted(most, own))
        own_slopes.append(weight.diagonal()[:, None, None] * through)
        mixes.append(mix)
        sizes.append(most @ (values.abs() + extents.moved))
    jacobian = torch.eye(x.centre.shape[1], dtype=x.centre.dtype) + sum(own_slopes) @ norm.slope
    mixed, largest, rounding = torch.cat(mixes, -1), torch.cat(sizes, -1), gamma(2 * seq + 8)
    parts.append(sets.mapped(x.ellipsoid, jacobian))
    parts.append(sets.around_box(rounding * largest + TINY, layer.out))
    last = products(largest * (1 + rounding), torch.zeros_like(largest), layer.out)
    return finished(x.centre + functional.linear(mixed, layer.out), parts, last)


class _Values(NamedTuple):
    """How far the values can be off, (seq, head_width): by the rounding of their layer, and altogether."""

    rounding: Tensor
    moved: Tensor


def _extents(linear: Tensor, norm: Normed, value: Tensor) -> _Values:
    rounding = products(norm.centre, sets.extents(linear) + sets.extents(norm.own), value)
    return _Values(rounding, sets.extents(linear, value) + sets.extents(norm.own, value) + rounding)


def _weights(x: Errors, query: Tensor, key: Tensor, sight: Sight) -> tuple[Tensor, Tensor]:
    """The attention weights, (seq, seq), and what each can be off before they are normalised, relative to itself."""
    queries, keys = _projected(x, query, sight.rotations, sight.sharpness), _projected(x, key, sight.rotations, None)
    scale, seq, width = 1 / math.sqrt(len(query)), len(x.centre), len(query)
    scores = (queries.centre @ keys.centre.mT * scale).masked_fill(~sight.allowed, -math.inf)
    by_query = torch.einsum("sd,tde,se->ts", keys.centre, queries.ellipsoid, keys.centre).clamp(min=0).sqrt()
    by_key = torch.einsum("td,sde,te->ts", queries.centre, keys.ellipsoid, queries.centre).clamp(min=0).sqrt()
    off_query, off_key = sets.reach(queries.ellipsoid), sets.reach(keys.ellipsoid)
    both = off_query[:, None] * off_key
    longest = (_length(queries) + off_query)[:, None] * (_length(keys) + off_key)
    off = scale * (by_query + by_key + both + gamma(width + 6) * longest) * sets.SLACK
    off = torch.where(sight.allowed, off, 0.0)
    below = torch.where(sight.allowed, scores.amax(-1, keepdim=True) - scores, 0.0) + 2 * off.amax(-1, keepdim=True)
    relative = torch.expm1(off + 4 * UNIT * below + seq * (EXP_ERROR + 4 * UNIT))
    return scores.softmax(-1), torch.where(sight.allowed, relative, 0.0)


def _projected(x: Errors, weight: Tensor, rotations: Tensor | None, sharpness: Tensor | None) -> Errors:
    """Queries or keys of one head."""
    y = functional.linear(x.centre, weight)
    own = products(x.centre, sets.extents(x.ellipsoid), weight)
    if rotations is None:
        ellipsoid = sets.total([sets.mapped(x.ellipsoid, weight), sets.around_box(own)])
    else:
        y, turned = rotated(y, rotations), rotated(weight.mT.expand(len(y), -1, -1), rotations[:, None]).mT
        identity = torch.eye(len(weight), dtype=y.dtype)
        ellipsoid = sets.total(
            [sets.mapped(x.ellipsoid, turned), sets.around_ball(torch.linalg.vector_norm(own, dim=-1), identity)]
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
