"""Execution: the machine that commits steps, and the executors that drive it."""

from coc_core.execution.auto import Auto
from coc_core.execution.cached import Cached
from coc_core.execution.executor import CACHE_BYTES, Executor, attributed_to, take_step
from coc_core.execution.lockstep import Lockstep
from coc_core.execution.loops import Anchor
from coc_core.execution.machine import Listener, Machine
from coc_core.execution.record import ProcedureSummary, StepRecord, SummaryListener
from coc_core.execution.sequential import Sequential
from coc_core.execution.speculative import Speculative, draft_steps
from coc_core.execution.summaries import Summaries
from coc_core.execution.summary import MOST_STEPS, Summary

__all__ = [
    "CACHE_BYTES",
    "MOST_STEPS",
    "Anchor",
    "Auto",
    "Cached",
    "Executor",
    "Listener",
    "Lockstep",
    "Machine",
    "ProcedureSummary",
    "Sequential",
    "Speculative",
    "StepRecord",
    "Summaries",
    "Summary",
    "SummaryListener",
    "attributed_to",
    "draft_steps",
    "take_step",
]
