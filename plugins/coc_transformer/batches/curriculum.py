"""Curriculum learning: short pairs first, on which the model finds the rules sooner.

The pairs are ranked by length. Each pair that was drawn is replaced by the one at a fraction of its rank, so that a
step takes only the shortest pairs, of all kinds among them. The fraction grows to 1 with the square of the steps.
"""

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from coc_transformer.batches.examples import Rows

_FIRST = 0.04  # of the pairs, at the beginning


@frozen(eq=False)
class Curriculum:
    """Replaces the pairs that were drawn for a step.

    Attributes:
        order: The indices of the pairs, the shortest first.
        ranks: The index of each pair in `order`.
        steps: The step from which on no pair is replaced.
    """

    order: NDArray[np.int64]
    ranks: NDArray[np.int64]
    steps: float

    @classmethod
    def of(cls, lengths: NDArray[np.int32], steps: float) -> "Curriculum":
        """The curriculum for pairs of these lengths."""
        order = np.argsort(lengths, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return cls(order, ranks, steps)

    def reached(self, step: int) -> float:
        """The fraction of the pairs that `step`, counted from 1, draws from."""
        return min(1.0, _FIRST + (step / self.steps) ** 2) if step < self.steps else 1.0

    def rows(self, rows: Rows, step: int) -> Rows:
        """The pairs that replace those drawn for a step."""
        return self.order[(self.ranks[rows] * self.reached(step)).astype(np.int64)]
