"""Prioritised replay: part of each step's pairs are drawn in proportion to their last known loss.

Once nearly all pairs are predicted exactly, a pass over all of them teaches the model almost nothing: the pairs that
are still wrong are rare and come too seldom. A pair's priority is its loss, the negative log-likelihood of its whole
target. Priorities decay from step to step, so that a loss from early in the training soon counts no more. Loss probes,
pairs that are scored but not learned from, refresh them in a third of the time that learning from the pairs would take.
The method follows Schaul et al., "Prioritized Experience Replay", 2016.
"""

import numpy as np
import torch
from attrs import define, field
from numpy.typing import NDArray
from torch import Tensor

from coc_transformer.batches.examples import Rows

_DECAY = 0.99  # of a priority, from one step to the next
_LEAST = 1e-6  # pairs of a lower priority are not drawn
_REPLAY = 5  # the stream of random numbers, after those of `sampler` and `loop`


@define(eq=False)
class PrioritisedReplay:
    """The priority of each of `pairs` pairs, and draws of `count` of them for each step."""

    pairs: int
    count: int
    seed: int
    priorities: NDArray[np.float32] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.priorities = np.zeros(self.pairs, np.float32)

    def rows(self, step: int) -> Rows:
        """The indices of different pairs, drawn in proportion to priority; fewer while few pairs have a priority."""
        known = np.flatnonzero(self.priorities > _LEAST)
        count = min(self.count, len(known))
        if not count:
            return np.empty(0, np.int64)
        # The first of exponential clocks whose rates are the priorities: a draw without replacement.
        waits = np.random.default_rng((self.seed, _REPLAY, step)).exponential(size=len(known)) / self.priorities[known]
        return known[np.argpartition(waits, count - 1)[:count]]

    def update(self, rows: Rows, losses: Tensor) -> None:
        """Set the priorities of some pairs to their losses, (rows,)."""
        self.priorities[rows] = losses.cpu().numpy()

    def decay(self) -> None:
        """Lower all priorities at the end of a step."""
        self.priorities *= _DECAY

    def tensors(self) -> dict[str, Tensor]:
        """The state that changes from step to step, by name, not copied."""
        return {"replay_priorities": torch.from_numpy(self.priorities)} if self.count else {}
