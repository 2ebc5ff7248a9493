"""A folder with the plans of the user's problems, which grows as problems are solved. It has a file for each plan, and
`results.jsonl`: a line that says what the problems are run with, and then a line for each problem whose run has ended.
A plan is in its place before its line is written, so whatever ends the process, each line has its plan. A plan that was
removed since is made again.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.models import Model
from coc_core.plugin import open_format
from coc_core.storage import lock_folder, parse_json_object, refusing
from coc_core.text import quoted
from coc_learn.measure.ended import Ended, Expected, Result
from coc_learn.measure.success import Evaluation
from coc_problems import GivenProblems, Instance, Problems

RESULTS = "results.jsonl"
SUFFIX = ".plan"

_NEW = ".new"  # what a plan is called until it is whole
_KIND = "folder of plans"


@frozen
class PlanFolder:
    """The folder while it is open; no other process has it then. Make one with `open_plans`."""

    folder: Path
    results: Mapping[str, Result]
    log: IO[bytes]

    def result(self, source: str, problem: str) -> Result | None:
        """Return how the run of a problem has ended before; None if it has not, or if its plan is no longer there."""
        found = self.results.get(source)
        if found is None or found.problem != problem:
            return None
        return found if found.failure is not None or self.path(source).is_file() else None

    def add(self, ended: Ended) -> None:
        """Keep a run that has ended, and its plan if there is one; StorageError if they can't be written."""
        with refusing(self.folder, _KIND):
            if ended.plan is not None:
                with (self.folder / _NEW).open("wb") as file:
                    copyfileobj(GzipFile(fileobj=BytesIO(ended.plan)), file)
                (self.folder / _NEW).replace(self.path(ended.source))
            self.log.write(ended.line)
            self.log.flush()

    def path(self, source: str) -> Path:
        """Return the file of the plan for the problem from `source`."""
        return self.folder / f"{source.replace(':', '-')}{SUFFIX}"


@contextmanager
def open_plans(folder: Path, heading: Mapping[str, str]) -> Iterator[PlanFolder]:
    """Open a folder of plans, made if there is none. UsageError if it has something else, or plans made with another
    heading, which is what problems are run with; ArtefactError if its results are damaged; StorageError also if another
    process has it.
    """
    with ExitStack() as stack:
        with refusing(folder, _KIND):
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                raise UsageError(f"{folder} already exists and is not a folder", remedy="choose another place")
            if folder.is_dir() and not (folder / RESULTS).is_file() and any(folder.iterdir()):
                raise UsageError(f"{folder} already exists and is not a {_KIND}", remedy="choose another folder")
            folder.mkdir(parents=True, exist_ok=True)
            stack.callback(os.close, lock_folder(folder))
            (folder / _NEW).unlink(missing_ok=True)
            log = (folder / RESULTS).open("a+b")

        @stack.callback
        def close() -> None:
            with suppress(OSError):  # it writes what is left of a line that the disk has refused
                log.close()

        yield PlanFolder(folder, _read(log, folder, heading), log)


def _read(log: IO[bytes], folder: Path, heading: Mapping[str, str]) -> dict[str, Result]:
    """Return the results by source; a last line that is cut off goes, and a missing first one is written."""
    log.seek(0)
    results, whole = dict[str, Result](), 0
    for number, line in enumerate(log, 1):
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        where = f"{folder / RESULTS}, line {number}"
        if number == 1:
            found = parse_json_object(line, where)
            for name in {**heading, **found}:
                if found.get(name) != heading.get(name):
                    was, wanted = (f"{each.get(name)}" for each in (found, heading))
                    other = f"{quoted(name, 40)[1:-1]} {was!a:.90}, not {wanted!a:.90}"
                    raise UsageError(
                        f"the plans in {folder} were made with {other}",
                        remedy="choose another folder for the plans",
                    )
        else:
            result = Result.parse(line, where)
            results[result.source] = result
    with refusing(folder, _KIND):
        log.truncate(whole)
        if not whole:
            log.write(json.dumps(dict(heading)).encode() + b"\n")
            log.flush()
    return results


def check_plans(problems: Problems | GivenProblems, folder: Path | None, evaluation: Evaluation) -> None:
    """Raise UsageError for a folder for the plans of problems that are drawn, or that have no such format."""
    if folder is None:
        return
    if not isinstance(problems, GivenProblems):
        raise UsageError("--plans keeps the plans of your own problems", remedy="name these with --problems")
    if evaluation.expect is not Expected.solved:
        raise UsageError("--plans keeps plans, and none are expected", remedy="leave out --plans or --expect")
    setting, name = evaluation.setting, evaluation.plan_format
    open_format(
        setting.registry, str(name), setting.domain, problems.instances[0].problem, problems.instances[0].translation
    )


@contextmanager
def kept_plans(
    evaluation: Evaluation, problems: Problems | GivenProblems, folder: Path | None
) -> Iterator[Iterable[Instance]]:
    """Give the problems left to run, whose plans the block puts into the folder; plans that are there count as they did
    then. UsageError if the folder has something else or was made with another setting or model, ArtefactError if it is
    damaged.
    """
    if folder is None:
        yield problems
        return
    with open_plans(folder, _heading(evaluation)) as plans:
        left = list[Instance]()
        for instance in problems:
            found = plans.result(instance.source, instance.text(evaluation.setting.domain))
            if found is None:
                left.append(instance)
            else:
                evaluation.count(found)
                evaluation.restored += 1
        evaluation.on_end = plans.add
        yield left
    order = {instance.source: place for place, instance in enumerate(problems)}
    evaluation.failures.sort(key=lambda failure: order[failure.source])


def _heading(evaluation: Evaluation) -> dict[str, str]:
    """Return all that a result depends on, but for the problem."""
    setting = evaluation.setting
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "arith-model": _identity(setting.arith_model) if setting.arith_model else "none",
        "model": _identity(evaluation.model),
        "max-steps": str(setting.limits.steps),
        "plan-format": str(evaluation.plan_format),
        "optimal": str(evaluation.optimal).lower(),
    }


def _identity(model: Model) -> str:
    """Return a model by what it computes: the fingerprint of a checkpoint, wherever it is."""
    return f"{model.name} {model.record.get('fingerprint', '')}".strip()
