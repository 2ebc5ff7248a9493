"""The folder of a reproduction: every result that was computed, by the key of its task.

A result is believed if it is of its task, has the digest that it was kept with, and has no number out of its range. The
digest has no key, so it doesn't stop somebody who makes a new one. A result of other code stays; it is never taken for
one of this code.
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
from coc_core.text import counted, quoted
from coc_core.types import Amount
from coc_paper.origin import machine, sums_of
from coc_paper.ranges import out_of_range
from coc_paper.tasks import Task, digest
from coc_paper.work import Done

MARKER = "reproduction.json"
_FORMAT = 4
_LARGEST = 1 << 26  # bytes
_NAMED = 3  # modules that are named where more differ


@frozen
class Store:
    """The results in a folder. Open one with `Store.open`.

    The folder has `MARKER`, `results/KEY.json` for each task, and `files/KEY` for those that leave files.
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path, *, create: bool, settings: Mapping[str, str] | None = None) -> "Store":
        """The store in a folder.

        Args:
            folder: The folder.
            create: Whether to make it where there is none.
            settings: What `--set` changes, by `ITEM.PARAMETER`, which is the same for all results in a folder; None to
                take it as it is.

        Raises:
            UsageError: Something else is there, or results of other settings.
            ArtefactError: Another version of coc made it, or its marker is damaged.
            StorageError: It can't be made or read.
        """
        marker, ours = folder / MARKER, {"format": _FORMAT, "set": dict(settings or {})}
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
        found = read_json(marker, 1 << 16)
        if found.get("format") != _FORMAT:
            raise ArtefactError(
                f"{folder} has the format {found.get('format')!r:.40}, and this coc writes {_FORMAT}",
                remedy="choose another folder with --out",
            )
        theirs = read_document(_Marker, found, str(marker)).set
        if settings is not None and theirs != settings:
            raise UsageError(
                f"{folder} has results {_set(theirs)}, and this command is {_set(settings)}",
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
        """The result of a task, if this code has computed it with these versions and on this kind of hardware.

        Args:
            task: The task.
            with_files: Whether its files are used, too, and so have to be as they were.

        Raises:
            ArtefactError: Its file, or one of its files, was damaged or edited.
        """
        path, files = self._result(task), self.files(task)
        if not path.exists() and not path.is_symlink():
            return None
        kept = _kept(path, task)
        if with_files and kept.files != self._sums(task):
            raise ArtefactError(f"{files} was changed since it was made", remedy=f"delete it and {path}")
        return Done(kept.result, files, kept.seconds, kept.machine)

    def other(self, task: Task) -> Done | None:
        """The newest result of a task that other code has computed, or other versions, or other hardware.

        It says what differs: it can be shown, and nothing may build on it.

        Raises:
            ArtefactError: Its file was damaged or edited.
        """
        paths = sorted((self.folder / "results").glob(f"{task.name}-*.json"))
        found = [_kept(path, task) for path in paths if path != self._result(task)]
        if not found:
            return None
        kept = max(found, key=lambda each: each.made)
        made = f"coc {_short(kept.coc)}, {_short(kept.made[:10])}, {_short(kept.machine)}"
        words = "; ".join(_differences(kept.task, task)) or self._differences_before(task)
        return Done(kept.result, self.files(task), kept.seconds, kept.machine, f"{made}; {words}")

    def _differences_before(self, task: Task) -> str:
        """What differs where only something does that the task builds on."""
        before = [found.other.partition("; ")[2] for need in task.needs.values() if (found := self.other(need))]
        return f"what it builds on: {before[0] if before else 'a result that is not here'}"

    def begun(self, task: Task) -> bool:
        """Whether other code has begun the task and left files, which nothing goes on from."""
        return any(path != self.files(task) for path in (self.folder / "files").glob(f"{task.name}-*"))

    def has(self, task: Task) -> bool:
        """Whether there is a result, which is not read."""
        return self._result(task).exists()

    def keep(self, task: Task, result: Any, seconds: float) -> None:
        """Keep the result of a task.

        Raises:
            PluginError: It is not plain data.
            StorageError: It can't be written.
        """
        notes = {"seconds": round(seconds, 3), "machine": machine(), "files": self._sums(task)}
        notes |= {"coc": version("chain-of-computation"), "made": _now()}
        document = {"task": task.description, "result": result, **notes}
        try:
            document["sha256"] = _digest(document)
            data = _bytes(document)
        except (TypeError, ValueError) as error:
            raise PluginError(f"what {task.function} returned can't be written as JSON: {error}") from None
        path = self._result(task)
        self._make(path.parent)
        write_file(path, data, "result")

    def files(self, task: Task) -> Path:
        """The folder of a task's files, which may not exist."""
        return self.folder / "files" / task.key

    def make_files(self, task: Task) -> Path:
        """The folder of a task's files, which is made."""
        self._make(self.files(task))
        return self.files(task)

    def _make(self, folder: Path) -> None:
        if link := next((path for path in (folder, folder.parent) if path != self.folder and path.is_symlink()), None):
            raise StorageError(f"{link} is a link", remedy="put a folder in its place")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"can't make the folder {folder}: {error.strerror or error}") from None

    def _result(self, task: Task) -> Path:
        return self.folder / "results" / f"{task.key}.json"

    def _sums(self, task: Task) -> dict[str, str]:
        return sums_of(self.files(task), self.files(task).rglob("*"))


@frozen
class _Marker:
    """What the file `MARKER` says."""

    format: int
    set: Mapping[str, str]


@frozen
class _Code:
    """What made a result, as `code_of`."""

    parts: tuple[str, ...]
    modules: Mapping[str, str]
    libraries: Mapping[str, str]
    checkpoints: Mapping[str, str]
    hardware: str

    @property
    def named(self) -> tuple[Mapping[str, str], ...]:
        """What is known by its name."""
        return self.modules, self.libraries, self.checkpoints


@frozen
class _Call:
    """A task, as `Task.description`."""

    function: str
    arguments: Any
    needs: Mapping[str, str]
    code: _Code


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


def _kept(path: Path, task: Task) -> _Kept:
    """The result in a file, which this or other code has computed; ArtefactError if it is not believed."""
    try:
        document = parse_json_object(read_bytes(path, _LARGEST, links=False), str(path))
        kept = read_document(_Kept, document, str(path))
    except ArtefactError as error:
        raise ArtefactError(str(error), remedy="delete the file") from None
    if wrong := _wrong(path, document, task):
        raise ArtefactError(f"{path} {wrong}", remedy="delete the file")
    return kept


def _wrong(path: Path, document: dict[str, Any], task: Task) -> str:
    """Why a file is not believed; empty if it is."""
    found, call = document["task"], _plain(task.call)
    before = {name: key.partition("-")[0] for name, key in found["needs"].items()}
    same = {name: found[name] for name in call} == call and before == {n: each.name for n, each in task.needs.items()}
    if not same or path.stem != f"{task.name}-{digest(found, 12)}":
        return "is not the result of its task"
    if document.pop("sha256") != _digest(document):
        return "was changed since it was computed"
    reason = out_of_range(document["result"]) if task.function.startswith("coc_paper.") else ""
    return f"can't be right: {reason}" if reason else ""


def _differences(made: _Call, task: Task) -> list[str]:
    """What differs between what made a result and what would make it today, in words."""
    here: _Code = read_document(_Code, _plain(task.description["code"]), "the code")
    there, words = made.code, list[str]()
    pairs = zip(there.named, here.named, strict=True)
    modules, libraries, checkpoints = (
        sorted({name for name, _ in one.items() ^ other.items()}) for one, other in pairs
    )
    if modules or there.parts != here.parts:
        more = [counted(len(modules) - _NAMED, "more module")] if len(modules) > _NAMED else []
        words.append(f"other code: {', '.join(map(_short, [*modules[:_NAMED], *more])) or 'parts of plugins'}")
    for name in libraries:
        versions = [_short(each.libraries.get(name)) for each in (there, here)]
        words.append(f"{_short(name)} {versions[0]}, here {versions[1]}")
    words += [f"another checkpoint {_short(name)}" for name in checkpoints]
    if there.hardware != here.hardware:
        words.append(f"on {_short(there.hardware)}, here {_short(here.hardware)}")
    return words


def _short(text: str | None) -> str:
    return quoted(text, 80)[1:-1] if text else "none"


def _set(settings: Mapping[str, str]) -> str:
    if not settings:
        return "without --set"
    return "with " + " ".join(f"--set {name}={quoted(text, 40)[1:-1]}" for name, text in settings.items())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _digest(document: Any) -> str:
    return sha256(json.dumps(document, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _bytes(document: Any) -> bytes:
    return (json.dumps(document, indent=1, allow_nan=False) + "\n").encode()


def _plain(document: Any) -> Any:
    """A document as it is after it was written and read: tuples are lists."""
    return json.loads(json.dumps(document))
