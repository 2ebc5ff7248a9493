"""What every arithmetic has to get right."""

from coc_check.arithmetic.subject import ArithmeticSubject

__all__ = ["ArithmeticSubject"]
