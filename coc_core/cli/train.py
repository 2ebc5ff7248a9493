"""`coc train`: make a checkpoint from the reference model's pairs."""

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from coc_core.checkpoint import Identity
from coc_core.cli import console, options
from coc_core.cli.progress import progress
from coc_core.cli.run import check_length
from coc_core.data import Pair, hold_out
from coc_core.errors import UsageError
from coc_core.hookspecs import ModelSpec
from coc_core.lessons import lessons
from coc_core.registry import suggest
from coc_core.sampling import Part, draw
from coc_core.setting import Setting
from coc_core.training import Trainer, TrainingJob, TrainingProgress


def train(
    domain: options.Domain,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The checkpoint's folder.", show_default=False)
    ],
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    sizes: Annotated[str, typer.Option("--n", "-n", metavar="N|A-B", help="The problem sizes to learn from.")] = "1-20",
    instances: Annotated[
        int, typer.Option("--instances", min=1, help="How many problems of each size, where there are several.")
    ] = 1,
    holdout: Annotated[float, typer.Option("--holdout", help="The fraction of pairs kept for testing.")] = 0.15,
    seed: Annotated[
        int, typer.Option("--seed", help="Draws the problems, the hold-out, the weights and the batches.")
    ] = 0,
    backend: Annotated[str, typer.Option("--model", metavar="NAME", help="The backend that learns.")] = "transformer",
    preset: Annotated[str, typer.Option("--preset", help="A named set of hyperparameters.")] = "small",
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Override one hyperparameter; repeatable.")
    ] = None,
    as_json: options.Json = False,
) -> int:
    """Train a model on the distinct prompt-target pairs of a setting, and measure it on all of them."""
    registry = console.registry()
    setting = Setting.of(registry, domain, memory, arith)
    spec = registry.find(ModelSpec, backend)
    if spec.trainer is None:
        raise UsageError(f"the model {backend!r} does not learn")
    trainer: Trainer = registry.make(spec, spec.trainer)
    if preset not in trainer.presets():  # now, not after the pairs were written
        raise UsageError(f"unknown preset {preset!r}", remedy=suggest(preset, trainer.presets()))
    overrides = dict(parse_override(value) for value in values or ())
    problems = [
        drawn.problem for n in parse_sizes(sizes) for drawn in draw(setting.domain, n, instances, seed, Part.train)
    ]
    if not setting.convention.memoryless:  # else nothing has to be run
        check_length(setting, problems[-1])
    pairs: list[Pair] = []
    with progress(console.err(), "writing pairs", lambda: None, lambda: len(pairs), lambda: ""):
        for pair in lessons(setting, problems):
            pairs.append(pair)
    learned, held = hold_out(pairs, holdout, seed)
    job = TrainingJob(
        Identity(backend, (setting.convention.dialect,)),
        learned,
        held,
        out,
        preset,
        seed,
        overrides,
        command=" ".join(["coc", *map(shlex.quote, sys.argv[1:])]),
    )
    latest = TrainingProgress(0, 0, float("nan"))

    def report(step: TrainingProgress) -> None:
        nonlocal latest
        latest = step

    with progress(console.err(), "training", lambda: latest.steps or None, lambda: latest.step, lambda: _note(latest)):
        result = trainer.train(job, report)
    if as_json:
        typer.echo(json.dumps({"checkpoint": str(out), **asdict(result)}))
    else:
        console.out().print(
            f"{out}: {result.parameters:,} parameters, {result.steps:,} steps in {result.seconds:.0f} s\n"
            f"  answered exactly: {result.train_exact} of {result.train_pairs} training pairs,"
            f" {result.heldout_exact} of {result.heldout_pairs} held-out pairs",
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


def parse_override(text: str) -> tuple[str, str]:
    """`name=value`, taken apart."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text!r} sets nothing", remedy="write it like --set lr=0.001")
    return name.strip(), value.strip()


def _note(step: TrainingProgress) -> str:
    def exactness(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    return f"loss {step.loss:.4f}, exact {exactness(step.train_exact)} seen, {exactness(step.heldout_exact)} held out"
