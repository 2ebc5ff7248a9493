"""Snapshots, from which an interrupted training is resumed."""

from coc_transformer.snapshots.event_log import check_event_log
from coc_transformer.snapshots.interruption import StopRequest, stop_request
from coc_transformer.snapshots.place import check_working_folder, is_begun, stretches_of, working_folder
from coc_transformer.snapshots.record import Progress, Stretch
from coc_transformer.snapshots.snapshot import WorkingFolder

__all__ = [
    "Progress",
    "StopRequest",
    "Stretch",
    "WorkingFolder",
    "check_event_log",
    "check_working_folder",
    "is_begun",
    "stop_request",
    "stretches_of",
    "working_folder",
]
