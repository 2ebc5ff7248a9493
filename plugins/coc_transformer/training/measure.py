"""How many pairs a model predicts exactly, without decoding: greedy decoding follows the target up to its first wrong
token, so one forward pass shows whether every token of the target is the most likely one at its position.
"""

from math import inf

import numpy as np
import torch
from attrs import frozen

from coc_transformer.network import Network
from coc_transformer.tokenizer import UNK
from coc_transformer.training.examples import Costs, Examples, Rows, collate, cut

_SORTED_TOGETHER = 4_096  # sequences


@frozen
class Measurement:
    """How many pairs are exact, and the smallest logit margin of a token in these over the next best, or infinity."""

    exact: int
    pairs: int
    margin: float

    @property
    def fraction(self) -> float | None:
        """The fraction of exact pairs; None if there are no pairs."""
        return self.exact / self.pairs if self.pairs else None


@torch.inference_mode()
def measure(model: Network, examples: Examples, rows: Rows, costs: Costs) -> Measurement:
    """Measure some examples in float32. A target with an unknown token is never exact, since that token has no text."""
    was_training = model.training
    model.eval()
    device = model.device
    exact = torch.zeros((), dtype=torch.long, device=device)
    smallest = torch.full((), inf, device=device)
    ordered = examples.by_length(rows)
    pieces = (ordered[start : start + _SORTED_TOGETHER] for start in range(0, len(rows), _SORTED_TOGETHER))
    for some in (piece[part] for piece in pieces for part in cut(examples.lengths[piece], costs)):
        batch = collate(examples, some, "target").to(device)
        best = model.project(model.hidden(batch.input_ids).flatten(0, 1)[batch.positions]).float().topk(2)
        wrong = (best.indices[:, 0] != batch.labels) | (batch.labels == UNK)
        has_error = torch.zeros(len(some), dtype=torch.bool, device=device)
        has_error[batch.rows[wrong]] = True
        margins = (best.values[:, 0] - best.values[:, 1]).masked_fill(has_error[batch.rows], inf)
        exact += (~has_error).sum()
        smallest = torch.minimum(smallest, margins.min())
    model.train(was_training)
    return Measurement(int(exact), len(rows), smallest.item())


def sample(rows: Rows, most: float, rng: np.random.Generator) -> Rows:
    """Return at most `most` of the rows."""
    return rows if len(rows) <= most else rng.choice(rows, int(most), replace=False)
