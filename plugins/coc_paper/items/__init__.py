"""The items: a module for each table or figure of the paper."""

from coc_paper.item import Budget, Item
from coc_paper.items import (
    ablations,
    eight,
    growth,
    holdout,
    hyperparameters,
    instances,
    networks,
    pairs,
    shipped,
    stack,
    traces,
    windows,
)

_MODULES = (
    traces,
    hyperparameters,
    growth,
    pairs,
    stack,
    holdout,
    networks,
    ablations,
    instances,
    eight,
    shipped,
    windows,
)

ITEMS = {each.ITEM.name: each.ITEM for each in _MODULES}
"""Every item by its name, those that take least first."""

__all__ = ["ITEMS", "Budget", "Item"]
