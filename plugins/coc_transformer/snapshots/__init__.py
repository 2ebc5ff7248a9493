"""What lets a training that was cut off go on."""

from coc_transformer.snapshots.interruption import Request, stop_request
from coc_transformer.snapshots.metrics import METRICS
from coc_transformer.snapshots.snapshot import Progress, Working, working

__all__ = [
    "METRICS",
    "Progress",
    "Request",
    "Working",
    "stop_request",
    "working",
]
