"""Domains: problems, policies and rules, and the plans, operators and scenes that follow from them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
