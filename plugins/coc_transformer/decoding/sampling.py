"""Sampling of many prompts at a time: each token is drawn with the probability that the model gives it."""

from collections.abc import Sequence
from math import inf
from random import Random

import torch

from coc_transformer.decoding.greedy import Choose, continuations
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer


@torch.inference_mode()
def sample(
    model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str], seeds: Sequence[int], dialect: int = 0
) -> list[str]:
    """Draw a target for each prompt, at temperature 1.

    Each prompt has random numbers of its own, so that a target doesn't depend on the other prompts, up to rounding.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        prompts: The texts of the prompts.
        seeds: A seed for each prompt.
        dialect: The index of the dialect among those of the tokenizer.

    Raises:
        LimitFault: If a prompt leaves no room for a target.
        NumericFault: If a logit is not finite.
    """
    numbers = [Random(seed) for seed in seeds]

    def chooser(batch: Sequence[int]) -> Choose:
        def choose(logits: torch.Tensor, rows: Sequence[int]) -> tuple[torch.Tensor, list[float]]:
            cumulative = torch.softmax(logits.double(), -1).cumsum(-1)
            draws = [[numbers[batch[row]].random()] for row in rows]
            points = torch.tensor(draws, dtype=torch.float64, device=logits.device) * cumulative[:, -1:]
            return torch.searchsorted(cumulative, points, right=True), [inf] * len(rows)

        return choose

    return continuations(model, tokenizer, prompts, dialect, chooser)
