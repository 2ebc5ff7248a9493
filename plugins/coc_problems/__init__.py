"""Many problems: drawn from a domain, or read from the user's files; their prompts, and what their plans are worth."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
