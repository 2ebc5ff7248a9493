"""The folder of a reproduction: every result that was computed, by the key of its task."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.storage import lock_folder, read_json, write_file
from coc_paper.machine import machine
from coc_paper.tasks import Done, Task

MARKER = "reproduction.json"
_FORMAT = 2
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

    def find(self, task: Task) -> Done | None:
        """The result of a task, if it was computed; ArtefactError if its file is damaged."""
        path = self._result(task)
        if not path.exists():
            return None
        try:
            document = read_json(path, _LARGEST)
        except ArtefactError as error:
            raise ArtefactError(str(error), remedy="delete the file") from None
        if not _is_result(document, task):
            raise ArtefactError(f"{path} is not the result of its task", remedy="delete the file")
        return Done(document["result"], self.files(task), document["seconds"], document["machine"])

    def has(self, task: Task) -> bool:
        """Whether there is a result, which is not read."""
        return self._result(task).exists()

    def keep(self, task: Task, result: Any, seconds: float) -> None:
        """Keep the result of a task; StorageError if it can't be written."""
        document = {"task": task.description, "result": result, "seconds": round(seconds, 3), "machine": machine()}
        path = self._result(task)
        self._make(path.parent)
        write_file(path, _bytes(document), "result")

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


def _is_result(document: Mapping[str, Any], task: Task) -> bool:
    """Whether a file has a result of the task, with the notes that are kept beside it."""
    return (
        document.keys() == {"task", "result", "seconds", "machine"}
        and document["task"] == _plain(task.description)
        and type(document["seconds"]) in (int, float)
        and isinstance(document["machine"], str)
    )


def _bytes(document: Any) -> bytes:
    return (json.dumps(document, indent=1) + "\n").encode()


def _plain(document: Any) -> Any:
    """A document as it is after it was written and read: tuples are lists."""
    return json.loads(json.dumps(document))
