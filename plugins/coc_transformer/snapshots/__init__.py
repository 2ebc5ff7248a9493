"""Snapshots, from which an interrupted training is resumed."""

from coc_transformer.snapshots.event_log import check_event_log
from coc_transformer.snapshots.snapshot import (
    Progress,
    StopRequest,
    WorkingFolder,
    check_working_folder,
    stop_request,
    working_folder,
)

__all__ = [
    "Progress",
    "StopRequest",
    "WorkingFolder",
    "check_event_log",
    "check_working_folder",
    "stop_request",
    "working_folder",
]
