"""Options, stated once: the command line is generated from them, and the front door takes them by keyword."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
