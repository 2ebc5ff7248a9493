"""Random digit positions: numbers that are longer than any in the training pairs.

Digits are counted from the units on, and each count has an embedding. If those of a training sequence are not 1, 2, 3
and so on but some larger numbers, in ascending order, every embedding is learned, and no number can be told by the
distance of its digits. What is left is what holds at any length: which digit is the next one, and whether it carries.
After Ruoss et al., "Randomized Positional Encodings Boost Length Generalization of Transformers", 2023.
"""

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

_DIGITS = 6  # the stream of random numbers, after those of `loop` and `name_permutation`


@frozen
class DigitPositions:
    """Draws the positions of digits.

    Args:
        longest: The most digits of a number in the training pairs.
        largest: The largest position, at least `longest`; 0 draws none, and digits are counted 1, 2, 3 and so on.
        seed: Determines all draws.
    """

    longest: int
    largest: int
    seed: int

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """The position of each count of digits, from 0, in each sequence of a step, (sequences, 1 + longest).

        A sequence's positions are drawn from 1 to a number drawn before, so that small ones are drawn often enough.
        The count 0, of whatever is not a digit, stays 0.
        """
        if not self.largest:
            return np.tile(np.arange(1 + self.longest), (sequences, 1))
        rng = np.random.default_rng((self.seed, _DIGITS, step))
        ends = rng.integers(self.longest, self.largest + 1, (sequences, 1))
        ranks = rng.random((sequences, self.largest)) + (np.arange(self.largest) >= ends)
        drawn = np.sort(np.argsort(ranks)[:, : self.longest]) + 1
        return np.pad(drawn, ((0, 0), (1, 0)))
