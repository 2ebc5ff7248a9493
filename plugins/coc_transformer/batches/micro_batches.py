"""Cutting a step's sequences, sorted by length, into micro-batches, so that little of them is padding."""

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

_CUTS = 64  # positions to cut at, unless micro-batches must be smaller than the pieces between them


@frozen
class Costs:
    """The costs of a device.

    Attributes:
        overhead: What a micro-batch costs besides its tokens, in tokens.
        most: The most tokens of a micro-batch, unless a single sequence has more.
    """

    overhead: int
    most: int


def cut(lengths: NDArray[np.int32], costs: Costs) -> list[slice]:
    """Cut the sorted lengths, (batch,), into slices of the least total cost, by dynamic programming.

    A slice costs its number of sequences times its longest length, and the overhead. Cuts are tried at up to 64
    positions, and at more where smaller slices are needed.
    """
    count = len(lengths)
    piece = max(1, min(-(-count // _CUTS), costs.most // int(lengths[-1])))
    ends = np.append(np.arange(0, count, piece), count)
    best, begin = np.zeros(len(ends)), np.zeros(len(ends), int)
    for index in range(1, len(ends)):
        # A slice that is too large is an option only where there is no smaller one.
        first = max(0, index - max(1, costs.most // int(lengths[ends[index] - 1]) // piece))
        price = best[first:index] + (ends[index] - ends[first:index]) * int(lengths[ends[index] - 1])
        begin[index] = first + int(price.argmin())
        best[index] = price[begin[index] - first] + costs.overhead
    slices, index = [], len(ends) - 1
    while index:
        slices.append(slice(int(ends[begin[index]]), int(ends[index])))
        index = int(begin[index])
    return slices[::-1]
