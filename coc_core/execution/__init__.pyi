from .auto import Auto as Auto
from .cached import Cached as Cached
from .executor import (
    CACHE_BYTES as CACHE_BYTES,
    Executor as Executor,
    Sequential as Sequential,
    attributed_to as attributed_to,
    take_step as take_step,
)
from .lockstep import Lockstep as Lockstep
from .machine import Anchor as Anchor, Listener as Listener, Machine as Machine
from .record import ProcedureSummary as ProcedureSummary, StepRecord as StepRecord, SummaryListener as SummaryListener
from .speculative import Speculative as Speculative, draft_steps as draft_steps
from .summary import Summaries as Summaries, Summary as Summary
