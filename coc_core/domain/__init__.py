"""Domains: problems, policies and rules; and what follows from them: samples, plans, scenes, shortest plans."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
