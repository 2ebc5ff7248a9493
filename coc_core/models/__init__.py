"""Models: the interface, calls in batches, checkpoints, and what a backend that trains or exports has to offer."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
