"""What positions count: the fields so far, the items in this field, the digits in this item, and the separators."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from coc_transformer.tokenizer import ITEM, SEPARATOR_KIND, SYMBOL

Counts = tuple[int, int, int, int]
NONE: Counts = (0, 0, 0, 0)


def after(counts: Counts, kind: int) -> Counts:
    """Return the counts of a token of some kind, from those of the token before it. A separator begins a field, too."""
    fields, items, digits, separators = counts
    if kind == SYMBOL:
        return fields, items, digits + 1, separators
    if kind == ITEM:
        return fields, items + 1, 0, separators
    return fields + 1, 0, 0, separators + (kind == SEPARATOR_KIND)


def counts_of(kinds: Sequence[int], ids: Iterable[int]) -> list[Counts]:
    """Return the counts of each token of a sequence."""
    return list(accumulate((kinds[token] for token in ids), after, initial=NONE))[1:]
