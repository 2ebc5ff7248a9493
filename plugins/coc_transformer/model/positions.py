"""How the position of a token is encoded.

`absolute`: its index in the sequence, as in GPT-2. `structural`: three counts, so that a longer number or list shifts
nothing after it: the fields so far, the items in this field (the positions in a list), and the digits in this item.
`fields`: the same without the items, so that nothing tells where in a list an item is. A name occurs once in a list, so
the items beside it are found by name, and what was learned on short lists holds for long ones.
All counts depend on the preceding tokens alone, as a decoder requires.

Rotary: attention sees how far apart two places in a list are, by the method of Su et al., "RoFormer", 2021, applied to
the place within the field instead of the index in the sequence. To copy a list, the model attends to the next place of
another list: a rotation by one place is a single thing to learn. Tokens outside lists have place 0.
"""

import torch
from torch import Tensor

from coc_transformer.files import COUNTERS
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL


def count(input_ids: Tensor, kinds: Tensor) -> Tensor:
    """Return the counts of fields, items, digits and separators at each token, (4, batch, seq), of ids, (batch, seq),
    and of the kind of each token of the vocabulary: `FIELD`, `ITEM` or `SYMBOL`. A separator begins a field, too.
    """
    kind = kinds[input_ids]
    separates = kind == SEPARATOR_KIND
    begins_field, begins_item = (kind == FIELD) | separates, kind != SYMBOL
    fields, separators = begins_field.cumsum(1), separates.cumsum(1)
    items, digits = (kind == ITEM).cumsum(1), (kind == SYMBOL).cumsum(1)
    # Subtract what had been counted when the field, or the item, began.
    items = items - torch.where(begins_field, items, 0).cummax(1).values
    digits = digits - torch.where(begins_item, digits, 0).cummax(1).values
    return torch.stack((fields, items, digits, separators))


_FASTEST = 2.0  # radians per position, so that two neighbours differ clearly
_SLOWEST = 0.04  # so that no two positions of the longest lists look alike


def rotation_table(planes: int) -> Tensor:
    """Return the cosines and then the sines of each position's rotation in each plane, (positions, 2 * planes)."""
    speeds = torch.logspace(0, 1, planes, base=_SLOWEST / _FASTEST, dtype=torch.float64, device="cpu") * _FASTEST
    angles = torch.arange(COUNTERS[1], dtype=torch.float64, device="cpu")[:, None] * speeds
    return torch.cat((angles.cos(), angles.sin()), 1).float()


def rotated(x: Tensor, rotations: Tensor) -> Tensor:
    """Rotate the first components of queries or keys, (..., heads, seq, head_width), by rows of the rotation table,
    (..., 1, seq, 2 * planes). Plane i consists of component i and component planes + i; the components after the planes
    stay.
    """
    cosines, sines = rotations.chunk(2, -1)
    planes = cosines.shape[-1]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return torch.cat((first * cosines - second * sines, first * sines + second * cosines, rest), -1)
