"""The items: a module for each table or figure of the paper."""

from coc_paper.items import eight, growth, holdout, instances, pairs, stack, traces
from coc_paper.items.item import Budget, Item

ITEMS = {each.ITEM.name: each.ITEM for each in (traces, growth, pairs, stack, holdout, instances, eight)}
"""Every item by its name, those that take least first."""

__all__ = ["ITEMS", "Budget", "Item"]
