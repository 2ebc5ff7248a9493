"""`coc train`: make a checkpoint from the reference model's pairs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from coc_core.arithmetic import ADDRESS_DIALECT
from coc_core.cli import complete, console, options
from coc_core.cli.learn.hyperparameters import parse_override, read_config
from coc_core.cli.learn.pairs import command_line, read, settings_of, written
from coc_core.cli.learn.spec import (
    DEFAULT_SIZES,
    Enumerated,
    HeldOutUnit,
    HoldOut,
    Instances,
    NearGoal,
    dataset_spec,
)
from coc_core.cli.progress import progress
from coc_core.datasets import ADDRESS_HOLDOUT, address_training_set
from coc_core.errors import UsageError
from coc_core.models import Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_core.plugin import ModelSpec, suggest
from coc_core.text import counted, duration

TRAINING = "Training"
"""The panel of the options that say how the model is trained."""


def train(
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Write the checkpoint to this folder.",
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ],
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            "-d",
            metavar="NAME",
            help="Choose the puzzle. Required unless --data or --preset arithmetic is given.",
            autocompletion=complete.domains,
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Train on this dataset instead of new pairs. Repeatable.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    memory: Annotated[
        list[str] | None,
        typer.Option(
            "--memory",
            "-m",
            metavar="NAME",
            help="Choose the memory that keeps the windows: pda or tape. Repeatable.",
            show_default="pda",
            autocompletion=complete.memories,
            rich_help_panel=options.MACHINE,
        ),
    ] = None,
    arith: Annotated[
        list[str] | None,
        typer.Option(
            "--arith",
            "-a",
            metavar="NAME",
            help="Choose what computes addresses: symbolic or inline. Repeatable.",
            show_default="symbolic",
            autocompletion=complete.arithmetics,
            rich_help_panel=options.MACHINE,
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            "--n",
            "-n",
            metavar="SIZES",
            help="Set the problem sizes: single sizes and ranges, such as 8, 1-20 or 1-3,5.",
            show_default=DEFAULT_SIZES,
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    instances: Instances = None,
    enumerated: Enumerated = None,
    near_goal: NearGoal = None,
    holdout: HoldOut = None,
    by: HeldOutUnit = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            parser=options.whole_number,
            metavar="N",
            help="Seed the draw of the problems, of the held-out part, of the first weights and of the batches.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = 0,
    backend: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Choose the backend that is trained.",
            autocompletion=complete.backends,
            rich_help_panel=options.MODEL,
        ),
    ] = "transformer",
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="Choose a named set of hyperparameters. An unknown name lists them.",
            autocompletion=complete.presets,
            rich_help_panel=TRAINING,
        ),
    ] = "small",
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="Override hyperparameters by a TOML file.", rich_help_panel=TRAINING
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Override one hyperparameter. Repeatable.",
            rich_help_panel=TRAINING,
        ),
    ] = None,
    init: Annotated[
        Path | None,
        typer.Option(
            "--init", metavar="DIR", help="Start from the weights of this checkpoint.", rich_help_panel=TRAINING
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue a training run that was interrupted.", rich_help_panel=TRAINING),
    ] = False,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Train a model and measure it on its pairs.

    The pairs are the distinct prompt-target pairs of one or more settings, or those of datasets.

    Examples:
        coc train -d hanoi -n 1-15 -o my-hanoi
        coc train -d pancake --instances 200 --set steps=2000 -o flips
        coc train --data hanoi-pairs --seed 3 -o from-pairs
        coc train --preset arithmetic -o adder
    """
    registry = console.registry(plugins)
    spec = registry.find(ModelSpec, backend)
    if spec.trainer is None:
        raise UsageError(f"the model {backend!r} can't be trained")
    trainer: Trainer = registry.make(spec, spec.trainer)
    if preset not in trainer.presets():  # now, not after the pairs were written
        raise UsageError(f"unknown preset {preset!r}", remedy=suggest(preset, trainer.presets()))
    overrides = read_config(config) if config else {}
    overrides |= dict(parse_override(value) for value in values or ())
    if data:
        choices = {"--domain": domain, "--memory": memory, "--arith": arith, "--n": sizes, "--instances": instances}
        _refuse(
            choices | {"--enumerated": enumerated, "--near-goal": near_goal, "--holdout": holdout, "--holdout-by": by},
            "a dataset has its pairs already",
        )
        sets = read(registry, data)
    elif domain:
        pairs = dataset_spec(sizes, instances, enumerated, near_goal, holdout, by, seed)
        sets = written(settings_of(registry, domain, memory or ["pda"], arith or ["symbolic"]), pairs)
    elif preset == ADDRESS_DIALECT:
        choices = {"--memory": memory, "--arith": arith, "--n": sizes, "--instances": instances}
        _refuse(
            choices | {"--enumerated": enumerated, "--near-goal": near_goal, "--holdout-by": by},
            "address arithmetic has no domain",
        )
        sets = [address_training_set(seed, holdout=ADDRESS_HOLDOUT if holdout is None else holdout)]
    else:
        raise UsageError("there is nothing to train on", remedy="name a --domain, or a dataset with --data")
    result = _train(trainer, TrainingJob(backend, sets, out, preset, seed, overrides, command_line(), resume, init))
    if not console.speaks():
        return 0
    if as_json:
        typer.echo(json.dumps({"checkpoint": str(out), **asdict(result)}))
    else:
        console.out().print(
            f"{out}: {counted(result.parameters, 'parameter')}, {counted(result.steps, 'step')}"
            f" in {duration(result.seconds)}\n"
            f"  exact targets: {result.train_exact:,} of {counted(result.train_pairs, 'training pair')},"
            f" {result.heldout_exact:,} of {counted(result.heldout_pairs, 'held-out pair')}",
            soft_wrap=True,
        )
    return 0


def _refuse(choices: Mapping[str, object], reason: str) -> None:
    """UsageError, with the reason, if one of these options was given."""
    for name, value in choices.items():
        if value is not None:
            raise UsageError(f"{reason}, so {name} can't be given", remedy="leave it out")


def _train(trainer: Trainer, job: TrainingJob) -> TrainingReport:
    latest: TrainingProgress | None = None

    def report(step: TrainingProgress) -> None:
        nonlocal latest
        latest = step

    def total() -> int | None:
        return latest.steps if latest else None

    def count() -> int | None:
        return latest.step if latest else None

    with progress(console.err(), "training", total, count, lambda: _note(latest)):
        return trainer.train(job, report)


def _note(step: TrainingProgress | None) -> str:
    if step is None:
        return "preparing the pairs"

    def exactness(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    return f"loss {step.loss:.4f}, exact {exactness(step.train_exact)} seen, {exactness(step.heldout_exact)} held out"
