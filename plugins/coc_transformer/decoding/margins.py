"""Logit margins of targets that are already known, from one pass over many of them, without bounds on rounding."""

from collections.abc import Iterator, Sequence
from math import inf

import torch

from coc_transformer.decoding.drafts import pass_batches, predicted_logits
from coc_transformer.model import Decoder, threads_for


@torch.inference_mode()
def logit_margins(model: Decoder, examples: Sequence[tuple[list[int], list[int]]]) -> list[float]:
    """The smallest difference of a token's logit and that of another token, for each target.

    Args:
        model: The model, in the number format in which differences are computed.
        examples: The ids before each target, and those of the target with [EOS].
    """
    rows = [context + target[:-1] for context, target in examples]
    margins = [0.0] * len(rows)
    with threads_for(model.config):
        for batch in pass_batches(model, [len(row) for row in rows]):
            chosen = [examples[index][1] for index in batch]
            logits = predicted_logits(model, [rows[index] for index in batch], chosen)
            for index, margin in zip(batch, _smallest(logits, chosen), strict=True):
                margins[index] = margin
    return margins


def _smallest(logits: torch.Tensor, targets: Sequence[list[int]]) -> Iterator[float]:
    """The smallest margin of each target, whose logits, (predicted, vocab), come one after the other."""
    own = torch.tensor([token for target in targets for token in target], device=logits.device)[:, None]
    margins = logits.gather(1, own)[:, 0] - logits.scatter(1, own, -inf).amax(1)
    return (part.min().item() for part in torch.split(margins, [len(target) for target in targets]))
