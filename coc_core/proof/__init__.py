"""Proof: what a plan of any length does, known without running it; plans as grammars; certificates."""

from coc_core.proof.certificate import Certificate, Claim, Rule
from coc_core.proof.operators import Assignment, HasOperators, Operator, compose, has_operators
from coc_core.proof.plan import GrammarPlan
from coc_core.proof.plan_grammar import GrammarRecorder, format_plan, is_grammar, is_plan_file, read_plan
from coc_core.proof.summary import ProcedureSummary, SummaryListener

__all__ = [
    "Assignment",
    "Certificate",
    "Claim",
    "GrammarPlan",
    "GrammarRecorder",
    "HasOperators",
    "Operator",
    "ProcedureSummary",
    "Rule",
    "SummaryListener",
    "compose",
    "format_plan",
    "has_operators",
    "is_grammar",
    "is_plan_file",
    "read_plan",
]
