"""Positions in torch: counts of a whole batch, and rotations. `coc_transformer.sequences` says what is counted."""

import torch
from torch import Tensor

from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL


def count(input_ids: Tensor, kinds: Tensor) -> Tensor:
    """Return the fields, items, digits and separators so far at each token (`coc_transformer.sequences`), (4, B, S), of
    ids, (B, S), and of the kind of each token of the vocabulary.
    """
    kind = kinds[input_ids]
    separates = kind == SEPARATOR_KIND
    begins_field, begins_item = (kind == FIELD) | separates, kind != SYMBOL
    items, digits = (kind == ITEM).cumsum(1), (kind == SYMBOL).cumsum(1)
    # Subtract what had been counted when the field, or the item, began.
    items = items - torch.where(begins_field, items, 0).cummax(1).values
    digits = digits - torch.where(begins_item, digits, 0).cummax(1).values
    return torch.stack((begins_field.cumsum(1), items, digits, separates.cumsum(1)))


def rotated(x: Tensor, rotations: Tensor) -> Tensor:
    """Rotate the first components of queries or keys, (..., H, S, W), by rows of the table, (..., 1, S, 2 P), so that
    scores depend on how far apart two places in a list are (Su et al., "RoFormer", 2021). Plane i has components i and
    P + i; those after the planes stay.
    """
    cosines, sines = rotations.chunk(2, -1)
    planes = cosines.shape[-1]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return torch.cat((first * cosines - second * sines, first * sines + second * cosines, rest), -1)
