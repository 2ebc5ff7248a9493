"""Name permutation: data augmentation for domains where nothing depends on what an object is called.

Training pairs rarely contain the last names of a long list. If the names of one kind, such as B1 to B40, are permuted
at random within a sequence, it is still a correct step, and all names occur equally often.
"""

from collections.abc import Sequence

import numpy as np
import torch
from attrs import evolve, frozen
from numpy.typing import NDArray

from coc_transformer.batches.examples import Batch, Rows

_NAMES = 5  # the stream of random numbers, after those of `loop`


@frozen(eq=False)
class NamePermutation:
    """Draws permutations of names.

    Args:
        kinds: The ids of the names of each kind.
        vocab: The size of the vocabulary.
        share: The share of the sequences whose names are permuted, each by a permutation of its own.
        seed: Determines all draws.
    """

    kinds: Sequence[Rows]
    vocab: int
    share: float
    seed: int

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """The id that replaces each id, in each sequence of a step, (sequences, vocab)."""
        rng = np.random.default_rng((self.seed, _NAMES, step))
        tables = np.tile(np.arange(self.vocab), (sequences, 1))
        chosen = np.flatnonzero(rng.random(sequences) < self.share)
        for kind in self.kinds:
            tables[np.ix_(chosen, kind)] = rng.permuted(np.tile(kind, (len(chosen), 1)), axis=1)
        return tables


def with_names_permuted(batch: Batch, tables: NDArray[np.int64]) -> Batch:
    """The batch with its ids replaced by those of the tables, (batch, vocab)."""
    replacements = torch.from_numpy(tables)
    input_ids = replacements.gather(1, batch.input_ids)
    return evolve(batch, input_ids=input_ids, labels=replacements[batch.rows, batch.labels])
