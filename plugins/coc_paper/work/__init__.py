"""What tasks do: each function is called with a folder, the results that it builds on, and its task's arguments."""

from pathlib import Path
from typing import Any

from attrs import frozen

CHECKPOINT = "checkpoint"
"""The folder of the model that a training leaves in its task's folder."""


@frozen
class Done:
    """The result of a task.

    Attributes:
        result: What its function returned, as plain data.
        folder: Its folder, where files may be.
        seconds: How long it took.
        machine: What it was computed on.
        other: Who made it and what differs, if other code made it, or other versions or hardware; else empty.
    """

    result: Any
    folder: Path
    seconds: float = 0.0
    machine: str = ""
    other: str = ""
