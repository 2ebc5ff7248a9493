"""Memories and the conventions that turn a policy into the text of each memory."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
