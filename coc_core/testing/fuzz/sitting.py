"""One sitting of a recorded run: begun or resumed as `coc run --save` and `--resume` do it, and cut off or let end.

A sitting has an executor, a model and parts of its own, as a new process would.
"""

import sys
from contextlib import ExitStack
from pathlib import Path

from coc_core.plugin import ExecutorSpec, Registry
from coc_core.runfile import Manifest, RunFile, Session
from coc_core.testing.fuzz.case import Case, Cut
from coc_core.testing.fuzz.cutter import RAISED, Full, cutter
from coc_core.testing.fuzz.place import plain_trace, problems_of, script_of, setting_of
from coc_core.testing.fuzz.script import Cutoff
from coc_core.testing.fuzz.trace import Difference, Trace, compare, compare_heard
from coc_core.testing.fuzz.watched import Refused, Watched, drive

PLAIN = "plain"
"""What a run file of the plain reading names as its executor."""

_NEVER = Cut("stop", sys.maxsize)


def record_plainly(path: Path, registry: Registry, case: Case, index: int = 0) -> Trace:
    """Record in a new file what Algorithm 1 says of a problem of the case.

    UsageError if something is at `path` already, StorageError if the disk refuses.
    """
    setting = setting_of(registry, case)
    problem, model = problems_of(setting, case)[index], script_of(setting, case)
    session = Session(path, Manifest.of(setting, problem, model, executor=PLAIN), setting)
    with ExitStack() as stack:
        trace = plain_trace(setting, problem, model, session.open(stack))
        session.finish(trace.outcome, model)
    return trace


def sit(registry: Registry, case: Case, path: Path, cut: Cut | None, wanted: Trace) -> Difference | None:
    """Go on with the run in the file at `path`, which is begun if it is not there; what is wrong with that.

    `wanted` is the whole run. ArtefactError if the file can't be gone on with.
    """
    cut = cut or _NEVER
    executor = registry.create(ExecutorSpec, case.executor)
    with ExitStack() as stack:
        source = stack.enter_context(RunFile.open(path)) if path.exists() else None
        replayed = source.steps if source else 0
        most = min(replayed + cut.at, case.most_steps) if cut.way == "limit" else case.most_steps
        setting = setting_of(registry, case, most)
        problem, model = problems_of(setting, case)[0], script_of(setting, case)
        if cut.way == "limit":
            wanted = plain_trace(setting, problem, script_of(setting, case))
        if cut.way == "model":
            model.calls_left = cut.at
        if source is None:
            manifest = Manifest.of(setting, problem, model, executor=case.executor)
        else:
            manifest = source.manifest.with_choices(most)
        session = Session(path, manifest, setting, source)
        try:
            with ExitStack() as recording:
                listener = session.open(recording)
                heard_last = cutter(cut, session.recorder, replayed, lambda: watched.machine.interrupt())
                watched = Watched(setting, problem, [listener, heard_last])
                session.replay(watched.machine, model)
                wrong = drive(executor, [watched], model, [wanted])
                if wrong is None:
                    session.finish(watched.ends[0].outcome, model)
        except (Refused, Full, Cutoff):
            return compare_heard(0, wanted.heard, watched.heard)
    if wrong is not None:
        return wrong
    if model.cut_off or (cut.way in RAISED and len(watched.heard) >= replayed + cut.at):
        at = watched.machine.steps
        return Difference(0, at, "what the executor raised", "what was raised to cut it off", "nothing")
    if cut.way == "stop" and len(watched.heard) == replayed + cut.at:
        return compare_heard(0, wanted.heard, watched.heard)
    return compare(0, wanted, watched.ends[0])
