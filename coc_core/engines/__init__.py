"""Engines: where shards of work are done by many workers, and what becomes of them when workers are lost."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
