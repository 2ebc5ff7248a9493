from .auto import Auto as Auto
from .cached import Cached as Cached
from .executor import (
    CACHE_BYTES as CACHE_BYTES,
    Executor as Executor,
    attributed_to as attributed_to,
    take_step as take_step,
)
from .lockstep import Lockstep as Lockstep
from .loops import Anchor as Anchor
from .machine import Listener as Listener, Machine as Machine
from .record import ProcedureSummary as ProcedureSummary, StepRecord as StepRecord, SummaryListener as SummaryListener
from .sequential import Sequential as Sequential
from .speculative import Speculative as Speculative, draft_steps as draft_steps
from .summaries import Summaries as Summaries
from .summary import Summary as Summary
