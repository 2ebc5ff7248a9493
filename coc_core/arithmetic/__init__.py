"""Arithmetic oracles: who computes addresses, and how."""

from coc_core.arithmetic.addresses import (
    ADDRESS_DIALECT,
    ADDRESS_LENGTHS,
    AddressReference,
    address_prompt,
    address_prompts,
    address_target,
    registers_of,
)
from coc_core.arithmetic.expressions import parse_expression
from coc_core.arithmetic.learned import Learned
from coc_core.arithmetic.oracle import ArithmeticOracle, Inexact, Inline, Notation, Symbolic

__all__ = [
    "ADDRESS_DIALECT",
    "ADDRESS_LENGTHS",
    "AddressReference",
    "ArithmeticOracle",
    "Inexact",
    "Inline",
    "Learned",
    "Notation",
    "Symbolic",
    "address_prompt",
    "address_prompts",
    "address_target",
    "parse_expression",
    "registers_of",
]
