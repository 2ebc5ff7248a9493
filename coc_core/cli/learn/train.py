"""`coc train`: make a checkpoint from the reference model's pairs."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from coc_core.api import DEFAULT_SIZES, DEFAULT_TESTS, Training, read_config
from coc_core.arithmetic import results_of
from coc_core.cli import complete, console, options
from coc_core.cli.learn.spec import (
    Ariths,
    Enumerated,
    HeldOutUnit,
    HoldOut,
    Instances,
    Memories,
    NearGoal,
    TrainingDevice,
)
from coc_core.cli.progress import progress
from coc_core.datasets import LARGEST_ADDRESS, LEAST_LARGEST_ADDRESS
from coc_core.domain import MOST_PROBLEMS
from coc_core.errors import UsageError
from coc_core.evaluation import check_figure, draw_training, read_metrics, write_figure
from coc_core.models import TrainingProgress, TrainingReport
from coc_core.storage import check_distinct
from coc_core.text import counted, duration

TRAINING = "Training"
"""The panel of the options that say how the model is trained."""


def train(
    out: Annotated[
        Path,
        options.out("DIR", "Write the checkpoint to this folder."),
    ],
    domain: Annotated[
        str | None,
        options.domain("Choose the puzzle. Required without --data and --preset arithmetic."),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Train on the pairs of this dataset. Repeatable.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    memory: Memories = None,
    arith: Ariths = None,
    sizes: Annotated[
        str | None,
        options.sizes(DEFAULT_SIZES),
    ] = None,
    instances: Instances = None,
    enumerated: Enumerated = None,
    near_goal: NearGoal = None,
    holdout: HoldOut = None,
    by: HeldOutUnit = None,
    largest_address: Annotated[
        int | None,
        typer.Option(
            "--largest-address",
            parser=options.whole(LEAST_LARGEST_ADDRESS),
            metavar="N",
            help="With --preset arithmetic: train on addresses from 0 to N.",
            show_default=f"{LARGEST_ADDRESS:,}",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    test_sizes: Annotated[
        str | None,
        typer.Option(
            "--test-n",
            metavar="SIZES",
            help="Test the trained model on problems of these sizes, such as 21,30,40, and store the results in the"
            " checkpoint. With --preset arithmetic: on addresses with these numbers of digits.",
            show_default="no tests",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    test_instances: Annotated[
        int | None,
        typer.Option(
            "--test-instances",
            parser=options.whole(1, MOST_PROBLEMS),
            metavar="K",
            help="With --test-n: draw K problems of each size from the test split.",
            show_default=str(DEFAULT_TESTS),
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    seed: Annotated[
        int,
        options.seed("Random seed that selects the problems, the held-out pairs, the initial weights and the batches."),
    ] = 0,
    backend: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Choose the kind of model to train.",
            autocompletion=complete.backends,
            rich_help_panel=options.MODEL,
        ),
    ] = "transformer",
    device: TrainingDevice = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="Choose a named set of hyperparameters. An unknown name prints the list.",
            autocompletion=complete.presets,
            rich_help_panel=TRAINING,
        ),
    ] = "small",
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Read hyperparameters from this TOML file; they replace those of the preset.",
            rich_help_panel=TRAINING,
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set one hyperparameter. Repeatable.",
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
        typer.Option("--resume", help="Continue an interrupted training run.", rich_help_panel=TRAINING),
    ] = False,
    figure: Annotated[
        Path | None,
        options.plot("loss, exactness and learning rate"),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard",
            metavar="DIR",
            help="Log loss, exactness and learning rate to this folder during training, for TensorBoard.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Train a model and measure its accuracy.

    The training set has every distinct prompt-target pair of the chosen problems, or the pairs of datasets.

    Examples:
        coc train -d hanoi -n 1-15 -o my-hanoi
        coc train -d pancake --instances 200 -o flips --plot flips.svg
        coc train --data hanoi-pairs --seed 3 -o from-pairs
        coc train -d hanoi -n 1-15 -o my-hanoi --tensorboard logs
        coc train --preset arithmetic -o adder
    """
    registry = console.registry(plugins)
    if figure:
        check_distinct({"--plot": [figure], "--out": [out]}, {})
        check_figure(figure)
    overrides = read_config(config) if config else {}
    overrides |= dict(parse_override(value) for value in values or ())
    training = Training.of(
        registry,
        out,
        domain,
        data=data or (),
        model=backend,
        preset=preset,
        overrides=overrides,
        seed=seed,
        init=init,
        resume=resume,
        command=command_line(),
        memory=memory,
        arith=arith,
        sizes=sizes,
        instances=instances,
        enumerated=enumerated,
        near_goal=near_goal,
        holdout=holdout,
        holdout_by=by,
        largest_address=largest_address,
        test_sizes=test_sizes,
        test_instances=test_instances,
        tensorboard=tensorboard,
    )
    result = _train(training)
    if not console.is_main_process():
        return 0
    if as_json:
        console.document({"checkpoint": str(out), **asdict(result)})
    else:
        console.result(
            f"{out}: {counted(result.parameters, 'parameter')}, {counted(result.steps, 'step')}"
            f" in {duration(result.seconds)}",
            f"exact targets: {result.train_exact:,} of {counted(result.train_pairs, 'training pair')},"
            f" {result.heldout_exact:,} of {counted(result.heldout_pairs, 'held-out pair')}",
            *(f"{dialect}, {results_of(dialect, found)}" for dialect, found in result.tested.items()),
            *_divided(result, init),
        )
    if figure:  # last, so that a backend that notes nothing hides no result
        metrics = read_metrics(out)
        write_figure(figure, lambda form: draw_training(metrics, out.name, form))
    return 0


def command_line(words: Sequence[str] | None = None) -> str:
    """The command under way, as a shell would read it; `words` replace its arguments."""
    return " ".join(["coc", *map(shlex.quote, sys.argv[1:] if words is None else words)])


def parse_override(text: str) -> tuple[str, str]:
    """`name=value`, taken apart."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text!r} sets nothing", remedy="write it like --set lr=0.001")
    return name.strip(), value.strip()


def _divided(result: TrainingReport, init: Path | None) -> list[str]:
    """What the pairs of this training and of those before it mean for each other."""
    notes = []
    if result.withheld:
        notes.append(
            f"{counted(result.withheld, 'pair')} kept out of training,"
            " because an earlier training run held out the steps"
        )
    if result.reused:
        notes.append(
            f"{counted(result.reused, 'pair')} trained on and not held out,"
            " because an earlier training run used the steps"
        )
    if result.known:
        notes.append(
            f"{counted(result.known, 'pair')} held out but not counted,"
            " because the steps were learned in another dialect or with other names"
        )
    if init is not None and result.heldout_pairs and not result.complete:
        notes.append(f"{init} has no full record of its pairs, so it may have been trained on held-out pairs")
    return notes


def _train(training: Training) -> TrainingReport:
    pairs = training.pairs
    with progress(console.err(), pairs.doing, lambda: pairs.total, lambda: pairs.count, lambda: pairs.done):
        sets = pairs.sets()
    latest: TrainingProgress | None = None

    def report(step: TrainingProgress) -> None:
        nonlocal latest
        latest = step

    def total() -> int | None:
        return latest.steps if latest else None

    def count() -> int | None:
        return latest.step if latest else None

    with progress(console.err(), "training", total, count, lambda: _note(latest)):
        return training.train(sets, report)


def _note(step: TrainingProgress | None) -> str:
    if step is None:
        return "preparing the pairs"

    def exactness(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    return f"loss {step.loss:.4f}, exact {exactness(step.train_exact)} seen, {exactness(step.heldout_exact)} held out"
