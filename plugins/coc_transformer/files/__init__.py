"""A checkpoint's files: config.json, the weights, and all of a folder. Nothing here needs torch."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
