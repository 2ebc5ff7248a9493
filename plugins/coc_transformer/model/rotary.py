"""Queries and keys that turn with the place in a list, so that attention sees how far apart two places are.

Rotary positions (Su et al., "RoFormer", 2021), but of the place within the field instead of the index in the sequence.
To copy a list is to look one place further in another list, wherever that stands: as a turn this is one thing to
learn for all places, and needs no place to have been seen before. Tokens outside of lists stand at place 0.
"""

import torch
from torch import Tensor

from coc_transformer.model.positions import COUNTERS

_FASTEST = 2.0  # radians from a place to the next: two neighbours differ clearly
_SLOWEST = 0.04  # so that within the longest lists no two places look alike


def angles(planes: int) -> Tensor:
    """The cosines and then the sines of each place in each plane, (places, 2 * planes)."""
    speeds = torch.logspace(0, 1, planes, base=_SLOWEST / _FASTEST, dtype=torch.float64, device="cpu") * _FASTEST
    rotation = torch.arange(COUNTERS[1], dtype=torch.float64, device="cpu")[:, None] * speeds
    return torch.cat((rotation.cos(), rotation.sin()), 1).float()


def rotated(x: Tensor, rotation: Tensor) -> Tensor:
    """Queries or keys, (..., H, T, D/H), with the first numbers turned: plane i has the i-th of each half.

    `rotation` are rows of `angles`, (..., 1, T, 2 * planes).
    """
    cosines, sines = rotation.chunk(2, -1)
    planes = cosines.shape[-1]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return torch.cat((first * cosines - second * sines, first * sines + second * cosines, rest), -1)
