"""TensorBoard's log of a training: an event file, written while the training goes on. It has no place in the
checkpoint, and nothing is read from it. A training that is resumed writes a new one, from the notes that were kept, and
removes the old one; so each step is there once, however often it was interrupted.
"""

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
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
_VERSION = "brain.Event:2"  # of the format, which a file begins with


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
    """A log that is being written; close it at the end. Earlier logs of the same training are removed: `training`, a
    part of the file's name, tells it from others, and `noted` are the lines of `METRICS` that there are already.
    UsageError as for `check_event_log`; StorageError, also of `add`, if a file can't be written.
    """

    def __init__(self, folder: Path, training: str, noted: Iterable[Mapping[str, Any]] = ()) -> None:
        self._folder = folder
        check_event_log(folder, training)
        self._events, self._summaries, records = _tensorboard()
        with refusing(folder, _KIND):
            before = list(folder.glob(f"{_PREFIX}*"))
            self._file = (folder / f"{_PREFIX}{time.time_ns()}.{training}").open("xb")
            self._writer = records.RecordWriter(self._file)
            try:
                self._write(file_version=_VERSION)
                # A reader of an earlier file is told to forget its steps.
                self._write(session_log=self._events.SessionLog(status=self._events.SessionLog.START))
                for values in noted:
                    self.add(values)
                self._file.flush()
                for path in before:
                    path.unlink()
            except BaseException:
                self.close()
                raise

    def add(self, values: Mapping[str, Any]) -> None:
        """Add the numbers of a line of `METRICS`."""
        value = self._summaries.Summary.Value
        found = [
            value(tag=tag, simple_value=values[name]) for name, tag in _TAGS.items() if values.get(name) is not None
        ]
        with refusing(self._folder, _KIND):
            self._write(step=values["step"], summary=self._summaries.Summary(value=found))
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # where the disk is full, there was an error before
            self._file.close()

    def _write(self, **content: Any) -> None:
        self._writer.write(self._events.Event(wall_time=time.time(), **content).SerializeToString())


def _tensorboard() -> tuple[Any, Any, Any]:
    """Return what tensorboard has for events, their summaries, and the records of a file."""
    with needs_extra("tensorboard", "a TensorBoard log needs tensorboard"):
        return (
            import_module("tensorboard.compat.proto.event_pb2"),
            import_module("tensorboard.compat.proto.summary_pb2"),
            import_module("tensorboard.summary.writer.record_writer"),
        )
