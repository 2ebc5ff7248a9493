"""The items of `coc reproduce` by their names, as the installed plugins offer them."""

from coc_paper.items import item_of, item_specs
from tests.support.installed_plugins import REGISTRY

ITEMS = {name: item_of(REGISTRY, name) for name in item_specs(REGISTRY)}


def parameters(name, budget, **values):
    """The parameters of an item for a budget, some of them other than by default."""
    return ITEMS[name].parameters(budget=budget, **values)
