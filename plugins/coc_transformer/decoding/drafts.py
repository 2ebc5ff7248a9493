"""Verifying drafts of targets in one forward pass, where decoding takes one pass for each token.

A pass over a prompt and its draft gives the likeliest token after each prefix of the draft. Up to the first difference
these are the tokens that greedy decoding would choose, and the first one that differs is the one that it would choose
next. So the result is a prefix of the greedy target, and the whole target if the draft is right.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from coc_transformer.continuation import EMPTY, Ids, Prefix, agreeing, drafted
from coc_transformer.files import length_batches
from coc_transformer.network import Network, on_device
from coc_transformer.tokenizer import PAD

_PASS_TOKENS_CPU = 1 << 11  # so that the activations stay in the processor's caches
_PASS_TOKENS_FLOAT64 = 1 << 8  # likewise, in float64
_PASS_TOKENS = 1 << 16  # on a GPU, as in training
_PASS_FLOATS_CPU = 1 << 26  # for all tokens of a pass together
_PASS_FLOATS = 1 << 30


@torch.inference_mode()
def verify(model: Network, contexts: Ids, drafts: Ids) -> list[Prefix]:
    """Verify the drafts of many targets.

    Args:
        model: The model.
        contexts: The ids before each target, fewer than `max_len`.
        drafts: The ids of each draft, without [EOS].

    Returns:
        The prefix of each target; an empty one where logits are not finite, so that decoding reports it.
    """
    targets = drafted(model.config.max_len, contexts, drafts)
    rows = [context + target[:-1] for context, target in zip(contexts, targets, strict=True)]
    prefixes = [EMPTY] * len(rows)
    for batch in pass_batches(model, [len(row) for row in rows]):
        some = [targets[index] for index in batch]
        logits = predicted_logits(model, [rows[index] for index in batch], some)
        for index, prefix in zip(batch, matching_prefixes(logits, some), strict=True):
            prefixes[index] = prefix
    return prefixes


def pass_batches(model: Network, lengths: Sequence[int]) -> Iterator[list[int]]:
    """Batches of row indices, each for one pass, from the lengths of the rows in tokens."""
    tokens, floats = _PASS_TOKENS, _PASS_FLOATS
    if model.device.type == "cpu":
        double = model.dtype == torch.float64
        tokens, floats = _PASS_TOKENS_FLOAT64 if double else _PASS_TOKENS_CPU, _PASS_FLOATS_CPU
    return length_batches(lengths, min(tokens, floats / model.config.floats_per_token()))


def predicted_logits(model: Network, rows: Ids, targets: Ids) -> Tensor:
    """The logits at the predicted positions, (predicted, vocab), those of one row after those of another."""
    lengths = np.array([len(row) for row in rows])
    begins, places = lengths - [len(target) for target in targets], np.arange(lengths.max(initial=0))
    input_ids = np.full((len(rows), len(places)), PAD)
    input_ids[places < lengths[:, None]] = np.fromiter(chain.from_iterable(rows), np.int64, lengths.sum())
    predicted = np.flatnonzero((places < lengths[:, None]) & (places >= begins[:, None]))
    device = model.device
    return model.project(model.hidden(on_device(input_ids, device), selected=on_device(predicted, device)))


def matching_prefixes(logits: Tensor, targets: Ids) -> list[Prefix]:
    """The prefix of each target that its logits, (predicted, vocab), agree with; empty ones if they are not finite."""
    values, indices = logits.to(torch.promote_types(logits.dtype, torch.float32)).topk(2)
    finite = torch.isfinite(logits).all(1)
    packed = torch.stack((indices[:, 0].to(values.dtype), values[:, 0] - values[:, 1], finite.to(values.dtype)))
    chosen, margins, is_finite = packed.cpu().numpy()  # the one place that waits for the device
    return agreeing(chosen.astype(np.int64), margins, targets) if is_finite.all() else [EMPTY] * len(targets)
