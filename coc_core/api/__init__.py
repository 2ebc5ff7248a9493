"""The front door: what `import coc_core as coc` offers, and what the command line calls."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
