"""Short pairs first: what has to be found out is found out sooner where there is little else to look at.

The pairs are ranked by length. A pair that is drawn stands for the one at a fraction of its rank, so that a step takes
only the shortest pairs, of all kinds that they have. The fraction grows to 1 with the square of the steps.
"""

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from coc_transformer.batches.examples import Rows

_FIRST = 0.04  # of the pairs, at the beginning


@frozen(eq=False)
class Curriculum:
    """`order` are the pairs' indices by length, `ranks` the place of each of them there."""

    order: NDArray[np.int64]
    ranks: NDArray[np.int64]
    steps: float
    """After so many steps all pairs are drawn."""

    @classmethod
    def of(cls, lengths: NDArray[np.int32], steps: float) -> "Curriculum":
        """The curriculum of pairs of these lengths."""
        order = np.argsort(lengths, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return cls(order, ranks, steps)

    def reached(self, step: int) -> float:
        """The fraction of the pairs that `step`, counted from 1, may take."""
        return min(1.0, _FIRST + (step / self.steps) ** 2) if step < self.steps else 1.0

    def rows(self, rows: Rows, step: int) -> Rows:
        """What the pairs drawn for a step stand for."""
        reached = self.reached(step)
        return rows if reached == 1 else self.order[(self.ranks[rows] * reached).astype(np.int64)]
