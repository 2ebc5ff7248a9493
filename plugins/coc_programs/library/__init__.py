"""A library for programs: numbers, lists, heaps, maps, arrays and texts as records, and procedures on them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
