from .oracle import (
    MOST_MISTAKES as MOST_MISTAKES,
    ArithmeticOracle as ArithmeticOracle,
    Inexact as Inexact,
    Inline as Inline,
    Notation as Notation,
    Symbolic as Symbolic,
    parse_expression as parse_expression,
)
