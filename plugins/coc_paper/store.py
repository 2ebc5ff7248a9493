"""The folder of a reproduction: a JSON document for each result, by the key of its task.

A result is believed if it has the digest that it was kept with. The digest has no key, so it doesn't stop somebody who
makes a new one. A result of other code stays; it is never taken for one of this code.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.storage import read_json, refusing, write_file
from coc_paper.origin import machine, sums_of
from coc_paper.tasks import Done, Task, digest

MARKER = "reproduction.json"
_KIND = "reproduction"
_LARGEST = 1 << 26  # bytes


@frozen
class Store:
    """The results in a folder: `MARKER`, `results/KEY.json` for each task, and `files/KEY` for the files it leaves."""

    folder: Path

    @classmethod
    def open(cls, folder: Path, *, create: bool) -> "Store":
        """Return the store in a folder, which `create` makes; UsageError if something else is there."""
        marker = folder / MARKER
        with refusing(folder, _KIND):
            if folder.exists() and not marker.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise UsageError(f"{folder} exists and is not a reproduction", remedy="choose another folder")
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                write_file(marker, b'{\n "format": 4\n}\n', _KIND)
                for name in ("results", "files"):
                    (folder / name).mkdir(exist_ok=True)
        return cls(folder)

    def has(self, task: Task) -> bool:
        """Return whether this code has computed a task, with these versions; its result is not read."""
        return self._path(task).exists()

    def find(self, task: Task, *, with_files: bool = False) -> Done | None:
        """Return the result of a task, or else the newest one of other code or versions, which says what differs.

        ArtefactError if its document was damaged or edited or, `with_files`, one of its files.
        """
        path, files, other = self._path(task), self.files(task), ""
        if path.exists():
            kept = _read(path)
            if with_files and kept["files"] != sums_of(files):
                raise ArtefactError(f"{files} was changed since it was made", remedy=f"delete it and {path}")
        elif found := [*map(_read, path.parent.glob(f"{task.name}-*.json"))]:
            kept = max(found, key=itemgetter("made"))
            words = _differences(kept["task"]["code"], task.description["code"])
            other = f"coc {kept['coc']}, {kept['made'][:10]}, {kept['machine']}; {words}"
        else:
            return None
        return Done(kept["result"], files, kept["seconds"], kept["machine"], other)

    def keep(self, task: Task, result: Any, seconds: float) -> None:
        """Keep the result of a task; PluginError if it is not plain data, StorageError if it can't be written."""
        notes = {"seconds": round(seconds, 3), "machine": machine(), "files": sums_of(self.files(task))}
        notes |= {"coc": version("chain-of-computation"), "made": datetime.now(UTC).isoformat(timespec="seconds")}
        document = {"task": task.description, "result": result, **notes}
        try:
            text = json.dumps(document | {"sha256": _digest(document)}, indent=1)
        except (TypeError, ValueError) as error:
            raise PluginError(f"what {task.function} returned can't be written as JSON: {error}") from None
        write_file(self._path(task), f"{text}\n".encode(), "result")

    def files(self, task: Task) -> Path:
        """Return the folder of a task's files, which may not exist."""
        return self.folder / "files" / task.key

    def _path(self, task: Task) -> Path:
        return self.folder / "results" / f"{task.key}.json"


def _read(path: Path) -> dict[str, Any]:
    """Return the document of a result, which this or other code has made; ArtefactError if it is not believed."""
    try:
        document = read_json(path, _LARGEST)
        made = document.pop("sha256", "") == _digest(document)
        if not (made and path.stem.endswith(f"-{digest(document['task'], 12)}")):
            raise ArtefactError(f"{path} was changed since it was computed")
    except ArtefactError as error:
        error.remedy = "delete the file"
        raise
    return document


def _differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Return what differs between the code that made a result and today's, in words."""
    words = [] if there.get("sources") == here["sources"] else ["other code"]
    for name, today in here["libraries"].items():
        if (made := there["libraries"].get(name)) != today:
            words.append(f"{name} {made or 'none'}, here {today or 'none'}")
    return ", ".join(words) or "other plugins"


def _digest(document: Any) -> str:
    return sha256(json.dumps(document, sort_keys=True, allow_nan=False).encode()).hexdigest()
