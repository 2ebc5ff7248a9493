"""TensorBoard's log of a training: an event file, written while the training goes on.

The file has no place in the checkpoint, and nothing is read from it. A training that is resumed writes a new one, from
the notes that were kept, and removes the old one; so each step is there once, however often it was interrupted.
"""

import os
import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.storage import absolute, refusing, scratch_folder

_KIND = "TensorBoard log"
_TAGS = {
    "loss": "loss",
    "lr": "learning_rate",
    "train_exact": "exact/training_pairs",
    "heldout_exact": "exact/held_out_pairs",
}
"""The numbers that are logged, by their names in `METRICS`, and what each is called."""

_INFIX = "tfevents"
"""What the names of all event files have, by which TensorBoard finds them."""

_PREFIX = "events.out.tfevents."
_VERSION = "brain.Event:2"  # of the format, which a file begins with


def check_event_log(folder: Path, *, resume: bool) -> None:
    """Check that `EventLog` can write to a folder, before anything is computed, and change nothing.

    Args:
        folder: The folder, which may not exist yet.
        resume: Whether the log that it may have is continued.

    Raises:
        UsageError: It has a log that is not continued, or tensorboard can't be imported.
        StorageError: It can't be written.
    """
    _tensorboard()
    with refusing(folder, _KIND):
        place = absolute(folder)
        while not place.exists():
            place = place.parent
        with scratch_folder(place / f"log-{os.getpid()}"):
            pass
        if not resume and place == absolute(folder) and _logs(folder):
            raise UsageError(
                f"{folder} has a TensorBoard log already", remedy="choose another folder, or continue with --resume"
            )


class EventLog:
    """A log that is being written. Close it at the end.

    Args:
        folder: Its folder, which is made if it does not exist. Earlier logs of the same training are removed.
        training: What tells the training from others, as part of a file's name.
        noted: The lines of `METRICS` that there are already, of a training that is resumed.
        seconds: How long that training has taken so far.

    Raises:
        UsageError: The folder has a log of another training, or tensorboard can't be imported.
        StorageError: The folder can't be written; `add` raises it, too.
    """

    def __init__(
        self, folder: Path, training: str, noted: Iterable[Mapping[str, Any]] = (), seconds: float = 0.0
    ) -> None:
        self._folder = folder
        self._events, self._summaries, records = _tensorboard()
        self._begun = time.time() - seconds
        self._seconds = 0.0
        with refusing(folder, _KIND):
            folder.mkdir(parents=True, exist_ok=True)
            before = _logs(folder)
            number = 1 + max((_number(path, training) for path in before), default=0)
            self._file = (folder / f"{_PREFIX}{number:06}.{training}").open("xb")
            try:
                self._writer = records.RecordWriter(self._file)
                self._write(file_version=_VERSION)
                # A reader of an earlier file is told to forget its steps.
                self._write(session_log=self._events.SessionLog(status=self._events.SessionLog.START))
                for values in noted:
                    self._add(values)
                self._file.flush()
                for path in before:
                    path.unlink()
            except BaseException:
                self.close()
                raise

    def add(self, values: Mapping[str, Any]) -> None:
        """Add the numbers of a line of `METRICS`."""
        with refusing(self._folder, _KIND):
            self._add(values)
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # where the disk is full, there was an error before
            self._file.close()

    def _add(self, values: Mapping[str, Any]) -> None:
        self._seconds = values.get("seconds", self._seconds)
        found = [
            self._summaries.Summary.Value(tag=tag, simple_value=values[name])
            for name, tag in _TAGS.items()
            if values.get(name) is not None
        ]
        if found:
            self._write(step=values["step"], summary=self._summaries.Summary(value=found))

    def _write(self, **content: Any) -> None:
        event = self._events.Event(wall_time=self._begun + self._seconds, **content)
        self._writer.write(event.SerializeToString())


def _logs(folder: Path) -> list[Path]:
    """The event files in a folder."""
    return [path for path in folder.iterdir() if _INFIX in path.name]


def _number(path: Path, training: str) -> int:
    """The number of an event file of a training; UsageError if it is of another one."""
    found = re.fullmatch(rf"{re.escape(_PREFIX)}([0-9]{{6}})\.{re.escape(training)}", path.name)
    if found is None:
        raise UsageError(f"{path.parent} has a TensorBoard log of another training", remedy="choose another folder")
    return int(found[1])


def _tensorboard() -> tuple[Any, Any, Any]:
    """What tensorboard has for events, their summaries, and the records of a file."""
    with needs_extra("tensorboard", "a TensorBoard log needs tensorboard"):
        return (
            import_module("tensorboard.compat.proto.event_pb2"),
            import_module("tensorboard.compat.proto.summary_pb2"),
            import_module("tensorboard.summary.writer.record_writer"),
        )
