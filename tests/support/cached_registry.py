"""The installed plugins, looked up once for many commands in one process and in those that are forked from it."""

from contextlib import ExitStack, contextmanager
from functools import cache
from unittest import mock

from coc_core.plugin import Registry, registry


@contextmanager
def remembered_plugins():
    """While the block runs, the entry points that are installed are read and loaded once."""
    with ExitStack() as stack:
        for name in ("installed", "load"):
            stack.enter_context(mock.patch.object(registry, name, cache(getattr(registry, name))))
        Registry.installed()
        yield
