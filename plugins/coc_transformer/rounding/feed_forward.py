"""The feed-forward layer, with its residual connection."""

import math

import torch
from torch.nn import functional

from coc_transformer.model import Layer
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.rounding.operations import ERF_ERROR, TINY, UNIT, Errors, finished, normed, products

_MOST_SLOPE, _MOST_BEND = 1.13, 0.8
"""GELU's first derivative is at most 1.1290, and its second one sqrt(2 / pi) = 0.7979."""


def feed_forward(x: Errors, layer: Layer) -> Errors:
    """What the feed-forward layer makes of errors."""
    norm = normed(x, layer.norm2)
    up, down = layer.up[0], layer.down[0]
    linear = sets.mapped(x.ellipsoid, norm.slope)
    inner = functional.linear(norm.centre, *layer.up)
    rounding = products(norm.centre, sets.extents(linear) + sets.extents(norm.own), *layer.up)
    moved = sets.extents(linear, up) + sets.extents(norm.own, up) + rounding
    share = 0.5 * (1 + torch.erf(inner / math.sqrt(2)))
    slope = share + inner * torch.exp(-inner.square() / 2) / math.sqrt(2 * math.pi)
    own = (ERF_ERROR / 2 + 4 * UNIT) * (inner.abs() + moved) + _MOST_BEND / 2 * moved.square() + TINY
    output = functional.linear(inner * share, *layer.down)
    last = products(inner * share, _MOST_SLOPE * moved + own, *layer.down)
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
