"""The items of `coc reproduce` by their names, as the installed plugins offer them."""

from coc_paper.items import item_of, item_specs
from tests.support.installed_plugins import REGISTRY

ITEMS = {name: item_of(REGISTRY, name) for name in item_specs(REGISTRY)}
