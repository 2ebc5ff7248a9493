"""The working folder beside the checkpoint that is being trained: what is needed to resume the training. It has
`metrics.jsonl`, a line for each report and measurement, and a snapshot: a safetensors file and `snapshot.json`, which
names it with its SHA-256 sum. Each is written under another name, flushed to the disk and renamed; the new snapshot is
valid from the moment that `snapshot.json` is renamed. Only one process at a time is in the folder. A Ctrl-C ends a
training once the current step is finished and stored.
"""

import errno
import os
import re
import signal
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from json import dumps
from pathlib import Path
from types import FrameType
from typing import IO, Any

import torch
from attrs import asdict, evolve, field, frozen, validators
from torch import Tensor

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.models import CONFIG
from coc_core.storage import absolute, lock_folder, parse_json_object, read_bytes, read_json
from coc_learn.trainer import METRICS
from coc_transformer.files import from_json, weights
from coc_transformer.model import tensor_contents
from coc_transformer.snapshots.event_log import EventLog

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Whether the training was asked to stop."""

    def __init__(self) -> None:
        self.made = False


@contextmanager
def stop_request() -> Iterator[StopRequest]:
    """Only record Ctrl-C or SIGTERM while the block runs; a second one takes effect at once. Does nothing outside the
    main thread, which no signal reaches, and to an ignored signal, as a shell's background jobs ignore interrupts.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}

    def note(number: int, _frame: FrameType | None) -> None:
        request.made = True
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


STATE = r"state-[0-9]{1,9}\.safetensors"  # the name of a state's file

_COUNT: Any = validators.ge(0)


@frozen
class Progress:
    """How far a training has come: steps, tokens, seconds, and the step since which all pairs are exact, or 0."""

    step: int = field(default=0, validator=_COUNT)
    tokens: int = field(default=0, validator=_COUNT)
    seconds: float = field(default=0.0, validator=_COUNT)
    exact_at: int = field(default=0, validator=_COUNT)


@frozen
class Snapshot:
    """The contents of `snapshot.json`: the fingerprint of the job, length and SHA-256 of the metrics, name and SHA-256
    of the state's file, the SHA-256 of everything else, and what some older versions kept, whose digest includes it.
    """

    job: str
    step: int = field(validator=_COUNT)
    tokens: int = field(validator=_COUNT)
    seconds: float = field(validator=_COUNT)
    metrics: int = field(validator=_COUNT)
    metrics_sha256: str
    state: str = field(validator=validators.matches_re(STATE))
    sha256: str
    digest: str
    stretches: tuple[Any, ...] = ()
    exact_at: int = field(default=0, validator=_COUNT)

    @classmethod
    def sealed(cls, progress: Progress, **others: Any) -> "Snapshot":
        """Return a snapshot with its digest."""
        unsealed = cls(**asdict(progress), **others, digest="")
        return evolve(unsealed, digest=unsealed.seal())

    def seal(self) -> str:
        """Return the digest that goes with the other values."""
        newer = ("stretches", "exact_at")
        facts = asdict(evolve(self, digest=""), filter=lambda key, value: key.name not in newer or bool(value))
        return sha256(dumps(facts).encode()).hexdigest()

    @property
    def progress(self) -> Progress:
        """How far the training had come."""
        return Progress(self.step, self.tokens, self.seconds, self.exact_at)


LARGEST_FILE = 1 << 32  # bytes
LARGEST = 64_000  # bytes that go into a checkpoint


def subsampled(lines: bytes, most: int = LARGEST) -> bytes:
    """Return every line, or every second, fourth, ... counted from the last: at most `most` bytes."""
    kept = lines.splitlines(keepends=True)
    while sum(map(len, kept)) > most:
        kept = kept[-1::-2][::-1] if len(kept) > 1 else []
    return b"".join(kept)


SNAPSHOT = "snapshot.json"
_PART = ".part"
_SHORT = 12  # digits of a fingerprint that tell a job from others in a file's name


class WorkingFolder:
    """The working folder of one training, `job`'s: `lock` is a descriptor of it, locked by this process until it is
    closed, and `tensorboard` the folder of a log to which notes go, too.
    """

    def __init__(self, folder: Path, job: str, lock: int, tensorboard: Path | None = None) -> None:
        self._folder, self._job, self._lock, self._tensorboard = folder, job, lock, tensorboard
        self._stored: Snapshot | None = None
        self._log: EventLog | None = None

    @property
    def stored(self) -> bool:
        """Whether it has a snapshot."""
        return self._stored is not None

    def load(self, state: Mapping[str, Tensor], steps: int) -> Progress:
        """Read the latest snapshot, if any, into tensors with its names and shapes, some of which may have changed if
        there is an error; return the progress in a training of so many steps. UsageError if it is of another job,
        ArtefactError if it is damaged.
        """
        path = self._folder / SNAPSHOT
        if not path.exists():
            return Progress()
        remedy = f"delete {self._folder} and train from the beginning"
        try:
            stored = from_json(Snapshot, read_json(path), str(path))
            if stored.job != self._job or len(stored.stretches) > 1:
                raise UsageError(
                    f"{self._folder} contains a training with other pairs or hyperparameters",
                    remedy=f"repeat its command with --resume, or {remedy}",
                )
            tensors = self._folder / stored.state
            shapes = {name: tuple(tensor.shape) for name, tensor in state.items()}
            with weights.opened(tensors, shapes) as file:
                if file_digest(file, "sha256").hexdigest() != stored.sha256:
                    raise ArtefactError(f"{tensors} does not have the SHA-256 that {SNAPSHOT} gives")
            if stored.step > steps or not self._has_metrics(stored.metrics):
                raise ArtefactError(f"{path} is ahead of the training: it has more steps or metrics than there are")
            if stored.digest != stored.seal() or stored.metrics_sha256 != self._sum(stored.metrics):
                raise ArtefactError(f"{path} or the metrics beside it were changed")
            for name, array in weights.read(tensors, shapes):
                state[name].copy_(torch.from_numpy(array))
        except ArtefactError as error:
            raise ArtefactError(error.message, remedy=remedy) from None
        self._stored = stored
        return stored.progress

    def begin(self) -> None:
        """Delete what is not part of the latest snapshot; the metrics are cut to their length at that time."""
        stored = self._stored
        with self._storing("can't write"):
            self._clear({stored.state, SNAPSHOT, METRICS} if stored else set())
            with self._metrics() as file:
                file.truncate(stored.metrics if stored else 0)
        if self._tensorboard is not None:
            lines = enumerate(self._noted().splitlines(), start=1)
            noted = (parse_json_object(line, f"{self._folder / METRICS}: line {number}") for number, line in lines)
            self._log = EventLog(self._tensorboard, self._job[:_SHORT], noted)

    def note(self, **values: object) -> None:
        """Add a line to the metrics, and to the log."""
        with self._storing("can't write the metrics in"), self._metrics() as file:
            file.write((dumps(values, allow_nan=False) + "\n").encode())
        if self._log is not None:
            self._log.add(values)

    def store(self, progress: Progress, tensors: Mapping[str, Tensor]) -> None:
        """Store a snapshot; StorageError if that fails, and the previous one is kept."""
        with self._storing("can't write a snapshot in"):
            state = f"state-{progress.step}.safetensors"
            with self._metrics() as file:
                os.fsync(file.fileno())
                length = file.tell()
            if self._stored is None or self._stored.state != state:  # a step has one state only
                digest = self._replace(state, tensor_contents(tensors))
            else:
                digest = self._stored.sha256
            stored = Snapshot.sealed(
                progress,
                job=self._job,
                metrics=length,
                metrics_sha256=self._sum(length),
                state=state,
                sha256=digest,
            )
            self._replace(SNAPSHOT, [(dumps(asdict(stored), indent=2) + "\n").encode()])
            self._stored = stored
            self._clear({state, SNAPSHOT, METRICS})

    def subsampled(self) -> bytes:
        """Return the metrics in the form that goes into a checkpoint."""
        with self._storing("can't read the metrics in"):
            return subsampled(self._noted())

    def remove(self) -> None:
        """Remove the training's files, and the folder if nothing else is in it."""
        self._stored = None
        with self._storing("can't remove"):
            self._clear(set())
            if not any(self._folder.iterdir()):
                self._folder.rmdir()

    def close(self) -> None:
        """Unlock the folder, and close the log."""
        os.close(self._lock)
        if self._log is not None:
            self._log.close()

    def _metrics(self) -> IO[bytes]:
        """Return the file of the metrics, to be added to; OSError if it is not a regular one, which could block."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
        file = os.fdopen(os.open(self._folder / METRICS, flags, 0o666), "ab")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise OSError(errno.EINVAL, f"{METRICS} is not a regular file")
        return file

    def _sum(self, length: int) -> str:
        """Return the SHA-256 of the first `length` bytes of the metrics; ArtefactError if they can't be read."""
        return sha256(self._noted()[:length]).hexdigest()

    def _noted(self) -> bytes:
        return read_bytes(self._folder / METRICS, LARGEST_FILE)

    @contextmanager
    def _storing(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            message = f"{what} {self._folder}: {error.strerror or error}"
            if self._stored is None:
                raise StorageError(message) from error
            raise StorageError(
                f"{message}; the last snapshot, of step {self._stored.step}, is intact",
                remedy="free some space and resume with --resume",
            ) from error

    def _replace(self, name: str, parts: Iterable[bytes | memoryview]) -> str:
        """Write a file, given in parts, whole or not at all; returns its SHA-256."""
        part, digest = self._folder / (name + _PART), sha256()
        part.unlink(missing_ok=True)
        with part.open("xb") as file:
            for data in parts:
                file.write(data)
                digest.update(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._folder / name)
        os.fsync(self._lock)  # flushes the folder's entries
        return digest.hexdigest()

    def _clear(self, keep: set[str]) -> None:
        """Delete the training's files except some, `snapshot.json` first."""
        ours = [path for path in self._folder.iterdir() if _is_ours(path.name) and path.name not in keep]
        for path in sorted(ours, key=lambda path: path.name != SNAPSHOT):
            path.unlink()

    def _has_metrics(self, length: int) -> bool:
        try:
            return (self._folder / METRICS).stat().st_size >= length
        except OSError:
            return length == 0


def _is_ours(name: str) -> bool:
    whole = name.removesuffix(_PART)
    return whole in (SNAPSHOT, METRICS) or re.fullmatch(STATE, whole) is not None


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
