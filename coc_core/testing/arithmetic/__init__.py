"""What every arithmetic has to get right."""

from coc_core.testing.arithmetic.subject import ArithmeticSubject

__all__ = ["ArithmeticSubject"]
