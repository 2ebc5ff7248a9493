from .addresses import (
    ADDRESS_DIALECT as ADDRESS_DIALECT,
    AddressReference as AddressReference,
    address_prompt as address_prompt,
    address_prompts as address_prompts,
    address_target as address_target,
    registers_of as registers_of,
    results_of as results_of,
)
from .expressions import parse_expression as parse_expression
from .learned import Learned as Learned
from .oracle import (
    MOST_MISTAKES as MOST_MISTAKES,
    ArithmeticOracle as ArithmeticOracle,
    Inexact as Inexact,
    Inline as Inline,
    Notation as Notation,
    Symbolic as Symbolic,
)
