"""Forgetting what `coc_paper` has read of sources, as a new process does."""

import importlib
import sys

from coc_paper.origin import imports, sources


def anew(package="made_up", *, plugins=True):
    """Forget the sources and the modules of a package, and, which takes a while to find again, the plugins."""
    for module in (imports, sources):
        for name, each in vars(module).items():
            if hasattr(each, "cache_clear") and (plugins or name not in ("_registry", "_hooks")):
                each.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    importlib.invalidate_caches()
