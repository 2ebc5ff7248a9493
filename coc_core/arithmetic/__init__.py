"""Arithmetic oracles: who computes addresses, and how."""

from coc_core.arithmetic.addresses import (
    ADDRESS_DIALECT,
    AddressReference,
    address_prompt,
    address_prompts,
    address_target,
    registers_of,
    results_of,
)
from coc_core.arithmetic.expressions import parse_expression
from coc_core.arithmetic.learned import Learned
from coc_core.arithmetic.oracle import MOST_MISTAKES, ArithmeticOracle, Inexact, Inline, Notation, Symbolic

__all__ = [
    "ADDRESS_DIALECT",
    "MOST_MISTAKES",
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
    "results_of",
]
