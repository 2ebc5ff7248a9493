"""`coc train`: make a checkpoint from the reference model's pairs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from coc_core.arithmetic import ADDRESS_DIALECT
from coc_core.cli import console, options
from coc_core.cli.learn.hyperparameters import parse_override, read_config
from coc_core.cli.learn.lessons import command_line, read, settings_of, written
from coc_core.cli.progress import progress
from coc_core.datasets import ADDRESS_HOLDOUT, DatasetSpec, HoldOutBy, address_training_set
from coc_core.errors import UsageError
from coc_core.models import Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_core.plugin import ModelSpec, suggest

SIZES = "1-20"
HOLDOUT = 0.15
ENUMERATED = "Besides those drawn, the first K problems of each size that the domain lists."
NEAR_GOAL = "Besides those drawn, K problems of each size that are nearly solved, where the domain draws such."


def train(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The checkpoint's folder.", show_default=False)
    ],
    domain: Annotated[
        str | None,
        typer.Option("--domain", "-d", help="The puzzle, such as hanoi; or give --data, or --preset arithmetic."),
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option("--data", metavar="DIR", help="Learn from a dataset instead; repeatable.")
    ] = None,
    memory: Annotated[
        list[str] | None,
        typer.Option("--memory", "-m", help="Where windows are kept: pda or tape; repeatable.", show_default="pda"),
    ] = None,
    arith: Annotated[
        list[str] | None,
        typer.Option(
            "--arith", "-a", help="Who computes addresses: symbolic or inline; repeatable.", show_default="symbolic"
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("--n", "-n", metavar="N|A-B", help="The problem sizes to learn from.", show_default=SIZES),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(
            "--instances", min=1, help="How many problems of each size, where there are several.", show_default="1"
        ),
    ] = None,
    enumerated: Annotated[
        int | None, typer.Option("--enumerated", metavar="K", min=0, help=ENUMERATED, show_default="0")
    ] = None,
    near_goal: Annotated[
        int | None, typer.Option("--near-goal", metavar="K", min=0, help=NEAR_GOAL, show_default="0")
    ] = None,
    holdout: Annotated[
        float | None, typer.Option("--holdout", help="The fraction kept for testing.", show_default=str(HOLDOUT))
    ] = None,
    by: Annotated[
        HoldOutBy | None,
        typer.Option("--holdout-by", help="Hold out single pairs, or whole problems.", show_default="pairs"),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            parser=options.whole_number,
            metavar="N",
            help="Draws the problems, the hold-out, the weights and the batches.",
        ),
    ] = 0,
    backend: Annotated[str, typer.Option("--model", metavar="NAME", help="The backend that learns.")] = "transformer",
    preset: Annotated[str, typer.Option("--preset", help="A named set of hyperparameters.")] = "small",
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="Override hyperparameters by a TOML file.")
    ] = None,
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Override one hyperparameter; repeatable.")
    ] = None,
    init: Annotated[
        Path | None, typer.Option("--init", metavar="DIR", help="Begin with the weights of this checkpoint.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a training that was cut off.")] = False,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Train a model on the distinct prompt-target pairs of settings, or on datasets, and measure it on all of them."""
    registry = console.registry(plugins)
    spec = registry.find(ModelSpec, backend)
    if spec.trainer is None:
        raise UsageError(f"the model {backend!r} does not learn")
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
        lessons = read(registry, data)
    elif domain:
        chosen = parse_sizes(sizes or SIZES)
        pairs_spec = DatasetSpec(
            chosen[0],
            chosen[-1],
            instances or 1,
            by=by or HoldOutBy.pairs,
            holdout=HOLDOUT if holdout is None else holdout,
            seed=seed,
            enumerated=enumerated or 0,
            near_goal=near_goal or 0,
        )
        lessons = written(settings_of(registry, domain, memory or ["pda"], arith or ["symbolic"]), pairs_spec)
    elif preset == ADDRESS_DIALECT:
        choices = {"--memory": memory, "--arith": arith, "--n": sizes, "--instances": instances}
        _refuse(
            choices | {"--enumerated": enumerated, "--near-goal": near_goal, "--holdout-by": by}, "sums have no domain"
        )
        lessons = [address_training_set(seed, holdout=ADDRESS_HOLDOUT if holdout is None else holdout)]
    else:
        raise UsageError("there is nothing to learn from", remedy="name a --domain, or a dataset with --data")
    result = _train(trainer, TrainingJob(backend, lessons, out, preset, seed, overrides, command_line(), resume, init))
    if not console.speaks():
        return 0
    if as_json:
        typer.echo(json.dumps({"checkpoint": str(out), **asdict(result)}))
    else:
        console.out().print(
            f"{out}: {result.parameters:,} parameters, {result.steps:,} steps in {result.seconds:,.0f} s\n"
            f"  answered exactly: {result.train_exact:,} of {result.train_pairs:,} training pairs,"
            f" {result.heldout_exact:,} of {result.heldout_pairs:,} held-out pairs",
            soft_wrap=True,
        )
    return 0


def parse_sizes(text: str) -> range:
    """The sizes that `8` or `1-20` names; UsageError for anything else."""
    first, dash, last = text.partition("-")
    if not (text.isascii() and first.isdecimal() and (last.isdecimal() or not dash)) or len(text) > 16:
        raise UsageError(f"{text!r} is no range of sizes", remedy="write it like 8 or 1-20")
    sizes = range(int(first), int(last or first) + 1)
    if not sizes:
        raise UsageError(f"the range of sizes {text!r} is empty")
    return sizes


def _refuse(choices: Mapping[str, object], reason: str) -> None:
    """UsageError, with the reason, if one of the choices was made."""
    for name, value in choices.items():
        if value is not None:
            raise UsageError(f"{reason}, so {name} can't be chosen", remedy="leave it out")


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
