"""Where a token stands, as the model is told.

`absolute`: its index in the sequence, as in GPT-2. `structural`: three counts, so that a longer number or list moves
nothing behind it: the fields so far, the items in this field (the places of a list), and the digits in this item.
All three depend on the tokens before alone, as a decoder needs it.
"""

import torch
from torch import Tensor

from coc_transformer.tokens import FIELD, ITEM, SYMBOL

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
