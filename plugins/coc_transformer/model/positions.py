"""Where a token stands, as the model is told.

`absolute`: its index in the sequence, as in GPT-2. `structural`: three counts, so that a longer number or list moves
nothing behind it: the fields so far, the items in this field (the places of a list), and the digits in this item.
All three depend on the tokens before alone, as a decoder needs it.
"""

import torch
from torch import Tensor

from coc_transformer.tokenizer import FIELD, ITEM, SYMBOL

POSITIONS = ("absolute", "structural")
COUNTERS = (64, 128, 16)
"""The sizes of the three counts; whatever is beyond counts as the last."""


def counts(ids: Tensor, kinds: Tensor, before: Tensor | None = None) -> Tensor:
    """Fields, items and digits for each token, (3, B, T), from ids (B, T) and the kind of each id (V,).

    `before` are the counts of the token in front, (3, B), none at the beginning of a sequence.
    """
    kind = kinds[ids]
    begins_field, begins_item = kind == FIELD, kind != SYMBOL
    fields = begins_field.cumsum(1)
    items, digits = (kind == ITEM).cumsum(1), (kind == SYMBOL).cumsum(1)
    if before is not None:
        fields, items, digits = (
            count + start[:, None] for count, start in zip((fields, items, digits), before, strict=True)
        )
    # What was counted up to where the field, or the item, began does not count.
    items = items - torch.where(begins_field, items, 0).cummax(1).values
    digits = digits - torch.where(begins_item, digits, 0).cummax(1).values
    return torch.stack((fields, items, digits))


def ends(counted: Tensor) -> Tensor:
    """How many places behind its own item's each token ends a list, (B, T): 0 but for those that do.

    What comes behind a list of n items has begun a new field, at item 0, and ends the list at place n + 1. `counted`
    are the counts of each token and of the one in front of the first, (3, B, 1 + T).
    """
    fields, items, _ = counted.unbind()
    listed = items[:, :-1]
    return torch.where((fields[:, 1:] > fields[:, :-1]) & (listed > 0), listed + 1, 0)
