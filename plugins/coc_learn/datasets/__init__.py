"""Datasets: prompt-target pairs, how they are drawn, stored, sampled and verified."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
