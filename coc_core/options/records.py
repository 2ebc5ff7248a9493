"""The options of running, evaluating, training and writing data, as records.

A record says what a caller chose. The command line builds one, the front door builds one, and what was given is what
differs from the defaults.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import frozen

from coc_core.datasets import LARGEST_ADDRESS, LEAST_LARGEST_ADDRESS, HoldOutBy
from coc_core.domain import MOST_PROBLEMS, Split
from coc_core.options import shared
from coc_core.options.option import (
    ADVANCED,
    MODEL,
    OUTPUT,
    PROBLEM,
    Assignments,
    Choice,
    Decimal,
    File,
    Flag,
    Name,
    Option,
    Several,
    Source,
    Whole,
    option,
)
from coc_core.plugin import DEFAULT_FORMAT
from coc_core.types import DEFAULT_SIZE, Limits

DEFAULT_INSTANCES = 50
"""How many problems of each size are drawn for an evaluation or for tests by default."""

DEFAULT_SIZES = "1-20"
"""The sizes of the problems that pairs are made of by default."""

DEFAULT_HOLDOUT = 0.15

PathLike = str | os.PathLike[str]
Sizes = int | str | Iterable[int]

MEASUREMENT = "Measurement"
TRAINING = "Training"


@frozen(kw_only=True, slots=False)
class SettingOptions:
    """Domain, memory and arithmetic, by name."""

    domain: str | None = option(shared.DOMAIN)
    memory: str | None = option(shared.MEMORY, None)
    arith: str = option(shared.ARITH, "symbolic")
    arith_model: str | None = option(shared.ARITH_MODEL, None)


@frozen(kw_only=True, slots=False)
class ModelOptions:
    """A model, and how it is called."""

    model: str | None = option(shared.CHECKPOINT, None)
    device: str | None = option(shared.DEVICE, None)
    executor: str = option(shared.EXECUTOR, "auto")


@frozen(kw_only=True, slots=False)
class PluginOptions:
    """Plugins that are not installed."""

    plugins: tuple[Path, ...] = option(shared.PLUGINS, ())


@frozen(kw_only=True, slots=False)
class WorkerOptions:
    """Where work is done that several processes can share."""

    jobs: int | None = option(shared.JOBS, None)
    engine: str | None = option(shared.ENGINE, None)
    engine_address: str | None = option(shared.ENGINE_ADDRESS, None)


@frozen(kw_only=True, slots=False)
class OneProblem:
    """One problem: of a size, or of the user's."""

    n: int | None = option(shared.SIZE, None)
    seed: int = option(shared.SEED, 0)
    problem: PathLike | None = option(shared.PROBLEM_FILE, None)


@frozen(kw_only=True, slots=False)
class ManyProblems:
    """Problems of several sizes, or the user's."""

    sizes: Sizes | None = option(shared.SIZES, None, shown=str(DEFAULT_SIZE))
    instances: int | None = option(shared.INSTANCES, None, shown=str(DEFAULT_INSTANCES))
    near_goal: int | None = option(
        Option(
            "Draw K near-goal problems of each size instead: problems that a few actions solve.",
            ("--near-goal",),
            Whole(1, MOST_PROBLEMS, "K"),
            PROBLEM,
        ),
        None,
    )
    split: Split | None = option(
        Option(
            "Draw problems from this split, or from all problems.",
            ("--split",),
            Choice(annotation=Split),
            PROBLEM,
            shown="test",
        ),
        None,
    )
    exhaustive: bool = option(shared.EXHAUSTIVE, False)
    problems: PathLike | Iterable[str] | None = option(shared.PROBLEMS, None)
    seed: int = option(shared.SEEDS, 0)


@frozen(kw_only=True, slots=False)
class SolveOptions(PluginOptions, ModelOptions, OneProblem, SettingOptions):
    """One problem, and how a model solves it."""

    max_steps: int | None = option(shared.MAX_STEPS, None, shown=f"{Limits().steps:,}; no limit if steps are skipped")
    deterministic: bool = option(
        Option(
            "Call the model with one prompt at a time, so that batching can't change how results are rounded.",
            ("--deterministic",),
            Flag(),
            ADVANCED,
        ),
        False,
    )


@frozen(kw_only=True, slots=False)
class RunOptions(SolveOptions):
    """What `coc.run` takes, and `coc run` among others."""

    domain: str | None = option(
        shared.DOMAIN,
        None,
        help="Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles. Required without --resume.",
    )
    save: Path | None = option(
        Option(
            "Record every step in this new file, so that the run can be resumed after a crash; see --resume.",
            ("--save",),
            File("RUN"),
            OUTPUT,
        ),
        None,
    )
    resume: Path | None = option(
        Option(
            "Continue the run recorded in this file. All other options are taken from it, except --plan.",
            ("--resume",),
            File("RUN"),
            PROBLEM,
        ),
        None,
    )


@frozen(kw_only=True, slots=False)
class ValidateOptions(PluginOptions, OneProblem):
    """What `coc.validate` takes, and `coc validate` among others."""

    domain: str = option(shared.DOMAIN)
    plan: PathLike | Iterable[str] = option(
        Option("The plan: a file, or - for standard input.", (), Source("PLAN"), PROBLEM)
    )
    plan_format: str | None = option(
        shared.PLAN_FORMAT,
        None,
        help="Read the plan in this format: text, physical, json, or a format from a plugin.",
        shown="recognised by its first line",
    )


@frozen(kw_only=True, slots=False)
class EvalOptions(PluginOptions, WorkerOptions, ModelOptions, ManyProblems, SettingOptions):
    """What `coc.evaluate` takes, and `coc eval` among others."""

    optimal: bool = option(
        Option(
            "Compare the lengths of the plans with those of the shortest plans. For small sizes only.",
            ("--optimal",),
            Flag(),
            MEASUREMENT,
        ),
        False,
    )
    plans: Path | None = option(
        Option(
            "With --problems: keep the plan of each problem in this folder. Plans that are already there are reused.",
            ("--plans",),
            File("DIR"),
            OUTPUT,
        ),
        None,
    )
    plan_format: str = option(
        shared.PLAN_FORMAT,
        DEFAULT_FORMAT,
        help="With --plans: write the plans in this format: text, physical, json, or a format from a plugin.",
    )
    max_steps: int = option(shared.MAX_STEPS, Limits().steps)


@frozen(kw_only=True, slots=False)
class DrawnPairs:
    """Of which problems pairs are made, and which pairs are held out; None is the default."""

    sizes: Sizes | None = option(shared.SIZES, None, shown=DEFAULT_SIZES)
    instances: int | None = option(shared.INSTANCES, None, shown="1")
    enumerated: int | None = option(
        Option(
            "Add the first K problems of each size, in enumeration order.",
            ("--enumerated",),
            Whole(0, MOST_PROBLEMS, "K"),
            PROBLEM,
            shown="0",
        ),
        None,
    )
    near_goal: int | None = option(
        Option(
            "Add K near-goal problems of each size: problems that a few actions solve.",
            ("--near-goal",),
            Whole(0, MOST_PROBLEMS, "K"),
            PROBLEM,
            shown="0",
        ),
        None,
    )
    holdout: float | None = option(
        Option(
            "Hold out this fraction for testing, from 0 to less than 1.",
            ("--holdout",),
            Decimal(),
            PROBLEM,
            shown=str(DEFAULT_HOLDOUT),
        ),
        None,
    )
    holdout_by: HoldOutBy | None = option(
        Option(
            "Hold out steps, the same in all dialects and under all names; single pairs of each dialect; or whole"
            " problems with all pairs that occur in no other problem.",
            ("--holdout-by",),
            Choice(annotation=HoldOutBy),
            PROBLEM,
            shown="steps",
        ),
        None,
    )
    seed: int = option(
        shared.SEED,
        0,
        help="Random seed that selects the problems and the held-out pairs; in a training also the initial weights and"
        " the batches.",
    )


@frozen(kw_only=True, slots=False)
class TrainOptions(PluginOptions, DrawnPairs):
    """What `coc.train` takes, and `coc train` among others."""

    domain: str | None = option(
        shared.DOMAIN, None, help="Choose the puzzle. Required without --data and --preset arithmetic."
    )
    out: Path = option(shared.OUT, help="Write the checkpoint to this folder.", kind=File("DIR"))
    data: tuple[Path, ...] = option(
        Option(
            "Train on the pairs of this dataset. Repeatable.", ("--data",), Several("DIR", kind=File("DIR")), PROBLEM
        ),
        (),
    )
    memory: tuple[str, ...] = option(
        shared.MEMORY, (), help="Choose the memory: pda (a stack) or tape. Repeatable.", kind=Several()
    )
    arith: tuple[str, ...] = option(
        shared.ARITH,
        (),
        help="Choose what computes addresses: symbolic or inline. Repeatable.",
        kind=Several(),
        shown="symbolic",
    )
    largest_address: int | None = option(
        Option(
            "With --preset arithmetic: train on addresses from 0 to N.",
            ("--largest-address",),
            Whole(LEAST_LARGEST_ADDRESS),
            PROBLEM,
            shown=f"{LARGEST_ADDRESS:,}",
        ),
        None,
    )
    test_sizes: Sizes | None = option(
        Option(
            "Test the trained model on problems of these sizes, such as 21,30,40, and store the results in the"
            " checkpoint. With --preset arithmetic: on addresses with these numbers of digits.",
            ("--test-n",),
            Name("SIZES"),
            PROBLEM,
            shown="no tests",
        ),
        None,
    )
    test_instances: int | None = option(
        Option(
            "With --test-n: draw K problems of each size from the test split.",
            ("--test-instances",),
            Whole(1, MOST_PROBLEMS, "K"),
            PROBLEM,
            shown=str(DEFAULT_INSTANCES),
        ),
        None,
    )
    model: str = option(
        Option("Choose the kind of model to train.", ("--model",), panel=MODEL, completes="backends"), "transformer"
    )
    device: str | None = option(shared.DEVICE, None, shown="the variable COC_DEVICE, or a GPU if there is one")
    preset: str = option(
        Option(
            "Choose a named set of hyperparameters. An unknown name prints the list.",
            ("--preset",),
            panel=TRAINING,
            completes="presets",
        ),
        "small",
    )
    config: Path | None = option(
        Option(
            "Read hyperparameters from this TOML file; they replace those of the preset.",
            ("--config",),
            File(),
            TRAINING,
        ),
        None,
    )
    hyperparameters: Mapping[str, object] | None = option(
        Option(
            "Set one hyperparameter. Repeatable. An unknown name prints the list.", ("--set",), Assignments(), TRAINING
        ),
        None,
    )
    init: Path | None = option(
        Option("Start from the weights of this checkpoint.", ("--init",), File("DIR"), TRAINING), None
    )
    resume: bool = option(Option("Continue an interrupted training run.", ("--resume",), Flag(), TRAINING), False)
    tensorboard: Path | None = option(
        Option(
            "Log loss, exactness and learning rate to this folder during training, for TensorBoard.",
            ("--tensorboard",),
            File("DIR"),
            OUTPUT,
        ),
        None,
    )
