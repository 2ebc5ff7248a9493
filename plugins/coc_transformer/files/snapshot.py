"""The working folder beside the checkpoint that is being trained: what is needed to resume the training. Its `snapshot`
is a folder like a checkpoint's, replaced whole: how far the training has come, the tensors of its state, the metrics,
and SHA256SUMS. Only one process at a time is in the working folder.
"""

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from json import dumps
from pathlib import Path
from typing import Any

import torch
from attrs import asdict, field, frozen, validators
from torch import Tensor

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.extras import needs_extra
from coc_core.models import CONFIG
from coc_core.storage import (
    Contents,
    absolute,
    check_sums,
    fresh_folder,
    lock_folder,
    read_bytes,
    read_document,
    read_json,
    refusing,
    write_files,
)
from coc_learn.trainer import METRICS
from coc_transformer.files import checkpoint, weights

SNAPSHOT, PROGRESS, STATE = "snapshot", "progress.json", "state.safetensors"
LARGEST_METRICS = 1 << 32  # bytes
LARGEST = 64_000  # bytes of them that go into a checkpoint
_SHORT = 12  # digits of a fingerprint that tell a job from others in a file's name


@frozen
class Progress:
    """How far a training has come: steps, tokens, seconds, and the step since which all pairs are exact, or 0."""

    step: int = field(default=0, validator=validators.ge(0))
    tokens: int = field(default=0, validator=validators.ge(0))
    seconds: float = field(default=0.0, validator=validators.ge(0))
    exact_at: int = field(default=0, validator=validators.ge(0))


class WorkingFolder:
    """The working folder of one training, `job`'s: `lock` is a descriptor of it, locked by this process until it is
    closed, and `tensorboard` the folder of a log to which notes go, too.
    """

    def __init__(self, folder: Path, job: str, lock: int, tensorboard: Path | None = None) -> None:
        self._folder, self._job, self._lock, self._tensorboard = folder, job, lock, tensorboard
        self._place, self.metrics = folder / SNAPSHOT, list[bytes]()
        self._log: EventLog | None = None

    @property
    def stored(self) -> bool:
        """Whether it has a snapshot."""
        return self._place.exists()

    def load(self, state: Mapping[str, Tensor], steps: int) -> Progress:
        """Read the latest snapshot, if any, into tensors with its names and shapes, some of which may have changed if
        there is an error; return the progress in a training of so many steps. UsageError if it is of another job,
        ArtefactError if it is damaged.
        """
        try:
            progress = self._load(state, steps) if self.stored else Progress()
        except ArtefactError as error:
            remedy = f"delete {self._folder} and train from the beginning"
            raise ArtefactError(error.message, remedy=remedy) from None
        if self._tensorboard is not None:
            self._log = EventLog(self._tensorboard, self._job[:_SHORT], progress.step)
        return progress

    def _load(self, state: Mapping[str, Tensor], steps: int) -> Progress:
        place = self._place
        check_sums(place, {name: checkpoint.sum_of(place / name) for name in (PROGRESS, STATE, METRICS)})
        document = read_json(place / PROGRESS)
        if document.pop("job", None) != self._job:
            raise UsageError(
                f"{self._folder} contains a training with other pairs or hyperparameters",
                remedy=f"repeat its command with --resume, or delete {self._folder} and train from the beginning",
            )
        progress = read_document(Progress, document, str(place / PROGRESS), sparse=True)
        if progress.step > steps:
            raise ArtefactError(f"{place} is ahead of the training, which has {steps} steps")
        for name, array in weights.read(place / STATE, {name: tuple(each.shape) for name, each in state.items()}):
            state[name].copy_(torch.from_numpy(array))
        self.metrics = read_bytes(place / METRICS, LARGEST_METRICS).splitlines(keepends=True)
        return progress

    def note(self, **values: object) -> None:
        """Add a line to the metrics, and to the log."""
        self.metrics.append((dumps(values, allow_nan=False) + "\n").encode())
        if self._log is not None:
            self._log.add(values)

    def store(self, progress: Progress, tensors: Mapping[str, Tensor]) -> None:
        """Store a snapshot; StorageError if that fails, and the previous one is kept."""
        document = {"job": self._job, **asdict(progress)}
        files: dict[str, Contents] = {
            PROGRESS: dumps(document).encode(),
            STATE: weights.of_tensors(tensors),
            METRICS: b"".join(self.metrics),
        }
        before = self.stored
        try:
            with fresh_folder(self._place, marker=PROGRESS, kind="snapshot") as fresh:
                write_files(fresh, checkpoint.sealed(files))
        except StorageError as error:
            if before:
                remedy = "free some space and resume with --resume"
                raise StorageError(f"{error.message}; the one before is intact", remedy=remedy) from error
            raise

    def remove(self) -> None:
        """Remove the snapshot, and the folder if nothing else is in it."""
        try:
            shutil.rmtree(self._place, ignore_errors=not self.stored)
            if not any(self._folder.iterdir()):
                self._folder.rmdir()
        except OSError as error:
            raise StorageError(f"can't remove {self._folder}: {error.strerror or error}") from error

    def close(self) -> None:
        """Unlock the folder, and close the log."""
        os.close(self._lock)
        if self._log is not None:
            self._log.close()


def subsampled(lines: list[bytes], most: int = LARGEST) -> bytes:
    """Return every line, or every second, fourth, ... counted from the last: at most `most` bytes."""
    while sum(map(len, lines)) > most:
        lines = lines[-1::-2][::-1] if len(lines) > 1 else []
    return b"".join(lines)


def check_working_folder(out: Path, *, resume: bool) -> None:
    """Check that `working_folder` can be entered, and change nothing; arguments and errors are the same."""
    with _making(out):
        folder = _beside(out)
        if not folder.exists():
            if resume and (out / CONFIG).exists():
                raise UsageError(f"{out} is finished", remedy="train anew without --resume")
            return
        if not folder.is_dir():
            raise UsageError(f"{folder} exists and is not a folder", remedy="choose another place")
        os.close(lock_folder(folder))
        if not resume:
            raise UsageError(
                f"{folder} contains an interrupted training", remedy="resume it with --resume, or delete that folder"
            )


@contextmanager
def working_folder(out: Path, job: str, *, resume: bool, tensorboard: Path | None = None) -> Iterator[WorkingFolder]:
    """Give the working folder of the checkpoint `out`, made if needed, and removed if nothing was stored in it. Notes
    go to a log in the folder `tensorboard`, too. UsageError if it exists and `resume` is false, or another process uses
    it; StorageError if it can't be made.
    """
    check_working_folder(out, resume=resume)
    with _making(out):
        folder = _beside(out)
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        found = WorkingFolder(folder, job, lock_folder(folder), tensorboard)
    try:
        yield found
    finally:
        if new and not found.stored:
            with suppress(StorageError):
                found.remove()
        found.close()


@contextmanager
def _making(out: Path) -> Iterator[None]:
    try:
        yield
    except BlockingIOError:
        raise UsageError(f"another process is training in {_beside(out)}", remedy="wait for it, or end it") from None
    except OSError as error:
        raise StorageError(f"can't make the working folder of {out}: {error.strerror or error}") from None


def _beside(out: Path) -> Path:
    """Return the working folder of a checkpoint."""
    place = absolute(out)
    return place.with_name(place.name + ".training")


# ── TensorBoard ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
    """TensorBoard's log of a training, written while the training goes on; nothing is read from it. A training that is
    resumed adds a file, at which TensorBoard forgets the steps that were not stored. Close it at the end. `training`, a
    part of the file's name, tells it from others, and `begun` is the step after which it goes on. UsageError as for
    `check_event_log`; StorageError, also of `add`, if a file can't be written.
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
