"""Names in each other's places: where nothing depends on what a thing is called, any name can be any other.

The pairs of a training show the last names of a long list rarely. A sequence whose names of one kind, such as B1 to
B40, are permuted at random is a step as good as it was, and shows all names alike.
"""

from collections.abc import Sequence

import numpy as np
import torch
from attrs import evolve, frozen
from numpy.typing import NDArray

from coc_transformer.batches.examples import Batch, Rows

_NAMES = 5  # a stream of random numbers, after those of `train`


@frozen(eq=False)
class NamePermutation:
    """`kinds` are the ids of the names of each kind; a `share` of the sequences have them permuted, each in its way."""

    kinds: Sequence[Rows]
    vocab: int
    share: float
    seed: int

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """What each id becomes in each of a step's sequences, (sequences, vocab)."""
        rng = np.random.default_rng((self.seed, _NAMES, step))
        tables = np.tile(np.arange(self.vocab), (sequences, 1))
        chosen = np.flatnonzero(rng.random(sequences) < self.share)
        for kind in self.kinds:
            tables[np.ix_(chosen, kind)] = rng.permuted(np.tile(kind, (len(chosen), 1)), axis=1)
        return tables


def with_names_permuted(batch: Batch, tables: NDArray[np.int64]) -> Batch:
    """A batch of B sequences with the ids that the tables give them, (B, vocab)."""
    known = torch.from_numpy(tables)
    return evolve(batch, ids=known.gather(1, batch.ids), labels=known[batch.rows, batch.labels])
