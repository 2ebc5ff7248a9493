"""The items: a module for each table or figure of the paper, and those of other plugins."""

import re

from coc_core.errors import PluginError
from coc_core.plugin import ItemSpec, Registry
from coc_paper.item import Item

__all__ = ["item_of", "item_specs"]


def item_specs(registry: Registry) -> dict[str, ItemSpec]:
    """Return the items by their names, in the order in which plugins offer them, coc's first."""
    offered = {spec.name: spec for spec in registry.specs(ItemSpec)}
    order = [spec.name for plugin in registry.plugins for spec in plugin.specs if isinstance(spec, ItemSpec)]
    return {name: offered[name] for name in dict.fromkeys(order) if name in offered}


def item_of(registry: Registry, name: str) -> Item:
    """Return the item of that name; errors as for `Registry.find`, and PluginError for one that can't be used."""
    spec = registry.find(ItemSpec, name)
    item = registry.load(spec, spec.item)
    if not isinstance(item, Item) or item.name != name or not re.fullmatch(r"[\w-]+", name):
        raise PluginError(f"{spec.item} is not a `coc_paper.item.Item` with the name {name!r}, of letters and hyphens")
    return item
