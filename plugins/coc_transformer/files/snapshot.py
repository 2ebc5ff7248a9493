"""The working folder beside the checkpoint that is being trained: what is needed to resume the training. Its `snapshot`
is a folder like a checkpoint's, replaced whole: how far the training has come, the tensors of its state, the metrics,
and SHA256SUMS. Only one process at a time is in the working folder.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from json import dumps
from pathlib import Path

import torch
from attrs import asdict, field, frozen, validators
from torch import Tensor

from coc_core.errors import ArtefactError, StorageError, UsageError
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
    write_files,
)
from coc_learn.trainer import METRICS
from coc_transformer.files import checkpoint, weights

SNAPSHOT, PROGRESS, STATE = "snapshot", "progress.json", "state.safetensors"
LARGEST_METRICS = 1 << 32  # bytes
LARGEST = 64_000  # bytes of them that go into a checkpoint


@frozen
class Progress:
    """How far a training has come: steps, tokens, seconds, and the step since which all pairs are exact, or 0."""

    step: int = field(default=0, validator=validators.ge(0))
    tokens: int = field(default=0, validator=validators.ge(0))
    seconds: float = field(default=0.0, validator=validators.ge(0))
    exact_at: int = field(default=0, validator=validators.ge(0))


class WorkingFolder:
    """The working folder of one training, `job`'s: `lock` is a descriptor of it, locked by this process until it is
    closed.
    """

    def __init__(self, folder: Path, job: str, lock: int) -> None:
        self._folder, self._job, self._lock = folder, job, lock
        self._place, self.metrics = folder / SNAPSHOT, list[bytes]()

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
            return self._load(state, steps) if self.stored else Progress()
        except ArtefactError as error:
            remedy = f"delete {self._folder} and train from the beginning"
            raise ArtefactError(error.message, remedy=remedy) from None

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
        """Add a line to the metrics."""
        self.metrics.append((dumps(values, allow_nan=False) + "\n").encode())

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
        """Unlock the folder."""
        os.close(self._lock)


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
def working_folder(out: Path, job: str, *, resume: bool) -> Iterator[WorkingFolder]:
    """Give the working folder of the checkpoint `out`, made if needed, and removed if nothing was stored in it.
    UsageError if it exists and `resume` is false, or another process uses
    it; StorageError if it can't be made.
    """
    check_working_folder(out, resume=resume)
    with _making(out):
        folder = _beside(out)
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        found = WorkingFolder(folder, job, lock_folder(folder))
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
