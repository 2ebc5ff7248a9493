"""The plugins that are installed, looked up once for all tests that only read them."""

from coc_core.plugin import Registry

REGISTRY = Registry.installed()
