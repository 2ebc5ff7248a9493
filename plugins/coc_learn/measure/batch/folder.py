"""A folder with the plans of the user's problems, which grows as problems are solved.

It has a file for each plan, and `results.jsonl`: a line that says what the problems are run with, and then a line for
each problem whose run has ended. A plan is in its place before its line is written, so whatever ends the process, each
line has its plan. A plan that was removed since is made again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from attrs import asdict, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import lock_folder, parse_json_object, read_document, refusing
from coc_learn.measure.batch.ended import Ended, Failure, Score

RESULTS = "results.jsonl"
SUFFIX = ".plan"

_NEW = ".new"  # what a plan is called until it is whole
_KIND = "folder of plans"


@frozen
class Result:
    """A line of the results: how a run ended. There is a plan unless it failed."""

    source: str
    problem: str
    score: Score
    failure: Failure | None

    @property
    def ended(self) -> Ended:
        """The same, without the plan."""
        return Ended(self.source, self.problem, self.score, self.failure)

    @property
    def line(self) -> bytes:
        """The line that `parse` reads."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes, where: str) -> "Result":
        """The result in a line; ArtefactError, which says where the line is, unless it is one that coc writes."""
        found = read_document(cls, parse_json_object(line, where), where)
        is_solved = found.failure is None
        totals = found.score.instances, found.score.successes
        drawn = found.failure is not None and found.failure.seed is not None
        if totals != (1, is_solved) or drawn:
            raise ArtefactError(f"{where} is not a result as coc writes it")
        return found


class PlanFolder:
    """The folder while it is open; no other process has it then. Make one with `open_plans`."""

    def __init__(self, folder: Path, results: dict[str, Result], log: IO[bytes]) -> None:
        self._folder = folder
        self._results = results
        self._log = log

    def ended(self, source: str, problem: str) -> Ended | None:
        """How the run of a problem has ended before; None if it has not, or if its plan is no longer there."""
        found = self._results.get(source)
        if found is None or found.problem != problem:
            return None
        return found.ended if found.failure is not None or self.path(source).is_file() else None

    def add(self, ended: Ended) -> None:
        """Keep a run that has ended, and its plan if there is one; StorageError if they can't be written."""
        with refusing(self._folder, _KIND):
            if ended.plan is not None:
                with (self._folder / _NEW).open("wb") as file:
                    file.writelines(ended.plan.parts())
                (self._folder / _NEW).replace(self.path(ended.source))
            self._log.write(Result(ended.source, ended.problem, ended.score, ended.failure).line)
            self._log.flush()

    def path(self, source: str) -> Path:
        """The file of the plan for the problem from `source`."""
        return self._folder / f"{source.replace(':', '-')}{SUFFIX}"


@contextmanager
def open_plans(folder: Path, heading: Mapping[str, str]) -> Iterator[PlanFolder]:
    """Open a folder of plans, which is made if there is none.

    Args:
        folder: The folder.
        heading: What the problems are run with.

    Raises:
        UsageError: It has something else, or plans of problems that were run with something else.
        ArtefactError: Its results are damaged.
        StorageError: The file system refused, or another process has the folder.
    """
    with refusing(folder, _KIND):
        _check(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
    try:
        with refusing(folder, _KIND):
            (folder / _NEW).unlink(missing_ok=True)
            log = (folder / RESULTS).open("a+b")
        try:
            yield PlanFolder(folder, _read(log, folder, heading), log)
        finally:
            with suppress(OSError):  # closing writes what is left of a line that the disk has refused
                log.close()
    finally:
        os.close(lock)


def _check(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} already exists and is not a folder", remedy="choose another place for the plans")
    if folder.is_dir() and not (folder / RESULTS).is_file() and any(folder.iterdir()):
        raise UsageError(f"{folder} already exists and is not a {_KIND}", remedy="choose another folder")


def _read(log: IO[bytes], folder: Path, heading: Mapping[str, str]) -> dict[str, Result]:
    """The results by source; the last line goes if it is cut off, and the first one is written if there is none."""
    log.seek(0)
    results, whole = dict[str, Result](), 0
    for number, line in enumerate(log, 1):
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        where = f"{folder / RESULTS}, line {number}"
        if number == 1:
            _compare(parse_json_object(line, where), heading, folder)
        else:
            result = Result.parse(line, where)
            results[result.source] = result
    with refusing(folder, _KIND):
        log.truncate(whole)
        if not whole:
            log.write(json.dumps(dict(heading)).encode() + b"\n")
            log.flush()
    return results


def _compare(found: Mapping[str, object], heading: Mapping[str, str], folder: Path) -> None:
    for name, value in heading.items():
        if found.get(name) != value:
            was = f"{found.get(name)}"
            raise UsageError(
                f"the plans in {folder} were made with {name} {was!a:.90}, not {value!a:.90}",
                remedy="choose another folder for the plans",
            )
    if set(found) != set(heading):
        raise ArtefactError(f"{folder / RESULTS}, line 1 is not a heading as coc writes it")
