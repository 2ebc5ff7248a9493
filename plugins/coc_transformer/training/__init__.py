"""Training: the loop, its hardware, its measurements and the model card."""

from coc_transformer.training.presets import PRESETS

__all__ = ["PRESETS"]
