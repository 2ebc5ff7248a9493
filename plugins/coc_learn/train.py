"""`coc.train`: make a checkpoint from prompt-target pairs; and what comes of it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve, fields, frozen

from coc_core.api import open_registry
from coc_core.errors import UsageError
from coc_core.options import given, option_of, takes
from coc_core.plugin import ModelSpec, Registry, suggest
from coc_core.setting import Setting
from coc_learn import sources
from coc_learn.addresses.dialect import ADDRESS_DIALECT
from coc_learn.options import DEFAULT_HOLDOUT, TrainOptions, override_texts
from coc_learn.trainer import FINITE_PRESET, Trainer, TrainingJob, TrainingProgress, TrainingReport, TrainingSet
from coc_problems import has_few_kinds

_DRAWN = ("memory", "arith", "sizes", "instances", "enumerated", "near_goal", "holdout_by")
"""The options of pairs that are drawn for a domain."""


@frozen
class Trained:
    """A checkpoint that was made, and how exact it is. `folder` is what `coc.run(..., model=...)` takes."""

    folder: str
    report: TrainingReport


@frozen
class Training:
    """A training run that is checked and ready. Make one with `Training.of`, get its `pairs`, then `train`.

    The `job` is everything but the pairs: its training sets are empty. Pairs that are drawn are of `settings`.
    """

    pairs: sources.PairSource
    trainer: Trainer
    job: TrainingJob
    settings: Sequence[Setting] = ()

    @classmethod
    def of(cls, registry: Registry, options: TrainOptions, command: str = "") -> "Training":
        """Check the options before anything is changed; `command` is what the checkpoint's card says made it. Errors
        as for `coc.train`.
        """
        model, out = options.model, options.out or Path(f"{options.domain}-checkpoint")
        if options.out is None and options.domain is None:
            raise UsageError("no folder is named for the checkpoint", remedy="name one with -o")
        spec = registry.find(ModelSpec, model)
        if spec.trainer is None:
            raise UsageError(f"the model {model!r} can't be trained")
        trainer: Trainer = registry.make(spec, spec.trainer)
        settings, presets = list[Setting](), trainer.presets()
        if options.domain and not options.data:
            settings = sources.settings_of(
                registry, options.domain, options.memory or [None], options.arith or ["symbolic"]
            )
        finite = bool(settings) and all(has_few_kinds(setting.convention) for setting in settings)
        preset = options.preset or (FINITE_PRESET if finite and FINITE_PRESET in presets else "small")
        if preset not in presets:
            raise UsageError(f"unknown preset {preset!r}", remedy=suggest(preset, presets))
        overrides = override_texts(options.hyperparameters or {}, "hyperparameters")
        more = options.resume, options.init, options.network
        job = TrainingJob(model, (), out, preset, options.seed, overrides, command, *more)
        _check_backend(trainer, job)
        tests = sources.sizes_to_test(options)
        if options.data:
            others = ("domain", *_DRAWN, "holdout", "largest_address", "test_sizes")
            _refuse(options, others, "a dataset has its pairs already")
            pairs = sources.read_pairs(registry, options.data)
        elif options.domain:
            _refuse(options, ("largest_address",), "a domain determines its addresses")
            holdout = 0.0 if preset == FINITE_PRESET else DEFAULT_HOLDOUT
            spec_of_pairs = sources.dataset_spec(options, settings[0].domain.sizes, holdout)
            pairs = sources.written_pairs(settings, spec_of_pairs, tests)
        elif preset == ADDRESS_DIALECT:
            _refuse(options, _DRAWN, "address arithmetic has no domain")
            pairs = sources.address_pairs(options, tests)
        else:
            raise UsageError("there is nothing to train on", remedy="name a --domain, or a dataset with --data")
        return cls(pairs, trainer, job, settings)

    def train(
        self, sets: Sequence[TrainingSet], report: Callable[[TrainingProgress], None] = lambda _: None
    ) -> TrainingReport:
        """Train on the sets that `pairs` gave, and write the checkpoint; errors as for `Trainer.train`."""
        return self.trainer.train(evolve(self.job, training_sets=sets), report)


@takes(TrainOptions, "domain", "sizes")
def train(options: TrainOptions, on_progress: Callable[[TrainingProgress], None] | None = None) -> Trained:
    """Train a model and write its checkpoint, as `coc train` does; `on_progress` is called now and then.

    Raises:
        UsageError: The choices make no sense, or `out` holds something else than a checkpoint.
        ArtefactError: A dataset or the checkpoint to start from is broken.
        StorageError: The checkpoint can't be written.
    """
    command = ", ".join(f"{name}={_written(value)}" for name, value in given(options).items())
    training = Training.of(open_registry(options.plugins), options, f"coc.train({command})")
    report = training.train(training.pairs.sets(), on_progress or (lambda _: None))
    return Trained(str(training.job.out), report)


def _check_backend(trainer: Trainer, job: TrainingJob) -> None:
    """Check a job whose training sets have not been made yet; errors as for `Trainer.check`."""
    if job.network is not None and not trainer.takes_network:
        raise UsageError(f"the backend {job.backend!r} has networks of its own only", remedy="leave out --network")
    trainer.check(job)


def _written(value: object) -> str:
    """Return an argument as it can be pasted: a path is a text."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, type):
        return value.__qualname__
    return repr(os.fspath(value) if isinstance(value, os.PathLike) else value)


def _refuse(options: TrainOptions, names: Sequence[str], reason: str) -> None:
    """Raise UsageError, with the reason, if one of these options was given."""
    chosen = given(options)
    for name in names:
        if name in chosen:
            flag = option_of(getattr(fields(TrainOptions), name)).flags[0]
            raise UsageError(f"{reason}, so {flag} can't be given", remedy="leave it out")
