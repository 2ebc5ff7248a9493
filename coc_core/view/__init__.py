"""A run, or a plan of any length, as one page for a browser."""

from coc_core.view.plan import write_plan
from coc_core.view.recorded_run import RecordedRun

__all__ = [
    "RecordedRun",
    "write_plan",
]
