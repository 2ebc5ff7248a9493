"""Causal attention of queries, those of the last tokens, over the keys and values of all tokens."""

from contextlib import nullcontext

import torch
from torch import Tensor
from torch.nn import functional


def attend(queries: Tensor, keys: Tensor, values: Tensor, dropout: float, mask: Tensor | None = None) -> Tensor:
    """Causal attention without its output layer.

    Autocast to bfloat16 on a CPU is suspended here: the backward pass of torch's kernel takes three times as long in
    bfloat16 as in float32 there, which would cost more than the faster products around it save.

    Args:
        queries: Those of the last `new` tokens, (batch, heads, new, head_width).
        keys: Those of all tokens, (batch, heads, total, head_width).
        values: As `keys`.
        dropout: The probability of dropping an attention weight.
        mask: Which keys each query may attend to, of bool, or what is added to the scores, broadcast to (batch, heads,
            new, total); None for all keys up to its own token.

    Returns:
        (batch, heads, new, head_width).
    """
    exempt = queries.device.type == "cpu" and torch.is_autocast_enabled("cpu")
    if exempt:
        queries, keys, values = queries.float(), keys.float(), values.float()
    new, total = queries.shape[2], keys.shape[2]
    if mask is None and 1 < new < total:
        mask = torch.ones(new, total, dtype=torch.bool, device=queries.device).tril(total - new)
    if mask is not None and mask.is_floating_point():
        mask = mask.to(queries.dtype)
    with torch.autocast("cpu", enabled=False) if exempt else nullcontext():
        return functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout, is_causal=mask is None and new > 1
        )
