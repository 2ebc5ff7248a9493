"""Proof: what a plan of any length does, known without running it; and plans as grammars."""

from coc_core.proof.operators import Assignment, HasOperators, Operator, compose
from coc_core.proof.summary import ProcedureSummary

__all__ = [
    "Assignment",
    "HasOperators",
    "Operator",
    "ProcedureSummary",
    "compose",
]
