"""The logit margins of a target in float64, and what float32 can change of them.

A bound needs that no number overflows in float32. That follows from the weights alone, for all tokens: LayerNorm bounds
what follows it, whatever it is given, since no component of a vector of mean 0 and variance 1 is above the square root
of its width.
"""

import math
from collections.abc import Generator, Iterator, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_core.models import TargetMargin
from coc_transformer.files import ModelConfig
from coc_transformer.model import Block, Decoder, View
from coc_transformer.network import threads_for
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.rounding.layers import (
    EPS,
    TINY,
    Errors,
    attention,
    feed_forward,
    gamma,
    normed,
    products,
)

MOST = 2.0**120
"""The largest sum of absolute values. float32 ends at 2^128; the factor between them is for the rounding on the way."""


@torch.inference_mode()
def may_overflow(model: Decoder) -> bool:
    """Return whether a partial sum, square or product in a model in float64 may reach `MOST`, in whatever order."""
    return not all(bool((sizes < MOST).all()) for sizes in _sizes(model))


def _sizes(model: Decoder) -> Iterator[Tensor]:
    """Sums of absolute values that bound all that is computed on the way to the logits."""
    tokens, config = model.tokens.weight, model.config
    x = sum((table.abs().amax(0) for table in model.positions.parameters()), tokens.abs().amax(0))
    x = x + sum((functional.linear(x, matrix.abs()) for matrix in model.shifts.parameters()), torch.zeros_like(x))
    for block in model.blocks:
        yield from _before_norm(x, block.norm1)
        values = yield from _attention(block, config)
        x = x + functional.linear(2 * values, block.out.weight.abs())
        yield from _before_norm(x, block.norm2)
        inner = 2 * _linear(_normed(block.norm2), block.up)  # x(1 + erf(x / sqrt(2)))
        yield inner
        x = x + _linear(inner, block.down)
    yield from _before_norm(x, model.norm)
    yield functional.linear(_normed(model.norm), tokens.abs())


def _before_norm(x: Tensor, norm: nn.LayerNorm) -> Iterator[Tensor]:
    """Yield the squares in a variance, an input divided by the smallest deviation, the output; each in any order."""
    yield (2 * x).square().sum()
    yield (1 + norm.weight.abs()) * 2 * x.amax() / math.sqrt(EPS) + norm.bias.abs()
    yield (1 + norm.weight.abs()) / math.sqrt(EPS) + _normed(norm)


def _normed(norm: nn.LayerNorm) -> Tensor:
    """Return the output of LayerNorm; the factor of 2 is for the rounding of the standard deviation."""
    scale, shift = norm.weight, norm.bias
    return scale.abs() * 2 * math.sqrt(len(scale)) + shift.abs()


def _attention(block: Block, config: ModelConfig) -> Generator[Tensor, None, Tensor]:
    """Yields as `_sizes`, and returns a bound on the values, (d_model,)."""
    projected = functional.linear(_normed(block.norm1), block.qkv.weight.abs())
    yield projected
    queries, keys, values = projected.view(3, config.heads, -1)
    if config.rotary:
        queries, keys = (2 * part.amax(-1, keepdim=True).expand_as(part) for part in (queries, keys))
    yield (queries * keys).sum(-1) * max(1.0, math.log(config.max_len))
    yield values * config.max_len
    return torch.flatten(values)


def _linear(x: Tensor, layer: nn.Linear) -> Tensor:
    return functional.linear(x, layer.weight.abs(), layer.bias.abs())


@torch.inference_mode()
def target_margin(model: Decoder, context: Sequence[int], target: Sequence[int]) -> TargetMargin:
    """Return the margin of the ids of a target, with [EOS], after those before it, by a model in float64, and a bound
    on what float32 can change of it; infinite where the analysis breaks down.
    """
    with threads_for(model.config):
        return _margin(model, context, target)


def _margin(model: Decoder, context: Sequence[int], target: Sequence[int]) -> TargetMargin:
    ids, chosen = torch.tensor([[*context, *target[:-1]]]), torch.tensor(target)
    if may_overflow(model) or not (x := _hidden(model, ids)).ellipsoid.isfinite().all():
        logits = model.project(model.hidden(ids)[0, len(context) - 1 :])
        return TargetMargin(_differences(logits, chosen).min().item())
    last = Errors(x.centre[len(context) - 1 :], x.ellipsoid[len(context) - 1 :])
    margins, bounds = _margins(model, last, chosen)
    bound = bounds.max().item()
    return TargetMargin(margins.min().item(), bound if math.isfinite(bound) else math.inf)


def _hidden(model: Decoder, ids: Tensor) -> Errors:
    """Return the hidden states of one sequence before the last LayerNorm."""
    config, seq, counts = model.config, ids.shape[1], model.counted(ids)
    x, sizes = (model.embedded(ids, counts, of) for of in (torch.Tensor.clone, torch.abs))
    bias, rotations = model.bias(counts, seq), model.rotations(counts)
    causal = torch.full((seq, seq), -math.inf).triu(1)
    numbers = torch.arange(1, seq + 1, dtype=x.dtype)[:, None]
    view = View(
        (causal if bias is None else bias[0, 0]).to(x.dtype),
        None if rotations is None else rotations.to(x.dtype)[0, 0],
        numbers.log() / 2 if config.log_scaling else None,
    )
    roundings = gamma((config.d_model if config.token_shift else 0) + 2 * config.token_shift + 8)
    shifts = sum(matrix.abs().sum(-1) for matrix in model.shifts.parameters())
    underflow = TINY * (1 + sizes[0].sum(-1, keepdim=True) + shifts)
    errors = Errors(x[0], sets.around_box(roundings * sizes[0] + underflow))
    for block in model.blocks:
        if errors.ellipsoid.isfinite().all():  # else nothing is known, and nothing will be
            errors = feed_forward(attention(errors, block, config.heads, view), block)
    return errors


def _margins(model: Decoder, x: Errors, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """Return the margin of each token and the bound on it, (target, vocab): infinite and 0 for the token itself."""
    norm, rows = normed(x, model.norm), model.tokens.weight
    ellipsoid = sets.total([sets.mapped(x.ellipsoid, norm.slope), norm.own])
    own = rows[chosen]
    across = (rows @ ellipsoid @ own[..., None])[..., 0]
    squares = sets.extents(ellipsoid, rows).square()
    lengths = torch.linalg.vector_norm(rows, dim=1)
    hidden = sets.cancelled(ellipsoid)[:, None] * (lengths + lengths[chosen][:, None]).square()
    squares = squares + squares.gather(1, chosen[:, None]) - 2 * across + hidden
    rounding = products(norm.centre, sets.extents(ellipsoid), rows)
    bounds = squares.clamp(min=0).sqrt() * sets.SLACK + rounding + rounding.gather(1, chosen[:, None])
    return _differences(functional.linear(norm.centre, rows), chosen), bounds


def _differences(logits: Tensor, chosen: Tensor) -> Tensor:
    """Return how far the logit of the chosen token is above the others, (target, vocab); infinite for itself."""
    own = chosen[:, None]
    return (logits.gather(1, own) - logits).scatter(1, own, math.inf)
