"""What stands behind the front door says what it is on one line."""

import pytest

import coc_core as coc
from coc_core.api import new_job
from coc_core.execution import Cached
from coc_core.options import SolveOptions
from coc_core.plugin import Plugin, Registry
from coc_core.runfile import RunFile
from coc_core.setting import Setting
from coc_learn.measure.evaluate import EvaluationReport
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.success import Evaluation
from coc_learn.options import TrainOptions
from coc_learn.train import Training
from coc_problems import ManyProblems, Problems

LONGEST = 120


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    """One of each, all of them large."""
    registry = Registry.installed()
    setting = Setting.of(registry, "blocksworld-extended", "tape", "inline")
    problem = setting.domain.problem(40)
    machine, model = setting.machine(problem), setting.model("reference")
    Cached().run([machine], model)
    path = tmp_path_factory.mktemp("reprs") / "run"
    run = coc.run("blocksworld-extended", 40, memory="tape", arith="inline", model="reference", save=path)
    evaluation = Evaluation(setting, model, Cached())
    problems = Problems.of(setting.domain, ManyProblems(sizes=range(5, 40)))
    job = new_job(registry, SolveOptions(domain="blocksworld-extended", n=40, model="reference"), record=True)
    training = Training.of(registry, TrainOptions(out=path.with_name("new"), domain="hanoi", sizes=range(1, 5)))
    with RunFile.open(path) as runfile:
        return [
            *(registry, *registry.plugins, setting, setting.arithmetic, setting.convention),
            *(setting.limits, setting.domain, machine, machine.memory, model, coc.load_model("hanoi")),
            *(run, run.plan, run.trace, run.trace[0], run.outcome, runfile, runfile.manifest),
            *(evaluation, Exactness(model), EvaluationReport(evaluation, problems), problems),
            coc.validate("blocksworld-extended", [run.plan[0]] * 99, 40),
            *(job, job.session, training.pairs, *training.pairs.sets()),
            *(
                Problems.of(setting.domain, ManyProblems(sizes=3, exhaustive=True)),
                Plugin("bad", "bad", "stranger", "1", error="broken"),
            ),
        ]


def test_every_repr_is_a_line(things):
    assert [type(thing) for thing in things if len(repr(thing)) > LONGEST or "\n" in repr(thing)] == []
