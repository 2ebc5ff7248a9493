"""Recorded runs for tests, made in this process."""

from coc_core.execution import Cached
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Recorder, RunFile, rehearse, revised, set_stage, witness_of
from coc_core.setting import Setting
from coc_core.types import Limits


class Stop(Exception):
    """What a test throws into a run."""


def stage(memory="pda", arith="symbolic", n=4, domain="hanoi", limits=Limits()):
    setting = Setting.of(
        Registry.installed(), domain, memory, arith, limits, "reference" if arith == "learned" else None
    )
    return setting, setting.domain.problem(n)


def tape(path, memory="pda", arith="symbolic", n=4, domain="hanoi", model=None, limits=Limits(), stop=None, ends=True):
    """Record a run, interrupted after `stop` steps; without an outcome unless it `ends`. Gives the outcome."""
    setting, problem = stage(memory, arith, n, domain, limits)
    subject = model(setting.convention) if model else setting.model("reference")
    chosen = "reference" if arith == "learned" else None
    manifest = Manifest.of(setting, problem, subject, executor="cached", model="reference", arith_model=chosen)
    with Recorder.create(path, setting.domain, manifest, witness := witness_of(setting)) as recorder:
        return _run(setting, problem, subject, recorder, witness, None, stop, ends)


def go_on(path, most=None, stop=None, ends=True):
    """Resume a recorded run. Gives the outcome."""
    with RunFile.open(path) as runfile:
        manifest = revised(runfile.manifest, most, None, None)
        found = set_stage(Registry.installed(), runfile, manifest)
        setting, witness = found.setting, witness_of(found.setting)
        with Recorder.resume(path, setting.domain, manifest, runfile.steps, witness) as recorder:
            return _run(setting, found.problem, found.subject, recorder, witness, runfile, stop, ends)


def _run(setting, problem, subject, recorder, witness, runfile, stop, ends):
    machine = setting.machine(problem, [recorder.listen, lambda commit: commit.step == stop and machine.interrupt()])
    if witness is not None:
        machine.arithmetic = witness
    machine.find_loops = subject.deterministic
    if runfile is not None:
        rehearse(machine, runfile, witness)
    (outcome,) = Cached().run([machine], subject)
    if ends:
        recorder.finish(outcome)
    return outcome


def digest(path):
    with RunFile.open(path) as runfile:
        return runfile.digest()
