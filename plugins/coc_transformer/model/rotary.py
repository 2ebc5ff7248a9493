"""Rotary position embedding by the position in a list, so that attention sees how far apart two positions are.

The method is that of Su et al., "RoFormer", 2021, applied to the position within the field instead of the index in the
sequence. To copy a list, the model attends to the next position of another list, wherever that list is: a rotation by
one position is a single thing to learn, and works at positions never seen in training. Tokens outside lists have
position 0.
"""

import torch
from torch import Tensor

from coc_transformer.model.positions import COUNTERS

_FASTEST = 2.0  # radians per position, so that two neighbours differ clearly
_SLOWEST = 0.04  # so that no two positions of the longest lists look alike


def rotation_table(planes: int) -> Tensor:
    """The cosines and then the sines of each position's rotation in each plane, (positions, 2 * planes)."""
    speeds = torch.logspace(0, 1, planes, base=_SLOWEST / _FASTEST, dtype=torch.float64, device="cpu") * _FASTEST
    angles = torch.arange(COUNTERS[1], dtype=torch.float64, device="cpu")[:, None] * speeds
    return torch.cat((angles.cos(), angles.sin()), 1).float()


def rotated(x: Tensor, rotations: Tensor) -> Tensor:
    """Rotate the first components of queries or keys.

    Plane i consists of component i and component planes + i; the components after the planes stay.

    Args:
        x: (..., heads, seq, head_width).
        rotations: Rows of the rotation table, (..., 1, seq, 2 * planes).
    """
    cosines, sines = rotations.chunk(2, -1)
    planes = cosines.shape[-1]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return torch.cat((first * cosines - second * sines, first * sines + second * cosines, rest), -1)
