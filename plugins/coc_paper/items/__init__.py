"""The items: a module for each table or figure of the paper."""

from coc_paper.items import (
    ablations,
    eight,
    growth,
    holdout,
    hyperparameters,
    instances,
    pairs,
    shipped,
    stack,
    traces,
    windows,
)
from coc_paper.items.item import Budget, Item

_MODULES = (traces, hyperparameters, growth, pairs, stack, holdout, ablations, instances, eight, shipped, windows)

ITEMS = {each.ITEM.name: each.ITEM for each in _MODULES}
"""Every item by its name, those that take least first."""

__all__ = ["ITEMS", "Budget", "Item"]
