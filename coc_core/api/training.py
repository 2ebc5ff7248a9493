"""`coc.train`: make a checkpoint from prompt-target pairs; and what comes of it."""

import os
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path

from attrs import evolve, frozen

from coc_core.api.hyperparameters import override_texts, read_config
from coc_core.api.pairs import AddressPairs, PairSource, ReadPairs, SizesToTest, WrittenPairs, dataset_spec, settings_of
from coc_core.api.parts import open_registry
from coc_core.api.values import Files, Names, PathLike, Sizes, names, paths, whole
from coc_core.arithmetic import ADDRESS_DIALECT
from coc_core.errors import UsageError
from coc_core.models import Trainer, TrainingJob, TrainingProgress, TrainingReport, TrainingSet, on_device
from coc_core.plugin import ModelSpec, Registry, suggest


@frozen
class Trained:
    """A checkpoint that was made, and how exact it is. `folder` is what `coc.run(..., model=...)` takes."""

    folder: str
    report: TrainingReport

    def __repr__(self) -> str:
        report = self.report
        exact = f"{report.train_exact:,} of {report.train_pairs:,} training pairs exact"
        return f"<Trained: {self.folder:.40}, {report.parameters:,} parameters, {exact}>"


@frozen
class Training:
    """A training run that is checked and ready. Make one with `Training.of`, get its `pairs`, then `train`.

    Attributes:
        pairs: Where the pairs come from.
        trainer: The backend's part that trains.
        job: Everything but the pairs: its training sets are empty.
    """

    pairs: PairSource
    trainer: Trainer
    job: TrainingJob

    def __repr__(self) -> str:
        return f"Training({self.job.backend}, {self.job.preset}, {self.pairs.doing})"

    @classmethod
    def of(
        cls,
        registry: Registry,
        out: Path,
        domain: str | None = None,
        *,
        data: Sequence[Path] = (),
        model: str = "transformer",
        preset: str = "small",
        overrides: Mapping[str, str] = {},
        seed: int = 0,
        init: Path | None = None,
        resume: bool = False,
        command: str = "",
        memory: Sequence[str] | None = None,
        arith: Sequence[str] | None = None,
        sizes: Sizes | None = None,
        instances: int | None = None,
        enumerated: int | None = None,
        near_goal: int | None = None,
        holdout: float | None = None,
        holdout_by: str | None = None,
        largest_address: int | None = None,
        test_sizes: Sizes | None = None,
        test_instances: int | None = None,
        tensorboard: Path | None = None,
    ) -> "Training":
        """Check the choices, which are those of `coc.train`, before anything is changed.

        Raises:
            UsageError: The choices make no sense.
            ArtefactError: A dataset is broken.
            StorageError: The checkpoint can't be written.
        """
        spec = registry.find(ModelSpec, model)
        if spec.trainer is None:
            raise UsageError(f"the model {model!r} can't be trained")
        trainer: Trainer = registry.make(spec, spec.trainer)
        if preset not in trainer.presets():
            raise UsageError(f"unknown preset {preset!r}", remedy=suggest(preset, trainer.presets()))
        chosen = {
            "--memory": memory,
            "--arith": arith,
            "--n": sizes,
            "--instances": instances,
            "--enumerated": enumerated,
            "--near-goal": near_goal,
            "--holdout-by": holdout_by,
        }
        job = TrainingJob(model, (), out, preset, seed, overrides, command, resume, init, tensorboard)
        if tensorboard is not None:
            if not trainer.writes_event_log:
                raise UsageError(f"the backend {model!r} writes no TensorBoard log", remedy="leave out --tensorboard")
            if Path(os.path.realpath(tensorboard)).is_relative_to(os.path.realpath(out)):
                raise UsageError(
                    f"a log in {tensorboard} would be in the checkpoint {out}", remedy="choose another folder for it"
                )
        trainer.check(job)
        tests = SizesToTest.of(test_sizes, test_instances)
        pairs: PairSource
        if data:
            others = {"--holdout": holdout, "--largest-address": largest_address, "--test-n": tests}
            _refuse({"--domain": domain, **chosen, **others}, "a dataset has its pairs already")
            pairs = ReadPairs(registry, data)
        elif domain:
            _refuse({"--largest-address": largest_address}, "a domain determines its addresses")
            drawn = dataset_spec(sizes, instances, enumerated, near_goal, holdout, holdout_by, seed)
            pairs = WrittenPairs(settings_of(registry, domain, memory or [None], arith or ["symbolic"]), drawn, tests)
        elif preset == ADDRESS_DIALECT:
            _refuse(chosen, "address arithmetic has no domain")
            pairs = AddressPairs(seed, holdout, largest_address, tests)
        else:
            raise UsageError("there is nothing to train on", remedy="name a --domain, or a dataset with --data")
        return cls(pairs, trainer, job)

    def train(
        self, sets: Sequence[TrainingSet], report: Callable[[TrainingProgress], None] = lambda _: None
    ) -> TrainingReport:
        """Train on the sets that `pairs` gave, and write the checkpoint; errors as for `Trainer.train`."""
        return self.trainer.train(evolve(self.job, training_sets=sets), report)


def train(
    domain: str | None = None,
    sizes: Sizes | None = None,
    *,
    out: PathLike,
    memory: Names | None = None,
    arith: Names | None = None,
    data: Files = (),
    instances: int | None = None,
    enumerated: int | None = None,
    near_goal: int | None = None,
    holdout: float | None = None,
    holdout_by: str | None = None,
    largest_address: int | None = None,
    test_sizes: Sizes | None = None,
    test_instances: int | None = None,
    tensorboard: PathLike | None = None,
    seed: int = 0,
    model: str = "transformer",
    device: str | None = None,
    preset: str = "small",
    config: PathLike | None = None,
    hyperparameters: Mapping[str, object] | None = None,
    init: PathLike | None = None,
    resume: bool = False,
    plugins: Files = (),
    on_progress: Callable[[TrainingProgress], None] | None = None,
) -> Trained:
    """Train a model and write its checkpoint, as `coc train` does.

    Args:
        domain: The puzzle whose pairs the reference model writes. Leave it out with `data`, or with the preset
            `arithmetic`.
        sizes: The problem sizes, 1 to 20 by default: one, several such as `range(1, 16)`, or a text such as `"1-3,5"`.
        out: The checkpoint's folder. Another checkpoint there is replaced; anything else is left alone.
        memory: The memory, or several; by default the domain's own.
        arith: The arithmetic, or several; `symbolic` by default.
        data: The folders of datasets to train on instead.
        instances: How many problems of each size are drawn, 1 by default.
        enumerated: How many problems of each size are added in the domain's enumeration order, none by default.
        near_goal: How many near-goal problems of each size are added, none by default.
        holdout: The fraction that is kept for testing, 0.15 by default.
        holdout_by: What is held out: `steps` (the default), the same in all dialects and under all names; `pairs` of
            each dialect; or `instances` with all their pairs.
        largest_address: With the preset `arithmetic`, the largest address in the pairs; by default, the largest of 18
            digits.
        test_sizes: The problem sizes that the model is tested on after the training, none by default. For the preset
            `arithmetic` these are numbers of digits. The checkpoint states the results.
        test_instances: How many problems of each of these sizes are drawn from the test split, 50 by default; for the
            preset `arithmetic`, how many addresses.
        tensorboard: A folder for TensorBoard's log of the loss, the exactness and the learning rate over the steps,
            which is written while it trains.
        seed: Draws the problems, what is held out, the first weights and the batches.
        model: The backend that is trained.
        device: The device to train on, such as `cpu` or `cuda:1`; the backend chooses by default.
        preset: A named set of hyperparameters.
        config: A TOML file with hyperparameters that differ from the preset.
        hyperparameters: Hyperparameters that differ from both, by name.
        init: The folder of a checkpoint to start from.
        resume: Whether to continue a training run that was interrupted.
        plugins: Python files that are plugins, too.
        on_progress: Called now and then while it trains.

    Raises:
        UsageError: The choices make no sense, or `out` holds something else than a checkpoint.
        ArtefactError: A dataset or the checkpoint to start from is broken.
        StorageError: The checkpoint can't be written.
    """
    given = {name: value for name, value in locals().items() if value != signature(train).parameters[name].default}
    given.pop("on_progress", None)
    overrides = read_config(Path(config)) if config is not None else {}
    overrides |= override_texts(hyperparameters or {}, "hyperparameters")
    training = Training.of(
        open_registry(plugins),
        Path(out),
        domain,
        data=paths(data),
        model=model,
        preset=preset,
        overrides=overrides,
        seed=whole("--seed", seed),
        init=None if init is None else Path(init),
        resume=resume,
        command=f"coc.train({', '.join(f'{name}={_written(value)}' for name, value in given.items())})",
        memory=None if memory is None else names(memory),
        arith=None if arith is None else names(arith),
        sizes=sizes,
        instances=instances,
        enumerated=enumerated,
        near_goal=near_goal,
        holdout=holdout,
        holdout_by=holdout_by,
        largest_address=largest_address,
        test_sizes=test_sizes,
        test_instances=test_instances,
        tensorboard=None if tensorboard is None else Path(tensorboard),
    )
    with on_device(device):
        return Trained(str(out), training.train(training.pairs.sets(), on_progress or (lambda _: None)))


def _written(value: object) -> str:
    """An argument as it can be pasted: a path is a text."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return repr(os.fspath(value) if isinstance(value, os.PathLike) else value)


def _refuse(choices: Mapping[str, object], reason: str) -> None:
    """UsageError, with the reason, if one of these choices was made."""
    for name, value in choices.items():
        if value is not None:
            raise UsageError(f"{reason}, so {name} can't be given", remedy="leave it out")
