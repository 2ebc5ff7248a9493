"""The logit margins of a target in float64, and what float32 can change of them."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from coc_core.models import TargetMargin
from coc_transformer.model import Decoder
from coc_transformer.network import threads_for
from coc_transformer.rounding import ellipsoid as sets
from coc_transformer.rounding.layers import AttentionInputs, attention, feed_forward
from coc_transformer.rounding.magnitudes import may_overflow
from coc_transformer.rounding.operations import TINY, Errors, gamma, normed, products


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
    config, seq, counts, (layers, _) = model.config, ids.shape[1], model.counted(ids), model.tensors()
    x, sizes = (model.embedded(ids, counts, of) for of in (torch.Tensor.clone, torch.abs))
    allowed, rotations = model.mask(counts), model.rotations(counts)
    causal = torch.ones(seq, seq, dtype=torch.bool).tril()
    numbers = torch.arange(1, seq + 1, dtype=x.dtype)[:, None]
    inputs = AttentionInputs(
        causal if allowed is None else allowed[0, 0],
        None if rotations is None else rotations.to(x.dtype)[0, 0],
        numbers.log() / 2 if config.log_scaling else None,
    )
    roundings = gamma((config.d_model if config.token_shift else 0) + 2 * config.token_shift + 8)
    shifts = sum(matrix.abs().sum(-1) for matrix in model.shifts.parameters())
    underflow = TINY * (1 + sizes[0].sum(-1, keepdim=True) + shifts)
    errors = Errors(x[0], sets.around_box(roundings * sizes[0] + underflow))
    for layer in layers:
        if errors.ellipsoid.isfinite().all():  # else nothing is known, and nothing will be
            errors = feed_forward(attention(errors, layer, config.heads, inputs), layer)
    return errors


def _margins(model: Decoder, x: Errors, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """Return the margin of each token and the bound on it, (target, vocab): infinite and 0 for the token itself."""
    norm, rows = normed(x, model.tensors()[1]), model.tokens.weight
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
