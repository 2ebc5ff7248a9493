"""Run files and moments, made without the command line."""

from coc_core.execution import Sequential, StepRecord
from coc_core.runfile import Manifest
from coc_core.runfile.writer import Recorder
from tests.support.recorded_runs import stage


class Changed:
    """The answers of a model, but for one: the step `at` is answered with `text`, or not answered but interrupted."""

    def __init__(self, model, at, text):
        self.model, self.at, self.text, self.asked = model, at, text, 0

    def __call__(self, prompt):
        self.asked += 1
        return self.text if self.asked == self.at else self.model.complete([prompt])[0]


def saved(path, domain="hanoi", memory="pda", arith="symbolic", n=3, seed=0, at=0, text=None):
    """A run of the reference model in a file; the answer to the question `at` is `text`, if it is given.

    Without a text the run is interrupted after the step `at`; if that is -1 it has not ended at all.
    """
    setting, problem = stage(memory, arith, n, domain, seed=seed)
    model = setting.model("reference")
    manifest = Manifest.of(setting, problem, model, executor="sequential", model="reference", seed=seed)
    with Recorder.create(path, setting.domain, manifest) as recorder:
        stop = at if text is None else 0
        machine = setting.machine(
            problem, [recorder.listen, lambda record: record.step == stop and machine.interrupt()]
        )
        answer = Changed(model, at, text)
        while text is not None and (prompt := machine.peek()) is not None:
            machine.step(answer(prompt))
        if at >= 0:
            (outcome,) = Sequential().run([machine], model)
            recorder.finish(outcome)
    return path


def moments(domain="hanoi", memory="pda", arith="symbolic", n=3, seed=0):
    """The domain and all moments of a run of the reference model."""
    setting, problem = stage(memory, arith, n, domain, seed=seed)
    machine = setting.machine(problem, [lambda record: kept.append(record)])
    kept = [beginning(machine)]
    Sequential().run([machine], setting.model("reference"))
    return setting.domain, kept


def beginning(machine):
    """The record of a machine that has taken no step yet."""
    state = machine.state
    held = {"memory": machine.memory, "contents": machine.contents}
    return StepRecord(0, "", "", (), machine.pointer, before=state, after=state, **held)


def shown(record):
    """All that a record shows: its fields, and the windows in place of the memory that holds them."""
    return (*record[:-2], tuple(record.windows))
