"""Execution: the machine that commits steps, and the executors that drive it."""

from coc_core.execution.auto import Auto
from coc_core.execution.cached import Cached
from coc_core.execution.executor import Executor, attributed_to, take_step
from coc_core.execution.lockstep import Lockstep
from coc_core.execution.machine import Listener, Machine
from coc_core.execution.record import StepRecord
from coc_core.execution.sequential import Sequential
from coc_core.execution.speculative import Speculative
from coc_core.execution.summaries import Summaries
from coc_core.execution.summary import MOST_STEPS, Summary
from coc_core.execution.voting import Vote, describe_votes

__all__ = [
    "MOST_STEPS",
    "Auto",
    "Cached",
    "Executor",
    "Listener",
    "Lockstep",
    "Machine",
    "Sequential",
    "Speculative",
    "StepRecord",
    "Summaries",
    "Summary",
    "Vote",
    "attributed_to",
    "describe_votes",
    "take_step",
]
