"""`coc eval`: success rates over sizes and instances."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from coc_core.api import (
    DEFAULT_INSTANCES,
    EvaluationReport,
    check_plans,
    chosen_problems,
    kept_plans,
    open_workers,
)
from coc_core.cli import complete, console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.measure import addresses, against, exactness, files, table
from coc_core.cli.progress import progress
from coc_core.cli.solve import show, trained
from coc_core.domain import MOST_PROBLEMS, Instance, Split
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.evaluation import Choices, Evaluation, Workers, paired, paired_document, predict, success_document
from coc_core.execution import Executor
from coc_core.plugin import DEFAULT_FORMAT, ExecutorSpec
from coc_core.types import DEFAULT_SIZE, Limits

MEASURED = "Measurement"
"""The panel of the options that say what is measured."""


def evaluate(
    domain: options.Domain,
    memory: options.Memory = None,
    arith: options.Arith = "symbolic",
    arith_model: options.ArithModel = None,
    sizes: Annotated[str | None, options.sizes(str(DEFAULT_SIZE))] = None,
    instances: Annotated[
        int | None,
        options.instances(DEFAULT_INSTANCES),
    ] = None,
    near_goal: Annotated[
        int | None,
        typer.Option(
            "--near-goal",
            parser=options.whole(1, MOST_PROBLEMS),
            metavar="K",
            help="Draw K near-goal problems of each size instead: problems that a few actions solve.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    split: Annotated[
        Split | None,
        typer.Option(
            "--split",
            help="Draw problems from this split, or from all problems.",
            show_default="test",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    exhaustive: Annotated[
        bool,
        typer.Option("--exhaustive", help="Run every problem of each size.", rich_help_panel=options.PROBLEM),
    ] = False,
    given: Annotated[
        str | None,
        typer.Option(
            "--problems",
            metavar="FILE|DIR|PATTERN",
            help="Run your own problems instead: from a .txt or .jsonl file with one problem per line, from the files"
            " in a folder, or from the files that match a pattern such as 'mine/*.json'.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    optimal: Annotated[
        bool,
        typer.Option(
            "--optimal",
            help="Compare the lengths of the plans with those of the shortest plans. For small sizes only.",
            rich_help_panel=MEASURED,
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exactness",
            help="Call the model once for each distinct prompt of the runs, and count wrong targets.",
            rich_help_panel=MEASURED,
        ),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="With --exactness: use the prompts of this dataset instead.",
            rich_help_panel=MEASURED,
        ),
    ] = None,
    no_runs: Annotated[
        bool,
        typer.Option(
            "--no-runs",
            help="With --exactness: check single prompts only, and run no problem.",
            rich_help_panel=MEASURED,
        ),
    ] = False,
    of_addresses: Annotated[
        str | None,
        typer.Option(
            "--addresses",
            metavar="A-B",
            help="With --arith learned: check only its arithmetic, on all addresses from A to B; with --instances K, on"
            " K addresses of each number of digits.",
            rich_help_panel=MEASURED,
        ),
    ] = None,
    figure: Annotated[
        Path | None,
        options.plot("the results by size"),
    ] = None,
    rows: Annotated[
        Path | None,
        options.csv("a row for each size"),
    ] = None,
    plans: Annotated[
        Path | None,
        typer.Option(
            "--plans",
            metavar="DIR",
            help="With --problems: keep the plan of each problem in this folder. Plans that are already there are"
            " reused.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    plan_format: Annotated[str, options.plan_format("With --plans: write the plans in this format")] = DEFAULT_FORMAT,
    seed: options.Seeds = 0,
    model: options.Model = None,
    rival: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="NAME|DIR",
            help="Also run the same problems with this model, and compare the two.",
            autocompletion=complete.models,
            rich_help_panel=options.MODEL,
        ),
    ] = None,
    device: options.Device = None,
    executor: options.Executor = "auto",
    jobs: options.Jobs = None,
    engine: options.Engine = None,
    engine_address: options.EngineAddress = None,
    max_steps: options.MaxSteps = Limits().steps,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Measure how many problems a model solves.

    Every action is checked against the rules of the puzzle. The exit code is 0 if all problems are solved. With
    --exactness, single prompts are checked first, which also predicts how many problems will be solved. --against
    compares two models problem by problem.

    Examples:
        coc eval -d hanoi -n 1-10
        coc eval -d pancake -n 5,10,20 --instances 20
        coc eval -d hanoi -n 1-12 --exactness --no-runs
        coc eval -d blocksworld -n 10-60 --instances 5 --exactness --plot sizes.svg
        coc eval -d pancake -n 5-10 --model mine --against pancake
        coc eval -d hanoi --memory tape --arith learned --addresses 0-2000
        coc eval -d pancake --problems mine.jsonl --plans mine-plans --jobs 4
    """
    if no_runs and (optimal or not exact):
        raise UsageError("--no-runs excludes --optimal" if optimal else "--no-runs needs --exactness")
    if no_runs and (rival is not None or rows):
        raise UsageError("--against and --csv need runs", remedy="leave out --no-runs")
    if plans is None and plan_format != DEFAULT_FORMAT:
        raise UsageError("--plan-format needs --plans", remedy="name the folder of the plans with --plans DIR")
    if no_runs and plans:
        raise UsageError("--plans needs runs", remedy="leave out --no-runs")
    if data and not exact:
        raise UsageError("--data needs --exactness")
    if of_addresses and (exact or exhaustive or near_goal or split or optimal or rival is not None or rows or given):
        raise UsageError("--addresses uses no problems", remedy="leave out the options about problems")
    if figure and (data or of_addresses):
        raise UsageError("--plot draws results over problem sizes", remedy="leave out --data and --addresses")
    registry = console.registry(plugins)
    files.check(figure, rows)
    limits, others, packed = Limits(steps=max_steps), tuple(plugins or ()), plan_format if plans else None
    choices = Choices(domain, memory, arith, limits, arith_model, model, executor, optimal, others, packed)
    setting = choices.setting(registry)
    if of_addresses:
        address_check = addresses.prepare(setting, of_addresses, instances, seed)
        with open_workers(registry, choices, jobs, engine, engine_address) as workers:
            return addresses.check(setting, address_check, workers, as_json)
    problems = chosen_problems(
        setting,
        given,
        sizes,
        instances=instances,
        near_goal=near_goal,
        split=split,
        exhaustive=exhaustive,
        seed=seed,
    )
    problems.check(setting, running=not (no_runs and setting.convention.memoryless), optimal=optimal)
    parts = exactness.subsets(data, setting) if data else exactness.by_size(setting, problems)
    runner: Executor = registry.create(ExecutorSpec, executor)
    with console.status("loading the model"):
        subject = setting.model(model)
        other = None
        if rival is not None:
            # A setting of its own, since learned arithmetic counts its mistakes.
            beside = choices.setting(registry)
            other = Evaluation(beside, beside.model(rival), registry.create(ExecutorSpec, executor))
    unseen = trained.warn_outside(subject, problems.sizes)
    if other:
        trained.warn_outside(other.model, problems.sizes)
    evaluation = Evaluation(setting, subject, runner, optimal, choices.plan_format)
    check_plans(problems, plans, evaluation)
    with open_workers(registry, choices, jobs, engine, engine_address) as workers:
        checked = exactness.check(subject, parts, workers) if exact else None
        stopped = checked is not None and checked.interrupted
        predictions = []
        if checked and not stopped:
            with console.status("counting steps"):
                predictions = predict(setting, problems, checked, of_each_size=not data)
        running = not (no_runs or stopped)
        if running:
            with kept_plans(evaluation, problems, plans) as left:
                _run(evaluation, problems.total, left, workers)
        compared = None
        if other and not (stopped or evaluation.interrupted):
            _run(other, problems.total, problems, workers and workers.with_model(rival))
            compared = None if other.interrupted else paired(evaluation, other)
    report = EvaluationReport(evaluation, problems)
    if rows and not stopped:
        report.to_csv(rows)
    if figure:
        files.draw(figure, evaluation, checked, problems.sampled)
    if as_json:
        heading = report.heading() | {"data": str(data) if data else None} | trained.document(subject, problems.sizes)
        single_prompts = exactness.plain(checked, predictions, evaluation) if checked else {}
        runs = success_document(evaluation) if running else {}
        if other and compared:
            runs["against"] = {"model": other.model.describe(), **paired_document(compared)}
        console.document(heading | single_prompts | runs)
    else:
        if checked:
            exactness.show(checked, predictions, evaluation, subject.describe(), sizes=not data)
        if running:
            table.show(setting, evaluation, subject.describe(), evaluation.used, problems.sampled)
        if other and compared:
            against.show(compared, subject.describe(), other.model.describe())
        if unseen and evaluation.failed:
            show.remark(unseen)
    if stopped or evaluation.interrupted or (other and other.interrupted):
        return EXIT_INTERRUPTED
    if checked:
        checked.check_lost()
    for each in filter(None, (evaluation, other)):
        each.check_lost()
    return EXIT_NOT_SOLVED if evaluation.failed or (checked and checked.wrong) else EXIT_SOLVED


def _run(evaluation: Evaluation, total: int | None, problems: Iterable[Instance], workers: Workers | None) -> None:
    started = time.monotonic()
    if evaluation.restored:
        console.warn(f"{evaluation.restored:,} of {total:,} problems were run before")

    def note() -> str:
        rate = (evaluation.done - evaluation.restored) / (time.monotonic() - started + 1e-9)
        return f"{evaluation.failed:,} failed, {rate:,.0f} problems/s"

    with progress(console.err(), "evaluating", lambda: total, lambda: evaluation.done, note), interruptible(evaluation):
        evaluation.run(problems, workers)
