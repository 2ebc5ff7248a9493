"""One session of a recorded run: begun or resumed as `coc run --save` and `--resume` do it, and cut off or let end.

A session has an executor, a model and parts of its own, as a new process would.
"""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from coc_check.comparison import Difference, Watched, compare, compare_steps
from coc_check.fuzz.case import Case, Cut
from coc_check.fuzz.drive import Refused, drive
from coc_check.fuzz.place import Cutoff, executor_of, model_of, problems_of, setting_of
from coc_check.plain import Trace, run_plainly
from coc_core.errors import StorageError
from coc_core.execution import Listener, StepRecord
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Recorder, RunFile, Session

PLAIN = "plain"
"""What a run file of the plain reading names as its executor."""

_NEVER = Cut("stop", sys.maxsize)


class Full(StorageError):
    """A disk that refuses, as if it were full."""


_RAISED: dict[str, type[BaseException]] = {"error": Refused, "listener": Cutoff, "disk": Full}
"""What a listener raises in a cut of such a way."""


def record_plainly(path: Path, registry: Registry, case: Case, index: int = 0) -> Trace:
    """Record in a new file what Algorithm 1 says of a problem of the case.

    UsageError if something is at `path` already, StorageError if the disk refuses.
    """
    setting = setting_of(registry, case)
    problem, model = problems_of(setting, case)[index % len(case.problems)], model_of(setting, case)
    session = Session(path, Manifest.of(setting, problem, model, executor=PLAIN), setting)
    with ExitStack() as stack:
        trace = run_plainly(setting, problem, model, session.open(stack))
        session.finish(trace.outcome, model)
    return trace


def run_session(registry: Registry, case: Case, path: Path, cut: Cut | None, wanted: Trace) -> Difference | None:
    """Go on with the run in the file at `path`, which is begun if it is not there; what is wrong with that.

    `wanted` is the whole run. ArtefactError if the file can't be gone on with.
    """
    cut = cut or _NEVER
    executor = executor_of(registry, case)
    with ExitStack() as stack:
        source = stack.enter_context(RunFile.open(path)) if path.exists() else None
        replayed = source.steps if source else 0
        most = min(replayed + cut.at, case.most_steps) if cut.way == "limit" else case.most_steps
        setting = setting_of(registry, case, most)
        problem = problems_of(setting, case)[0]
        model = model_of(setting, case, cut.at if cut.way == "model" else sys.maxsize)
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
                last = _cutter(cut, session.recorder, replayed, lambda: watched.machine.interrupt())
                watched = Watched(setting, problem, [listener, last])
                session.replay(watched.machine, model)
                wrong = drive(executor, [watched], model, [wanted])
                if wrong is None:
                    session.finish(watched.ends[0].outcome, model)
        except (Refused, Full, Cutoff):
            return compare_steps(0, wanted.steps, watched.steps)
    if wrong is not None:
        return wrong
    if model.failed or (cut.way in _RAISED and len(watched.steps) >= replayed + cut.at):
        at = watched.machine.steps
        return Difference(0, at, "what the executor raised", "what was raised to cut it off", "nothing")
    if cut.way == "stop" and len(watched.steps) == replayed + cut.at:
        return compare_steps(0, wanted.steps, watched.steps)
    return compare(0, wanted, watched.ends[0])


def _cutter(cut: Cut, recorder: Recorder, replayed: int, stop: Callable[[], None]) -> Listener:
    """A listener, to come after the recorder's, that brings to the disk what is to be kept and cuts the run off.

    `replayed` steps are recorded already, and are reported again. `stop` tells the machine to stop.
    """

    def hear(record: StepRecord) -> None:
        steps = record.step - replayed
        if steps == cut.kept > 0:
            recorder.flush()
        if steps == cut.at and cut.way == "stop":
            stop()
        if steps == cut.at and cut.way in _RAISED:
            raise _RAISED[cut.way]("cut off here")

    return hear
