"""Training: the loop, its hardware, its measurements and the model card."""

from coc_transformer.training.hyperparameters import PRESETS

__all__ = ["PRESETS"]
