"""A plugin that works: domains, models that fail on purpose, a backend with checkpoints that learns by heart."""

import json

from coc_core.errors import NumericFault, StorageError, UsageError
from coc_core.memories import Reference
from coc_core.models import CONFIG, Identity, SizeResult
from coc_core.plugin import DomainSpec, ModelSpec, hookimpl
from coc_core.storage import check_replaceable
from coc_learn.trainer import Trainer, TrainingProgress, TrainingReport
from coc_puzzles.hanoi.domain import Hanoi
from tests.support.toy_parts import Nondeterministic, Scripted


@hookimpl
def coc_domains():
    return [
        DomainSpec("queue", "tests.support.toy_parts:Queue", "a line of numbers"),
        DomainSpec(
            "stack-queue", "tests.support.toy_parts:Queue", "a line of numbers, on a stack only", memories=("pda",)
        ),
        DomainSpec("divider", "tests.support.fake_plugin:Divider", "raises in the middle of a run"),
    ]


@hookimpl
def coc_models():
    here = "tests.support.fake_plugin:"
    names = ["garbage", "endless", "nan", "lazy", "rogue", "raiser", "ctrl-c", "closed", "nondeterministic"]
    models = [ModelSpec(name, "fails on purpose", factory=here + name.replace("-", "_")) for name in names]
    return [*models, ModelSpec("parrot", "repeats", opener=f"{here}open_parrot", trainer=f"{here}ParrotTrainer")]


class Divider(Hanoi):
    name = "divider"

    def apply(self, state, action):
        return 1 / 0


def garbage(convention):
    return Scripted(then=lambda prompt: "\x1b[31mI'm sorry.")


def endless(convention):
    return Scripted(then=lambda prompt: prompt.replace("INSTR", "PUSH"))


def nan(convention):
    return Scripted(NumericFault("no finite logits"))


def lazy(convention):
    return Scripted("OUTPUT Move disk 1 from 1 to 3")


def rogue(convention):
    return Scripted("OUTPUT Move disk 2 from 1 to 3")


def raiser(convention):
    return Scripted(then=lambda prompt: ValueError("no idea"))


class _Interrupted(Reference):
    def _complete(self, prompts, drafts):
        raise KeyboardInterrupt


def ctrl_c(convention):
    return _Interrupted(convention)


class _Closed(Reference):
    def _complete(self, prompts, drafts):
        raise SystemError("this is no ordinary error of a plugin")


def closed(convention):
    return _Closed(convention)


def nondeterministic(convention):
    return Nondeterministic()


def open_parrot(folder, config, identity, dialect):
    assert dialect in identity.dialects
    answers = json.loads((folder / "answers.json").read_text())
    return Scripted(then=answers[dialect].__getitem__)


def _by_heart(learned, test):
    """The result of a test of a model that knows its training pairs only."""
    exact = len({*learned.train, *learned.heldout} & set(test.pairs))
    return SizeResult(test.n, test.problems, len(test.pairs), exact)


class ParrotTrainer(Trainer):
    """Learns by heart what it is shown."""

    def presets(self):
        return {"small": "by heart"}

    def check(self, job):
        check_replaceable(job.out, marker=CONFIG)

    def train(self, job, report):
        if job.preset not in self.presets():
            raise UsageError(f"unknown preset {job.preset!r}")
        if "full" in job.overrides:
            raise StorageError("the disk is full")
        for step in (1, 2):
            report(TrainingProgress(step, 2, 1 / step, None if step == 1 else 1.0, None))
        job.out.mkdir()
        sizes = {each.dialect: each.sizes for each in job.training_sets if each.sizes is not None}
        tested = {
            each.dialect: [_by_heart(each, test) for test in each.tests] for each in job.training_sets if each.tests
        }
        identity = Identity(job.backend, tuple(each.dialect for each in job.training_sets), sizes, tested).to_json()
        kept = {"command": job.command, "seed": job.seed, "resume": job.resume, "overrides": dict(job.overrides)}
        kept["sources"] = [each.source for each in job.training_sets]
        (job.out / "config.json").write_text(json.dumps(identity | kept))
        answers = {each.dialect: dict([*each.train, *each.heldout]) for each in job.training_sets}
        (job.out / "answers.json").write_text(json.dumps(answers))
        train = sum(len(each.train) for each in job.training_sets)
        heldout = sum(len(each.heldout) for each in job.training_sets)
        chain = {
            name: int(job.overrides[name])
            for name in ("withheld", "reused", "known", "complete")
            if name in job.overrides
        }
        return TrainingReport(7, 2, 0.5, train, train, 0, heldout, **chain, tested=tested)
