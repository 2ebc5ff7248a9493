"""A run as one page for a browser."""

from coc_core.view.recorded_run import RecordedRun

__all__ = [
    "RecordedRun",
]
