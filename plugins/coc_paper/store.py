"""The folder of a reproduction: every result that was computed, by the key of its task.

A result is believed if it has the digest that it was kept with. The digest has no key, so it doesn't stop somebody who
makes a new one. A result of other code stays; it is never taken for one of this code.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, PluginError, StorageError, UsageError
from coc_core.storage import lock_folder, parse_json_object, read_bytes, read_document, read_json, write_file
from coc_core.text import quoted
from coc_core.types import Amount
from coc_paper.origin import machine, sums_of
from coc_paper.tasks import Task, digest
from coc_paper.work import Done

MARKER = "reproduction.json"
_FORMAT = 4
_LARGEST = 1 << 26  # bytes


@frozen
class Store:
    """The results in a folder. Open one with `Store.open`.

    The folder has `MARKER`, `results/KEY.json` for each task, and `files/KEY` for those that leave files.
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path, *, create: bool) -> "Store":
        """Return the store in a folder, which is made where there is none if `create` says so.

        Raises:
            UsageError: Something else is there.
            ArtefactError: Another version of coc made it, or its marker is damaged.
            StorageError: It can't be made or read.
        """
        marker = folder / MARKER
        try:
            if not marker.exists():
                if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                    raise UsageError(f"{folder} exists and is not a reproduction", remedy="choose another folder")
                if create:
                    folder.mkdir(parents=True, exist_ok=True)
                    write_file(marker, _bytes({"format": _FORMAT}), "reproduction")
                return cls(folder)
        except OSError as error:
            raise StorageError(f"can't make the reproduction {folder}: {error.strerror or error}") from None
        if (found := read_json(marker, 1 << 16).get("format")) != _FORMAT:
            raise ArtefactError(
                f"{folder} has the format {found!r:.40}, and this coc writes {_FORMAT}",
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
        """Return the result of a task, if this code has computed it with these versions.

        Args:
            task: The task.
            with_files: Whether its files are used, too, and so have to be as they were.

        Raises:
            ArtefactError: Its file, or one of its files, was damaged or edited.
        """
        path, files = self._result(task), self.files(task)
        if not path.exists():
            return None
        kept = _kept(path)
        if with_files and kept.files != sums_of(files):
            raise ArtefactError(f"{files} was changed since it was made", remedy=f"delete it and {path}")
        return Done(kept.result, files, kept.seconds, kept.machine)

    def other(self, task: Task) -> Done | None:
        """Return the newest result of a task that other code has computed, or other versions.

        It says what differs: it can be shown, and nothing may build on it.

        Raises:
            ArtefactError: Its file was damaged or edited.
        """
        paths = (self.folder / "results").glob(f"{task.name}-*.json")
        found = [_kept(path) for path in paths if path != self._result(task)]
        if not found:
            return None
        kept = max(found, key=lambda each: each.made)
        made = f"coc {_short(kept.coc)}, {_short(kept.made[:10])}, {_short(kept.machine)}"
        words = _differences(kept.task.code, task.description["code"])
        return Done(kept.result, self.files(task), kept.seconds, kept.machine, f"{made}; {words}")

    def has(self, task: Task) -> bool:
        """Return whether there is a result, which is not read."""
        return self._result(task).exists()

    def keep(self, task: Task, result: Any, seconds: float) -> None:
        """Keep the result of a task.

        Raises:
            PluginError: It is not plain data.
            StorageError: It can't be written.
        """
        notes = {"seconds": round(seconds, 3), "machine": machine(), "files": sums_of(self.files(task))}
        notes |= {"coc": version("chain-of-computation"), "made": _now()}
        document = {"task": task.description, "result": result, **notes}
        try:
            document["sha256"] = _digest(document)
            data = _bytes(document)
        except (TypeError, ValueError) as error:
            raise PluginError(f"what {task.function} returned can't be written as JSON: {error}") from None
        path = self._result(task)
        _make(path.parent)
        write_file(path, data, "result")

    def files(self, task: Task) -> Path:
        """Return the folder of a task's files, which may not exist."""
        return self.folder / "files" / task.key

    def make_files(self, task: Task) -> Path:
        """Return the folder of a task's files, which is made."""
        _make(self.files(task))
        return self.files(task)

    def _result(self, task: Task) -> Path:
        return self.folder / "results" / f"{task.key}.json"


@frozen
class _Call:
    """A task, as `Task.description`. What older versions of coc know of the code has other names."""

    function: str
    arguments: Any
    needs: Mapping[str, str]
    code: Mapping[str, Any]


@frozen
class _Kept:
    """What the file of a result says."""

    task: _Call
    result: Any
    seconds: Amount
    machine: str
    files: Mapping[str, str]
    coc: str
    made: str
    sha256: str


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"can't make the folder {folder}: {error.strerror or error}") from None


def _kept(path: Path) -> _Kept:
    """Return the result in a file, which this or other code has computed; ArtefactError if it is not believed."""
    remedy = "delete the file"
    try:
        document = parse_json_object(read_bytes(path, _LARGEST), str(path))
        kept = read_document(_Kept, document, str(path))
    except ArtefactError as error:
        raise ArtefactError(str(error), remedy=remedy) from None
    if not path.stem.endswith(f"-{digest(document['task'], 12)}"):
        raise ArtefactError(f"{path} is not the result of its task", remedy=remedy)
    if document.pop("sha256") != _digest(document):
        raise ArtefactError(f"{path} was changed since it was computed", remedy=remedy)
    return kept


def _differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Return what differs between the code that made a result and today's, in words."""
    words = [] if there.get("sources") == here["sources"] else ["other code"]
    for name, today in here["libraries"].items():
        if (made := there["libraries"].get(name)) != today:
            words.append(f"{_short(name)} {_short(made)}, here {_short(today)}")
    return ", ".join(words) or "other plugins"


def _short(text: str | None) -> str:
    return quoted(text, 80)[1:-1] if text else "none"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _digest(document: Any) -> str:
    return sha256(json.dumps(document, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _bytes(document: Any) -> bytes:
    return (json.dumps(document, indent=1, allow_nan=False) + "\n").encode()
