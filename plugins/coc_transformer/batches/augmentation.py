"""What is drawn anew for each sequence: positions of digits, and names."""

from collections.abc import Sequence

import numpy as np
import torch
from attrs import evolve, frozen
from numpy.typing import NDArray

from coc_transformer.batches.examples import Batch, Rows

_DIGITS = 6  # the stream of random numbers, after those of `loop` and `name_permutation`


@frozen
class DigitPositions:
    """Draws the positions of digits, so that numbers can be longer than any in the training pairs.

    Digits are counted from the units on, and each count has an embedding. If those of a training sequence are not 1, 2,
    3 and so on but some larger numbers, in ascending order, every embedding is learned, and no number can be told by
    the distance of its digits. What is left holds at any length: which digit is the next one, and whether it carries.
    After Ruoss et al., "Randomized Positional Encodings Boost Length Generalization of Transformers", 2023. `longest`
    is the most digits of a number in the training pairs, `largest` the largest position, at least that; 0 draws none.
    """

    longest: int
    largest: int
    seed: int

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """Return the position of each count of digits, from 0, in each sequence of a step, (sequences, 1 + longest). A
        sequence's are drawn from 1 to a number drawn before, so that small ones are drawn often enough. 0 stays 0.
        """
        if not self.largest:
            return np.tile(np.arange(1 + self.longest), (sequences, 1))
        rng = np.random.default_rng((self.seed, _DIGITS, step))
        ends = rng.integers(self.longest, self.largest + 1, (sequences, 1))
        ranks = rng.random((sequences, self.largest)) + (np.arange(self.largest) >= ends)
        drawn = np.sort(np.argsort(ranks)[:, : self.longest]) + 1
        return np.pad(drawn, ((0, 0), (1, 0)))


_NAMES = 5  # the stream of random numbers, after those of `loop`


@frozen(eq=False)
class NamePermutation:
    """Draws permutations of names, for domains where nothing depends on what an object is called.

    Training pairs rarely contain the last names of a long list. If the names of one kind, such as B1 to B40, are
    permuted at random within a sequence, it is still a correct step, and all names occur equally often. `kinds` has the
    ids of the names of each kind; `share` is that of the sequences whose names are permuted, each in its own way.
    """

    kinds: Sequence[Rows]
    vocab: int
    share: float
    seed: int

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """Return the id that replaces each id, in each sequence of a step, (sequences, vocab)."""
        rng = np.random.default_rng((self.seed, _NAMES, step))
        tables = np.tile(np.arange(self.vocab), (sequences, 1))
        chosen = np.flatnonzero(rng.random(sequences) < self.share)
        for kind in self.kinds:
            tables[np.ix_(chosen, kind)] = rng.permuted(np.tile(kind, (len(chosen), 1)), axis=1)
        return tables


def with_names_permuted(batch: Batch, tables: NDArray[np.int64]) -> Batch:
    """Return the batch with its ids replaced by those of the tables, (batch, vocab)."""
    replacements = torch.from_numpy(tables)
    input_ids = replacements.gather(1, batch.input_ids)
    return evolve(batch, input_ids=input_ids, labels=replacements[batch.rows, batch.labels])
