"""Cutting a step's sequences, sorted by length, into micro-batches, so that little of them is padding."""

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

_CUTS = 64  # places to cut at, unless micro-batches have to be smaller than such a piece


@frozen
class Costs:
    """What a device likes: a micro-batch costs `overhead` tokens more than it has, and has at most `most` of them.

    One sequence may have more.
    """

    overhead: int
    most: int


def cut(lengths: NDArray[np.int32], costs: Costs) -> list[slice]:
    """Slices of the sorted lengths, (B,), that cost least in all, by dynamic programming.

    A slice costs its number of sequences times the longest of them, and the overhead. Cuts are tried at up to 64
    places, at more where smaller slices are needed.
    """
    count = len(lengths)
    piece = max(1, min(-(-count // _CUTS), costs.most // int(lengths[-1])))
    ends = np.append(np.arange(0, count, piece), count)
    best, begin = np.zeros(len(ends)), np.zeros(len(ends), int)
    for place in range(1, len(ends)):
        # Of slices that are too large only the smallest is an option, where there is no other.
        first = max(0, place - max(1, costs.most // int(lengths[ends[place] - 1]) // piece))
        price = best[first:place] + (ends[place] - ends[first:place]) * int(lengths[ends[place] - 1])
        begin[place] = first + int(price.argmin())
        best[place] = price[begin[place] - first] + costs.overhead
    slices, place = [], len(ends) - 1
    while place:
        slices.append(slice(int(ends[begin[place]]), int(ends[place])))
        place = int(begin[place])
    return slices[::-1]
