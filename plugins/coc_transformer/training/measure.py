"""How many pairs a model answers exactly, without decoding.

Greedy decoding follows the target up to its first wrong token. So it suffices to look, in one pass over prompt and
target, whether every token of the target is the most likely one where it stands.
"""

from collections.abc import Iterator

import numpy as np
import torch
from attrs import frozen

from coc_transformer.batches import Costs, Examples, Rows, collate, cut
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import UNK
from coc_transformer.training.processes import Ranks

_AT_ONCE = 4_096  # sequences that are sorted together


@frozen
class Measured:
    """How many of some pairs were answered exactly, and the smallest lead of a token in those answers.

    The lead is a difference of logits, to the next best token; infinite if no answer was exact.
    """

    exact: int
    pairs: int
    margin: float

    @property
    def fraction(self) -> float | None:
        """The fraction that was answered exactly, None of none."""
        return self.exact / self.pairs if self.pairs else None

    @property
    def complete(self) -> bool:
        """Whether every answer was exact."""
        return self.exact == self.pairs


@torch.inference_mode()
def measure(model: Decoder, examples: Examples, rows: Rows, ranks: Ranks, costs: Costs) -> Measured:
    """Measure some examples, in float32; each process does its share, and all get the sum.

    A target with an unknown token is never answered exactly: no text comes of that token.
    """
    was_training = model.training
    model.eval()
    exact = torch.zeros((), dtype=torch.long, device=ranks.device)
    margin = torch.full((), float("inf"), device=ranks.device)
    for some in _batches(examples, ranks.share(examples.by_length(rows)), costs):
        batch = collate(examples, some, "target").to(ranks.device)
        best = model.project(model.hidden(batch.ids).flatten(0, 1)[batch.places]).float().topk(2)
        wrong = (best.indices[:, 0] != batch.labels) | (batch.labels == UNK)
        with_errors = torch.zeros(len(some), dtype=torch.bool, device=ranks.device)
        with_errors[batch.rows[wrong]] = True
        margins = (best.values[:, 0] - best.values[:, 1]).masked_fill(with_errors[batch.rows], float("inf"))
        exact += (~with_errors).sum()
        margin = torch.minimum(margin, margins.min())
    model.train(was_training)
    return Measured(int(ranks.sum(exact)), len(rows), ranks.least(margin.item()))


def sample(rows: Rows, most: int, rng: np.random.Generator) -> Rows:
    """At most so many of the rows."""
    return rows if len(rows) <= most else rng.choice(rows, most, replace=False)


def _batches(examples: Examples, rows: Rows, costs: Costs) -> Iterator[Rows]:
    """The rows, sorted by length, in batches with little padding."""
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        yield from (some[part] for part in cut(examples.lengths[some], costs))
