"""The items of `coc reproduce` by their names, as the installed plugins offer them."""

from coc_core.plugin import ItemSpec
from tests.support.installed_plugins import REGISTRY

ITEMS = {spec.name: REGISTRY.load(spec, spec.item) for spec in REGISTRY.specs(ItemSpec)}
