"""Hard pairs again: part of each step's pairs are drawn by how badly they were answered when they were last seen.

Once a model answers nearly all pairs, passes over all of them teach it nearly nothing: what is still wrong is rare and
is seen too seldom. A pair's hardness is its loss, the negative logarithm of the probability of its whole answer. It
fades from step to step, so that what was hard for the young model is not taken for hard later. Scouts, pairs that are
answered and not learned from, find what is hard in a third of the time that learning from them would take.
"""

import numpy as np
import torch
from attrs import define, field
from numpy.typing import NDArray
from torch import Tensor

from coc_transformer.batches.examples import Rows

_KEPT = 0.99  # of a hardness, from one step to the next
_LEAST = 1e-6  # what is easier than this is not drawn
_REPLAY = 5  # the stream of random numbers, after those of `sampler` and `train`


@define(eq=False)
class PrioritisedReplay:
    """The hardness of each pair, (pairs,), and the draws of `count` pairs a step from it."""

    pairs: int
    count: int
    seed: int
    priorities: NDArray[np.float32] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.priorities = np.zeros(self.pairs, np.float32)

    def rows(self, step: int) -> Rows:
        """The indices of different pairs, drawn in proportion to hardness; fewer while fewer are known to be hard."""
        known = np.flatnonzero(self.priorities > _LEAST)
        count = min(self.count, len(known))
        if not count:
            return np.empty(0, np.int64)
        # The first of exponential clocks that run as fast as the pairs are hard: a draw without repetition.
        waits = np.random.default_rng((self.seed, _REPLAY, step)).exponential(size=len(known)) / self.priorities[known]
        return known[np.argpartition(waits, count - 1)[:count]]

    def note(self, rows: Rows, losses: Tensor) -> None:
        """Take down the losses of some pairs, (B,)."""
        self.priorities[rows] = losses.cpu().numpy()

    def decay(self) -> None:
        """A step is over."""
        self.priorities *= _KEPT

    def tensors(self) -> dict[str, Tensor]:
        """What changes from step to step, by name; not a copy."""
        return {"replay_priorities": torch.from_numpy(self.priorities)} if self.count else {}
