"""A trial: an executor runs a case, and is compared with the plain reading of Algorithm 1."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from types import FrameType
from typing import Any

from attrs import evolve

from coc_check.fuzz.case import Case, Cut, Cutoff, OutOfOrder, executor_of, model_of, problems_of, setting_of
from coc_check.plain import Difference, Trace, compare, compare_steps, run_plainly
from coc_check.scripted import ScriptedPolicy
from coc_core.errors import ArtefactError, PluginError, StorageError, UsageError
from coc_core.execution import Executor, Listener, StepRecord
from coc_core.models import Sampler
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Recorder, RunFile, Session, is_finished
from coc_core.setting import Setting
from coc_core.storage import temporary_folder
from coc_core.text import described
from coc_core.types import Outcome

_ADDRESS = re.compile(r"\b0x[0-9a-f]+")
_RAISED = "what the executor raised"
_NEVER = Cut("stop", sys.maxsize)
_INTERRUPTED = 3  # prompts, before the run that comes before others is interrupted
_MOST_LINES = 4_000
"""Of the executor's own code, for each step and problem: it may go over all runs at each step, and run them again."""


class Refused(Exception):
    """What a listener raises that wants no more steps."""


class Full(StorageError):
    """A disk that refuses, as if it were full."""


_RAISED_BY_LISTENERS: dict[str, type[BaseException]] = {"error": Refused, "listener": Cutoff, "disk": Full}
_RAISED_BY_MODELS: dict[str, type[BaseException]] = {"model": Cutoff, "broken": OutOfOrder}


def try_case(registry: Registry, case: Case, ended: list[str] | None = None) -> Difference | None:
    """Return the first difference between what the executor does and what Algorithm 1 says; None if there is none.

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
            return _try_together(registry, case, ended)
        memory = Path("/dev/shm")  # nothing here has to outlive a loss of power
        with temporary_folder(memory if os.access(memory, os.W_OK) else None) as folder:
            return _try_recorded(registry, case, folder / "run", ended)


@contextmanager
def line_budget(executor: Executor, lines: int) -> Iterator[None]:
    """Stop an executor with RuntimeError once so many lines of its module, and those of its bases, are executed.

    Where a debugger or a measurement of coverage traces what is executed, nothing is stopped.
    """
    own = {each.__module__ for each in type(executor).__mro__ if issubclass(each, Executor) and each is not Executor}
    left = lines

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        return follow if frame.f_globals.get("__name__") in own else None

    def follow(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise RuntimeError("the executor comes to no end")
        return follow

    if sys.gettrace() is not None:
        yield
        return
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)


class Watched:
    """A machine whose steps are kept; then the `others` are notified of them. If it is `silent`, nobody is.

    It is asked to stop after the step number `stop`. `end` is its run, once the executor has given the machine back.
    """

    def __init__(
        self, setting: Setting, problem: Any, others: Sequence[Listener] = (), *, silent: bool = False, stop: int = 0
    ) -> None:
        self.steps: list[StepRecord] = []
        self.end: Trace | None = None
        self._stop = stop
        self.machine = setting.machine(problem, [] if silent else [self._hear, *others])

    def _hear(self, record: StepRecord) -> None:
        self.steps.append(record)
        if record.step == self._stop:
            self.machine.interrupt()

    def ends(self) -> None:
        """Note what the machine has done and holds now, with the outcome that it says itself."""
        machine = self.machine
        outcome = Outcome(machine.status, machine.steps, machine.actions, machine.fault)
        self.end = Trace(tuple(self.steps), outcome, machine.state, machine.pointer, tuple(machine.windows))


def drive(
    executor: Executor, watched: Sequence[Watched], model: ScriptedPolicy, wanted: Sequence[Trace] = ()
) -> Difference | None:
    """Let the executor run the machines to their ends; what is wrong with that, beside how they ended.

    `wanted` are the runs that should come out. What a listener raises comes out.
    """
    of, begun = {each.machine: each for each in watched}, [len(each.steps) for each in watched]

    def wrong(number: int, step: int, *what: str) -> Difference:
        """Return the first wrong step, which may be why the executor went wrong, or else this."""
        pairs = enumerate(zip(watched, wanted, strict=False))
        steps = (compare_steps(number, trace.steps, each.steps) for number, (each, trace) in pairs)
        return next(filter(None, steps), None) or Difference(number, step, *what)

    try:
        for machine in executor.stream(iter(list(of)), model):
            of[machine].ends()
    except (Refused, StorageError):
        raise
    except Exception as error:
        if isinstance(error, PluginError) and isinstance(error.__cause__, OutOfOrder):
            raise error.__cause__ from error
        if isinstance(error, UsageError) and isinstance(model, Sampler):
            return None  # an executor that takes votes may refuse a model that it can't be sure of
        number = next((number for number, each in enumerate(watched) if each.end is None), 0)
        step = watched[number].machine.steps + 1 if watched else 0
        found = _ADDRESS.sub("0x...", described(error))  # an address is another one in each process
        return wrong(number, step, _RAISED, "nothing", found)
    for number, (each, first) in enumerate(zip(watched, begun, strict=True)):
        for record in each.steps[first:]:
            if (record.prompt, record.target) not in model.pairs:
                committed = f"{record.target!a}, for which the model was not called"
                return wrong(number, record.step, "the target", "a response to its prompt", committed)
    if model.calls == model.written:
        return None
    last = watched[-1].machine.steps if watched else 0
    return Difference(max(len(watched) - 1, 0), last, "the number of model calls", f"{model.written}", f"{model.calls}")


def _try_together(registry: Registry, case: Case, ended: list[str]) -> Difference | None:
    """Return the first difference in all problems, in one run of the executor."""
    setting, apart, executor = setting_of(registry, case), setting_of(registry, case), executor_of(registry, case)
    problems = problems_of(setting, case)

    def machines(case: Case) -> list[Watched]:
        runs = enumerate(islice(cycle(problems), case.runs))
        stops = dict(case.stops)
        return [Watched(setting, each, silent=case.silent, stop=stops.get(number, 0)) for number, each in runs]

    def run(case: Case, watched: list[Watched]) -> Difference | None:
        wanted = list(islice(cycle([run_plainly(apart, each, model_of(apart, case)) for each in problems]), case.runs))
        for number, step in case.stops:
            wanted[number] = run_plainly(apart, problems[number % len(problems)], model_of(apart, case), step)
        ended.extend(trace.ending for trace in wanted)
        wanted = [evolve(each, steps=()) for each in wanted] if case.silent else wanted
        wrong = drive(executor, watched, model_of(setting, case), wanted)
        found = (compare(number, wanted[number], each.end) for number, each in enumerate(watched) if each.end)
        return wrong or next(filter(None, found), None)

    if not case.used:
        return run(case, machines(case))
    right = evolve(case, responses={}, stops=(), faulty_calls=0)
    before = drive(executor, [], model_of(setting, right)) or run(right, machines(right))
    if before is not None:
        return before
    interrupted = machines(right)
    with suppress(Cutoff):
        drive(executor, interrupted, model_of(setting, right, _INTERRUPTED))
    return run(case, machines(case)) or run(right, interrupted)


def _try_recorded(registry: Registry, case: Case, path: Path, ended: list[str]) -> Difference | None:
    """Return the first difference in the first problem, recorded in the file at `path`, cut off and resumed."""
    setting, cuts, over = setting_of(registry, case), iter(case.cuts), False
    wanted = run_plainly(setting, problems_of(setting, case)[0], model_of(setting, case))
    ended.append(wanted.ending)
    while not over:  # after the last cut a run goes on to its end
        try:
            found = run_session(registry, case, path, next(cuts, _NEVER), wanted)
            if found is not None:
                return found
            with RunFile.open(path) as runfile:
                over = is_finished(runfile.outcome, runfile.manifest, case.most_steps)
        except ArtefactError as error:
            return Difference(0, 0, "the run file", "one that can be gone on with", error.message)
    return None


def run_session(registry: Registry, case: Case, path: Path, cut: Cut, wanted: Trace) -> Difference | None:
    """Go on with the run in the file at `path`, which is begun if it is not there; what is wrong with that.

    `wanted` is the whole run. ArtefactError if the file can't be gone on with.
    """
    executor = executor_of(registry, case)
    with ExitStack() as stack:
        source = stack.enter_context(RunFile.open(path)) if path.exists() else None
        replayed = source.steps if source else 0
        most = min(replayed + cut.at, case.most_steps) if cut.way == "limit" else case.most_steps
        setting = setting_of(registry, case, most)
        problem, by_model = problems_of(setting, case)[0], _RAISED_BY_MODELS.get(cut.way)
        model = model_of(setting, case, cut.at if by_model else sys.maxsize, by_model or Cutoff)
        if cut.way == "limit":
            wanted = run_plainly(setting, problem, model_of(setting, case))
        if source is None:
            manifest = Manifest.of(setting, problem, model, executor=case.executor)
        else:
            manifest = source.manifest.with_choices(most)
        session = Session(path, manifest, setting, source)
        try:
            with ExitStack() as recording:
                listener = session.open(recording)
                stop = replayed + cut.at if cut.way == "stop" else 0
                watched = Watched(setting, problem, [listener, _cutter(cut, session.recorder, replayed)], stop=stop)
                session.replay(watched.machine, model)
                wrong = drive(executor, [watched], model, [wanted])
                if watched.end is not None and wrong is None:
                    session.finish(watched.end.outcome, model)
        except (Refused, Full, Cutoff, OutOfOrder):
            return compare_steps(0, wanted.steps, watched.steps)
    if wrong is not None or watched.end is None:
        return wrong
    taken = len(watched.steps) - replayed
    if model.failed or (cut.way in _RAISED_BY_LISTENERS and taken >= cut.at):
        return Difference(0, watched.machine.steps, _RAISED, "what was raised to cut it off", "nothing")
    if cut.way == "stop" and taken == cut.at:
        return compare_steps(0, wanted.steps, watched.steps)
    return compare(0, wanted, watched.end)


def _cutter(cut: Cut, recorder: Recorder, replayed: int) -> Listener:
    """Return a listener, to come after the recorder's, that brings to the disk what is to be kept and cuts the run off.

    `replayed` steps are recorded already, and are reported again.
    """

    def hear(record: StepRecord) -> None:
        steps = record.step - replayed
        if steps == cut.kept > 0:
            recorder.flush()
        if steps == cut.at and cut.way in _RAISED_BY_LISTENERS:
            raise _RAISED_BY_LISTENERS[cut.way]("cut off here")

    return hear
