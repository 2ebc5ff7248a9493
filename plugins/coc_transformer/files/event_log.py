"""TensorBoard's log of a training, written while the training goes on; nothing is read from it. A training that is
resumed adds a file, at which TensorBoard forgets the steps that were not stored.
"""

import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.storage import refusing

_KIND = "TensorBoard log"
_TAGS = {
    "loss": "loss",
    "lr": "learning_rate",
    "train_exact": "exact/training_pairs",
    "heldout_exact": "exact/held_out_pairs",
}
"""The numbers that are logged, by their names in `METRICS`, and what each is called."""


_PREFIX = "events.out.tfevents."


def check_event_log(folder: Path, training: str = "") -> None:
    """Make a folder for `EventLog`; UsageError if it has a log of another training, or tensorboard can't be imported,
    StorageError if it can't be made.
    """
    _tensorboard()
    with refusing(folder, _KIND):
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(f"{_PREFIX}*"):
            if not path.name.endswith(f".{training}"):
                raise UsageError(f"{folder} has a TensorBoard log already", remedy="choose another folder for it")


class EventLog:
    """A log that is being written; close it at the end. `training`, a part of the file's name, tells it from others,
    and `begun` is the step after which it goes on. UsageError as for `check_event_log`; StorageError, also of `add`, if
    a file can't be written.
    """

    def __init__(self, folder: Path, training: str, begun: int) -> None:
        self._folder = folder
        check_event_log(folder, training)
        self._events, self._summaries, records = _tensorboard()
        with refusing(folder, _KIND):
            self._file = (folder / f"{_PREFIX}{time.time_ns()}.{training}").open("xb", buffering=0)
            self._writer = records.RecordWriter(self._file)
            self._write(file_version="brain.Event:2")
            start = self._events.SessionLog(status=self._events.SessionLog.START)
            self._write(step=begun + 1, session_log=start)

    def add(self, values: Mapping[str, Any]) -> None:
        """Add the numbers of a line of `METRICS`."""
        value = self._summaries.Summary.Value
        found = [
            value(tag=tag, simple_value=values[name]) for name, tag in _TAGS.items() if values.get(name) is not None
        ]
        with refusing(self._folder, _KIND):
            self._write(step=values["step"], summary=self._summaries.Summary(value=found))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, **content: Any) -> None:
        self._writer.write(self._events.Event(wall_time=time.time(), **content).SerializeToString())


def _tensorboard() -> tuple[Any, Any, Any]:
    """Return what tensorboard has for events, their summaries, and the records of a file."""
    parts = ("compat.proto.event_pb2", "compat.proto.summary_pb2", "summary.writer.record_writer")
    with needs_extra("tensorboard", "a TensorBoard log needs tensorboard"):
        event, summary, record = (import_module(f"tensorboard.{part}") for part in parts)
    return event, summary, record
