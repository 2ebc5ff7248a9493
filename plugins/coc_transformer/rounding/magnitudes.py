"""Whether a number that a model computes may overflow in float32: from its weights alone, for all tokens. LayerNorm
bounds what follows it, whatever it is given: no component of a vector of mean 0 and variance 1 is above the square root
of its width. So nothing here depends on a sequence.
"""

import math
from collections.abc import Generator, Iterator

import torch
from torch import Tensor
from torch.nn import functional

from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder, Layer
from coc_transformer.rounding.operations import EPS

MOST = 2.0**120
"""The largest sum of absolute values. float32 ends at 2^128; the factor between them is for the rounding on the way."""


@torch.inference_mode()
def may_overflow(model: Decoder) -> bool:
    """Return whether a partial sum, square or product in a model in float64 may reach `MOST`, in whatever order."""
    return not all(bool((sizes < MOST).all()) for sizes in _sizes(model))


def _sizes(model: Decoder) -> Iterator[Tensor]:
    """Sums of absolute values that bound all that is computed on the way to the logits."""
    (layers, norm), tokens, config = model.tensors(), model.tokens.weight, model.config
    x = sum((table.abs().amax(0) for table in model.positions.parameters()), tokens.abs().amax(0))
    x = x + sum((functional.linear(x, matrix.abs()) for matrix in model.shifts.parameters()), torch.zeros_like(x))
    for layer in layers:
        yield from _before_norm(x, layer.norm1)
        values = yield from _attention(layer, config)
        x = x + functional.linear(2 * values, layer.out.abs())
        yield from _before_norm(x, layer.norm2)
        inner = 2 * _linear(_normed(layer.norm2), layer.up)  # x(1 + erf(x / sqrt(2)))
        yield inner
        x = x + _linear(inner, layer.down)
    yield from _before_norm(x, norm)
    yield functional.linear(_normed(norm), tokens.abs())


def _before_norm(x: Tensor, norm: tuple[Tensor, Tensor]) -> Iterator[Tensor]:
    """Yield the squares in a variance, an input divided by the smallest deviation, the output; each in any order."""
    yield (2 * x).square().sum()
    yield (1 + norm[0].abs()) * 2 * x.amax() / math.sqrt(EPS) + norm[1].abs()
    yield (1 + norm[0].abs()) / math.sqrt(EPS) + _normed(norm)


def _normed(norm: tuple[Tensor, Tensor]) -> Tensor:
    """Return the output of LayerNorm; the factor of 2 is for the rounding of the standard deviation."""
    scale, shift = norm
    return scale.abs() * 2 * math.sqrt(len(scale)) + shift.abs()


def _attention(layer: Layer, config: ModelConfig) -> Generator[Tensor, None, Tensor]:
    """Yields as `_sizes`, and returns a bound on the values, (d_model,)."""
    projected = functional.linear(_normed(layer.norm1), layer.qkv.abs())
    yield projected
    queries, keys, values = projected.view(3, config.heads, -1)
    if config.rotary:
        queries, keys = (2 * part.amax(-1, keepdim=True).expand_as(part) for part in (queries, keys))
    yield (queries * keys).sum(-1) * max(1.0, math.log(config.max_len))
    yield values * config.max_len
    return torch.flatten(values)


def _linear(x: Tensor, layer: tuple[Tensor, Tensor]) -> Tensor:
    return functional.linear(x, layer[0].abs(), layer[1].abs())
