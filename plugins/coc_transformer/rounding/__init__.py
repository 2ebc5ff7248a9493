"""How far float32 can be off: rigorous bounds on the logit margins of a model's targets."""

from coc_transformer.rounding.margins import target_margin

__all__ = ["target_margin"]
