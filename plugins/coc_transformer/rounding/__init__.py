"""How far float32 can be off: rigorous bounds on the logit margins of a model's targets."""

from coc_transformer.rounding.margins import float32_assumptions, target_margin

__all__ = ["float32_assumptions", "target_margin"]
