"""A trial: an executor runs a case, and is compared with the plain reading of Algorithm 1."""

import os
from contextlib import suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from attrs import evolve

from coc_check.comparison import Difference, Watched, compare
from coc_check.fuzz.budget import line_budget
from coc_check.fuzz.case import Case
from coc_check.fuzz.drive import drive
from coc_check.fuzz.place import Cutoff, executor_of, model_of, problems_of, setting_of
from coc_check.fuzz.session import record_plainly, run_session
from coc_check.plain import Trace, run_plainly
from coc_core.errors import ArtefactError
from coc_core.execution import Executor, StepRecord
from coc_core.plugin import Registry
from coc_core.runfile import RunFile, is_finished
from coc_core.storage import temporary_folder
from coc_core.types import Outcome

_MOST_LINES = 4_000
"""Of the executor's own code, for each step and problem: it may go over all runs at each step, and run them again."""

_INTERRUPTED = 3  # prompts, before the run that comes before others is interrupted


def try_case(registry: Registry, case: Case, ended: list[str] | None = None) -> Difference | None:
    """The first difference between what the executor does and what Algorithm 1 says; None if there is none.

    Args:
        registry: What is installed.
        case: The case.
        ended: Gets how each run should end, by a word or two.

    Raises:
        UsageError: There is no such executor, setting or problem.
    """
    ended = [] if ended is None else ended
    with line_budget(executor_of(registry, case), _MOST_LINES * case.runs * (case.most_steps + 1)):
        if not case.cuts:
            return _Together(registry, case, ended).found()
        with temporary_folder(_scratch()) as folder:
            return _try_recorded(registry, case, folder, ended)


class _Together:
    """All problems in one run of the executor."""

    def __init__(self, registry: Registry, case: Case, ended: list[str]) -> None:
        self._registry, self._case, self._ended = registry, case, ended
        self._setting, self._apart = setting_of(registry, case), setting_of(registry, case)
        self._problems = problems_of(self._setting, case)

    def found(self) -> Difference | None:
        case, executor = self._case, executor_of(self._registry, self._case)
        right = evolve(case, responses={}, stops=(), faulty_calls=0)
        if not case.used:
            return self._run(executor, case)
        before = self._run(executor, right)
        if before is not None:
            return before
        with suppress(Cutoff):
            drive(executor, self._watched(right), model_of(self._setting, right, _INTERRUPTED))
        return self._run(executor, case) or self._run(executor, right)

    def _run(self, executor: Executor, case: Case) -> Difference | None:
        plain = [run_plainly(self._apart, problem, model_of(self._apart, case)) for problem in self._problems]
        wanted = list(islice(cycle(plain), case.runs))
        for number, step in case.stops:
            wanted[number] = stopped(wanted[number], step)
        if case.silent:
            wanted = [evolve(each, steps=()) for each in wanted]
        self._ended += map(ending, wanted)
        watched = self._watched(case)
        wrong = drive(executor, watched, model_of(self._setting, case), wanted)
        found = (compare(number, wanted[number], each.ends[0]) for number, each in enumerate(watched) if each.ends)
        return wrong or next(filter(None, found), None)

    def _watched(self, case: Case) -> list[Watched]:
        watched: list[Watched] = []
        for number, problem in enumerate(islice(cycle(self._problems), case.runs)):
            stops = [partial(_stop, watched, number, step) for run, step in case.stops if run == number]
            watched.append(Watched(self._setting, problem, stops, silent=case.silent))
        return watched


def _stop(watched: list[Watched], number: int, step: int, record: StepRecord) -> None:
    if record.step == step:
        watched[number].machine.interrupt()


def stopped(trace: Trace, step: int) -> Trace:
    """What a run comes to that is asked to stop after this step; the run itself if it ends by then."""
    faulty = trace.outcome.status == "fault"
    if len(trace.steps) < step or (len(trace.steps) == step and not faulty):
        return trace
    steps, last = trace.steps[:step], trace.steps[step - 1]
    outcome = Outcome("interrupted", step, sum(len(record.actions) for record in steps))
    return Trace(steps, outcome, last.after, last.pointer, tuple(last.windows))


def ending(trace: Trace) -> str:
    """How a run ended, in a word or two."""
    fault = trace.outcome.fault
    return f"{fault.kind} fault" if fault else trace.outcome.status


def _try_recorded(registry: Registry, case: Case, folder: Path, ended: list[str]) -> Difference | None:
    """The first problem, recorded, cut off and resumed."""
    wanted = record_plainly(folder / "plain", registry, case)
    ended.append(ending(wanted))
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
