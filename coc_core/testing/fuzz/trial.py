"""A trial: an executor runs a case, and is compared with the plain reading of Algorithm 1."""

import os
from pathlib import Path

from coc_core.errors import ArtefactError
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.runfile import RunFile, is_finished
from coc_core.storage import temporary_folder
from coc_core.testing.comparison import Difference, Watched, compare
from coc_core.testing.fuzz.case import Case
from coc_core.testing.fuzz.drive import drive
from coc_core.testing.fuzz.place import model_of, problems_of, setting_of
from coc_core.testing.fuzz.session import record_plainly, run_session
from coc_core.testing.plain import run_plainly


def try_case(registry: Registry, case: Case) -> Difference | None:
    """The first difference between what the executor does and what Algorithm 1 says; None if there is none.

    UsageError if there is no such executor, setting or problem.
    """
    if not case.cuts:
        return _try_together(registry, case)
    with temporary_folder(_scratch()) as folder:
        return _try_recorded(registry, case, folder)


def _try_together(registry: Registry, case: Case) -> Difference | None:
    """All problems in one run of the executor."""
    executor = registry.create(ExecutorSpec, case.executor)
    setting, apart = setting_of(registry, case), setting_of(registry, case)
    problems = problems_of(setting, case)
    wanted = [run_plainly(apart, problem, model_of(apart, case)) for problem in problems]
    if case.used:
        before = drive(executor, [Watched(setting, problem) for problem in problems], setting.model("reference"))
        if before is not None:
            return before
    watched = [Watched(setting, problem) for problem in problems]
    wrong = drive(executor, watched, model_of(setting, case), wanted)
    if wrong is not None:
        return wrong
    found = (compare(number, wanted[number], each.ends[0]) for number, each in enumerate(watched))
    return next(filter(None, found), None)


def _try_recorded(registry: Registry, case: Case, folder: Path) -> Difference | None:
    """The first problem, recorded, cut off and resumed."""
    wanted = record_plainly(folder / "plain", registry, case)
    path = folder / "run"
    cuts, over, digest = iter(case.cuts), False, ""
    while not over:  # after the last cut a run goes on to its end
        try:
            found = run_session(registry, case, path, next(cuts, None), wanted)
            if found is not None:
                return found
            with RunFile.open(path) as runfile:
                over, digest = is_finished(runfile.outcome, runfile.manifest, case.most_steps), runfile.digest()
        except ArtefactError as error:
            return Difference(0, 0, "the run file", "one that can be gone on with", error.message)
    with RunFile.open(folder / "plain") as runfile:
        right = runfile.digest()
    return None if digest == right else Difference(0, wanted.outcome.steps, "the run file's digest", right, digest)


def _scratch() -> Path | None:
    """A folder that lies in the machine's main memory, if there is one: nothing here has to outlive a loss of power."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() and os.access(folder, os.W_OK) else None
