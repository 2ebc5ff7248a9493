"""Causal attention of some queries, those of the last tokens, over the keys and values of all."""

from contextlib import nullcontext

import torch
from torch import Tensor
from torch.nn import functional


def attend(queries: Tensor, keys: Tensor, values: Tensor, dropout: float) -> Tensor:
    """(B, H, Q, W) queries of the last Q of K tokens, (B, H, K, W) keys and values -> (B, H, Q, W).

    Autocast to bfloat16 on a CPU stops here: what goes back through torch's kernel takes three times as long there in
    bfloat16 as in float32, which would cost more than the products around it gain.
    """
    exempt = queries.device.type == "cpu" and torch.is_autocast_enabled("cpu")
    if exempt:
        queries, keys, values = queries.float(), keys.float(), values.float()
    new, total = queries.shape[2], keys.shape[2]
    mask = None
    if 1 < new < total:
        mask = torch.ones(new, total, dtype=torch.bool, device=queries.device).tril(total - new)
    with torch.autocast("cpu", enabled=False) if exempt else nullcontext():
        return functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout, is_causal=new == total
        )
