"""The folder of a reproduction: every result that was computed, by the key of its task.

A result is believed if it is of its task, has the digest that it was kept with, and has no number out of its range. The
digest has no key, so it doesn't stop somebody who makes a new one.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.storage import lock_folder, read_document, read_json, write_file
from coc_core.types import Amount
from coc_paper.machine import machine
from coc_paper.ranges import out_of_range
from coc_paper.sources import sums_of
from coc_paper.tasks import Done, Task

MARKER = "reproduction.json"
_FORMAT = 3
_LARGEST = 1 << 26  # bytes


@frozen
class Store:
    """The results in a folder. Open one with `Store.open`.

    The folder has `MARKER`, `results/KEY.json` for each task, and `files/KEY` for those that leave files.
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path, *, create: bool) -> "Store":
        """The store in a folder.

        Args:
            folder: The folder.
            create: Whether to make it where there is none.

        Raises:
            UsageError: Something else is there.
            ArtefactError: Another version of coc made it, or its marker is damaged.
            StorageError: It can't be made or read.
        """
        marker = folder / MARKER
        ours = {"format": _FORMAT, "coc": version("chain-of-computation")}
        try:
            if folder.exists() and not folder.is_dir():
                raise UsageError(f"{folder} exists and is not a folder", remedy="choose another place")
            if not marker.exists():
                if folder.is_dir() and any(folder.iterdir()):
                    raise UsageError(f"{folder} exists and is not a reproduction", remedy="choose another folder")
                if create:
                    folder.mkdir(parents=True, exist_ok=True)
                    write_file(marker, _bytes(ours), "reproduction")
                return cls(folder)
        except OSError as error:
            raise StorageError(f"can't make the reproduction {folder}: {error.strerror or error}") from None
        found = read_json(marker, 1 << 12)
        if found != ours:
            raise ArtefactError(
                f"{folder} was made by coc {found.get('coc')!r:.40}, format {found.get('format')!r:.40}; this is coc"
                f" {ours['coc']}, format {_FORMAT}",
                remedy="choose another folder with --out",
            )
        return cls(folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this process while the block runs; StorageError if another one has it."""
        try:
            descriptor = lock_folder(self.folder)
        except BlockingIOError:
            raise StorageError(
                f"another process computes in {self.folder}", remedy="wait until it has ended, or choose another --out"
            ) from None
        except OSError as error:
            raise StorageError(f"can't open {self.folder}: {error.strerror or error}") from None
        try:
            yield
        finally:
            os.close(descriptor)

    def find(self, task: Task, *, with_files: bool = False) -> Done | None:
        """The result of a task, if this code has computed it.

        Args:
            task: The task.
            with_files: Whether its files are used, too, and so have to be as they were.

        Raises:
            ArtefactError: Its file, or one of its files, was damaged or edited.
        """
        path, files = self._result(task), self.files(task)
        if not path.exists():
            return None
        try:
            document = read_json(path, _LARGEST)
            kept = read_document(_Kept, document, str(path))
        except ArtefactError as error:
            raise ArtefactError(str(error), remedy="delete the file") from None
        if wrong := _wrong(document, task):
            raise ArtefactError(f"{path} {wrong}", remedy="delete the file")
        if with_files and kept.files != self._sums(task):
            raise ArtefactError(f"{files} was changed since it was made", remedy=f"delete it and {path}")
        return Done(kept.result, files, kept.seconds, kept.machine)

    def has(self, task: Task) -> bool:
        """Whether there is a result, which is not read."""
        return self._result(task).exists()

    def keep(self, task: Task, result: Any, seconds: float) -> None:
        """Keep the result of a task; StorageError if it can't be written."""
        notes = {"seconds": round(seconds, 3), "machine": machine(), "files": self._sums(task)}
        document = {"task": task.description, "result": result, **notes}
        path = self._result(task)
        self._make(path.parent)
        write_file(path, _bytes(document | {"sha256": _digest(document)}), "result")

    def of_other_code(self, tasks: Iterable[Task]) -> list[Task]:
        """The tasks without a result that other code, or other versions of Python or torch, have computed or begun."""
        folders = [self.folder / name for name in ("results", "files")]
        names = {path.name.partition("-")[0] for each in folders if each.is_dir() for path in each.iterdir()}
        return [task for task in tasks if task.name in names and not self.has(task) and not self.files(task).exists()]

    def files(self, task: Task) -> Path:
        """The folder of a task's files, which may not exist."""
        return self.folder / "files" / task.key

    def make_files(self, task: Task) -> Path:
        """The folder of a task's files, which is made."""
        self._make(self.files(task))
        return self.files(task)

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"can't make the folder {folder}: {error.strerror or error}") from None

    def _result(self, task: Task) -> Path:
        return self.folder / "results" / f"{task.key}.json"

    def _sums(self, task: Task) -> dict[str, str]:
        return sums_of(self.files(task), self.files(task).rglob("*"))


@frozen
class _Kept:
    """What the file of a result says."""

    task: Any
    result: Any
    seconds: Amount
    machine: str
    files: Mapping[str, str]
    sha256: str


def _wrong(document: dict[str, Any], task: Task) -> str:
    """Why a file is not believed; empty if it is."""
    digest = document.pop("sha256")
    if document["task"] != _plain(task.description):
        return "is not the result of its task"
    if digest != _digest(document):
        return "was changed since it was computed"
    reason = out_of_range(document["result"])
    return f"can't be right: {reason}" if reason else ""


def _digest(document: Any) -> str:
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _bytes(document: Any) -> bytes:
    return (json.dumps(document, indent=1) + "\n").encode()


def _plain(document: Any) -> Any:
    """A document as it is after it was written and read: tuples are lists."""
    return json.loads(json.dumps(document))
