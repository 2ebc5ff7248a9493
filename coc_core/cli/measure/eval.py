"""`coc eval`: success rates over sizes and instances."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.measure import addresses, exactness, table
from coc_core.cli.progress import progress
from coc_core.cli.solve.problem import check_length
from coc_core.datasets import teacher_pairs
from coc_core.domain import (
    Instance,
    Split,
    check_searchable,
    enumerate_all,
    has_single_problem,
    near_goal_problem,
    sample_near_goal,
    sample_problems,
)
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.evaluation import Evaluation, predict, success_document
from coc_core.execution import Executor
from coc_core.plugin import ExecutorSpec
from coc_core.setting import Setting
from coc_core.text import parse_sizes
from coc_core.types import Limits

INSTANCES = 50
MEASURED = "Measurement"
"""The panel of the options that say what is measured."""


def evaluate(
    domain: options.Domain,
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    arith_model: options.ArithModel = None,
    sizes: options.Sizes = str(options.DEFAULT_SIZE),
    instances: Annotated[
        int | None,
        typer.Option(
            "--instances",
            parser=options.whole(1),
            metavar="K",
            help="Draw K problems of each size, where a size has more than one.",
            show_default=str(INSTANCES),
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    near_goal: Annotated[
        int | None,
        typer.Option(
            "--near-goal",
            parser=options.whole(1),
            metavar="K",
            help="Draw K near-goal problems of each size instead: those that few actions solve.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    split: Annotated[
        Split | None,
        typer.Option(
            "--split",
            help="Draw from the problems that are kept for testing or for training.",
            show_default="test",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    exhaustive: Annotated[
        bool,
        typer.Option("--exhaustive", help="Run every problem of each size.", rich_help_panel=options.PROBLEM),
    ] = False,
    optimal: Annotated[
        bool,
        typer.Option(
            "--optimal",
            help="Compare the lengths of the plans with the shortest ones. For small sizes only.",
            rich_help_panel=MEASURED,
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exactness",
            help="Call the model once with each distinct prompt of the runs, and count wrong targets.",
            rich_help_panel=MEASURED,
        ),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="With --exactness: take the prompts of a dataset instead.",
            rich_help_panel=MEASURED,
        ),
    ] = None,
    no_runs: Annotated[
        bool, typer.Option("--no-runs", help="With --exactness: run no problem.", rich_help_panel=MEASURED)
    ] = False,
    of_addresses: Annotated[
        str | None,
        typer.Option(
            "--addresses",
            metavar="A-B",
            help="With --arith learned: check its arithmetic on all addresses from A to B, and nothing else.",
            rich_help_panel=MEASURED,
        ),
    ] = None,
    seed: options.Seed = 0,
    model: options.Model = None,
    device: options.Device = None,
    executor: options.Executor = "auto",
    max_steps: options.MaxSteps = Limits().steps,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Measure how many problems a model solves.

    Every plan is validated action by action. The exit code is 0 if all problems are solved. With --exactness, the
    model is first called with single prompts, which also predicts how many problems it solves.

    Examples:
        coc eval -d hanoi -n 1-10
        coc eval -d pancake -n 5,10,20 --instances 20
        coc eval -d hanoi -n 1-12 --exactness --no-runs
        coc eval -d hanoi --memory tape --arith learned --addresses 0-2000
    """
    if exhaustive and (instances or near_goal or split):
        raise UsageError("--exhaustive runs every problem", remedy="leave out --instances, --near-goal and --split")
    if near_goal and instances:
        raise UsageError("--near-goal draws other problems than --instances", remedy="choose one of them")
    if no_runs and (optimal or not exact):
        raise UsageError("--no-runs excludes --optimal" if optimal else "--no-runs needs --exactness")
    if data and not exact:
        raise UsageError("--data needs --exactness")
    if of_addresses and (exact or exhaustive or instances or near_goal or split or optimal):
        raise UsageError("--addresses draws no problem", remedy="leave out the options that choose problems")
    registry = console.registry(plugins)
    setting = Setting.of(registry, domain, memory, arith, Limits(steps=max_steps), arith_model)
    if of_addresses:
        return addresses.check(setting, of_addresses, as_json)
    chosen = parse_sizes(sizes)
    check_sizes(setting, chosen, running=not (no_runs and setting.convention.memoryless), optimal=optimal)
    if near_goal:
        near_goal_problem(setting.domain, chosen[0])  # a complaint before the model is loaded
    count, drawn = near_goal or instances or INSTANCES, split or Split.test
    some = sample_near_goal if near_goal else sample_problems
    total = None if exhaustive else sum(1 if has_single_problem(setting.domain, n) else count for n in chosen)

    def draws() -> Iterator[Instance]:
        for n in chosen:
            yield from enumerate_all(setting.domain, n) if exhaustive else some(setting.domain, n, count, seed, drawn)

    parts = (
        exactness.subsets(data, setting)
        if data
        else [("pairs", teacher_pairs(setting, (one.problem for one in draws())))]
    )
    runner: Executor = registry.create(ExecutorSpec, executor)
    with console.err().status("loading the model"):
        subject = setting.model(model)
    checked = exactness.check(subject, parts) if exact else None
    stopped = checked is not None and checked.interrupted
    predictions = predict(setting, draws(), checked) if checked and not stopped else []
    evaluation = Evaluation(setting, subject, runner, optimal)
    running = not (no_runs or stopped)
    if running:
        _run(evaluation, draws(), total)
    if as_json:
        heading = {
            "domain": setting.domain.name,
            "memory": setting.memory.name,
            "arith": setting.arithmetic.name,
            "executor": runner.name,
            "executor_used": runner.used,
            "model": subject.describe(),
            "arith_model": setting.arith_model.describe() if setting.arith_model else None,
            "arith_mistakes": list(setting.arithmetic.mistakes),
            "problems": "exhaustive" if exhaustive else str(drawn),
            "near_goal": near_goal is not None,
            "seed": None if exhaustive else seed,
            "data": str(data) if data else None,
        }
        single_prompts = exactness.plain(checked, predictions, evaluation) if checked else {}
        typer.echo(json.dumps(heading | single_prompts | (success_document(evaluation) if running else {})))
    else:
        if checked:
            exactness.show(checked, predictions, evaluation, subject.describe())
        if running:
            table.show(setting, evaluation, subject.describe(), runner.used)
    if stopped or evaluation.interrupted:
        return EXIT_INTERRUPTED
    return EXIT_NOT_SOLVED if evaluation.failed or (checked and checked.wrong) else EXIT_SOLVED


def _run(evaluation: Evaluation, draws: Iterable[Instance], total: int | None) -> None:
    started = time.monotonic()

    def note() -> str:
        return f"{evaluation.failed:,} failed, {evaluation.done / (time.monotonic() - started + 1e-9):,.0f} problems/s"

    with progress(console.err(), "evaluating", lambda: total, lambda: evaluation.done, note), interruptible(evaluation):
        evaluation.run(draws)


def check_sizes(setting: Setting, sizes: Sequence[int], *, running: bool, optimal: bool) -> None:
    """UsageError if the domain has no such sizes, or if their runs, where asked for, or the search are too long."""
    for n in (sizes[0], sizes[-1]):
        largest = setting.domain.problem(n)
    if running:
        check_length(setting, largest)
    if optimal:
        check_searchable(setting.domain, largest)
