"""`coc eval`: success rates over sizes and instances."""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.learn.train import parse_sizes
from coc_core.cli.measure import addresses, exactness
from coc_core.cli.progress import progress
from coc_core.cli.solve.run import check_length
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
from coc_core.evaluation import Evaluation, Failure, predict, success_document
from coc_core.execution import Executor
from coc_core.plugin import ExecutorSpec
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_core.types import Limits

INSTANCES = 50
SHOWN = 10  # failures in the table for a person


def evaluate(
    domain: options.Domain,
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    arith_model: options.ArithModel = None,
    sizes: Annotated[str, typer.Option("--n", "-n", metavar="N|A-B", help="The problem sizes.")] = str(
        options.DEFAULT_SIZE
    ),
    instances: Annotated[
        int | None, typer.Option("--instances", min=1, help="How many problems of each size.", show_default="50")
    ] = None,
    nearly: Annotated[
        int | None,
        typer.Option(
            "--near-goal", metavar="K", min=1, help="Instead, K problems of each size that are nearly solved."
        ),
    ] = None,
    part: Annotated[
        Split | None,
        typer.Option("--split", help="Draw from problems kept for testing or training.", show_default="test"),
    ] = None,
    exhaustive: Annotated[bool, typer.Option("--exhaustive", help="Run every problem of each size.")] = False,
    optimal: Annotated[
        bool, typer.Option("--optimal", help="Compare the plans' lengths with the shortest ones (small n only).")
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exactness", help="Ask every distinct prompt of the runs once, and count wrong answers.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="With --exactness: ask the pairs of a dataset instead.")
    ] = None,
    no_runs: Annotated[bool, typer.Option("--no-runs", help="With --exactness: run no problem.")] = False,
    of_addresses: Annotated[
        str | None,
        typer.Option(
            "--addresses",
            metavar="A-B",
            help="With --arith learned: check its sums of all these addresses, and no more.",
        ),
    ] = None,
    seed: options.Seed = 0,
    model: options.Model = None,
    executor: options.Executor = "lockstep",
    max_steps: options.MaxSteps = Limits().steps,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Measure how many problems a model solves, each plan validated action by action.

    With --exactness, first how many single prompts it answers as the reference model does, and what follows for runs.
    """
    if exhaustive and (instances or nearly or part):
        raise UsageError("--exhaustive runs every problem", remedy="leave out --instances, --near-goal and --split")
    if nearly and instances:
        raise UsageError("--near-goal draws other problems than --instances", remedy="choose one of them")
    if no_runs and (optimal or not exact):
        raise UsageError(f"--no-runs can't go {'with --optimal' if optimal else 'without --exactness'}")
    if data and not exact:
        raise UsageError("--data can't go without --exactness")
    if of_addresses and (exact or exhaustive or instances or nearly or part or optimal):
        raise UsageError("--addresses draws no problem", remedy="leave out what says which and how")
    registry = console.registry(plugins)
    setting = Setting.of(registry, domain, memory, arith, Limits(steps=max_steps), arith_model)
    if of_addresses:
        return addresses.check(setting, of_addresses, as_json)
    chosen = parse_sizes(sizes)
    check_sizes(setting, chosen, running=not (no_runs and setting.convention.memoryless), optimal=optimal)
    if nearly:
        near_goal_problem(setting.domain, chosen[0])  # a complaint before the model is loaded
    count, drawn, some = (
        nearly or instances or INSTANCES,
        part or Split.test,
        sample_near_goal if nearly else sample_problems,
    )
    total = None if exhaustive else sum(1 if has_single_problem(setting.domain, n) else count for n in chosen)

    def draws() -> Iterator[Instance]:
        for n in chosen:
            yield from enumerate_all(setting.domain, n) if exhaustive else some(setting.domain, n, count, seed, drawn)

    lots = (
        exactness.subsets(data, setting)
        if data
        else [("pairs", teacher_pairs(setting, (one.problem for one in draws())))]
    )
    runner: Executor = registry.create(ExecutorSpec, executor)
    with console.err().status("loading the model"):
        subject = setting.model(model)
    checked = exactness.check(subject, lots) if exact else None
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
            "executor": executor,
            "model": subject.describe(),
            "arith_model": setting.arith_model.describe() if setting.arith_model else None,
            "arith_mistakes": list(setting.arithmetic.mistakes),
            "problems": "exhaustive" if exhaustive else str(drawn),
            "nearly_solved": nearly is not None,
            "seed": None if exhaustive else seed,
            "data": str(data) if data else None,
        }
        asked = exactness.plain(checked, predictions, evaluation) if checked else {}
        typer.echo(json.dumps(heading | asked | (success_document(evaluation) if running else {})))
    else:
        if checked:
            exactness.show(checked, predictions, evaluation, subject.describe())
        if running:
            _print(setting, evaluation, subject.describe())
    if stopped or evaluation.interrupted:
        return EXIT_INTERRUPTED
    return EXIT_NOT_SOLVED if evaluation.failed or (checked and checked.wrong) else EXIT_SOLVED


def _run(evaluation: Evaluation, draws: Iterable[Instance], total: int | None) -> None:
    started = time.monotonic()

    def note() -> str:
        return f"{evaluation.failed:,} failed, {evaluation.done / (time.monotonic() - started + 1e-9):,.0f} problems/s"

    with progress(console.err(), "evaluating", lambda: total, lambda: evaluation.done, note), interruptible(evaluation):
        evaluation.run(draws)


def check_sizes(setting: Setting, sizes: range, *, running: bool, optimal: bool) -> None:
    """UsageError if the domain has no such sizes, or if their runs, where asked for, or the search are too long."""
    for n in (sizes[0], sizes[-1]):
        largest = setting.domain.problem(n)
    if running:
        check_length(setting, largest)
    if optimal:
        check_searchable(setting.domain, largest)


def _print(setting: Setting, evaluation: Evaluation, model: str) -> None:
    out, total = console.out(), evaluation.total
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ["n", "solved", "of", "rate", "95% interval", "steps", "questions"]
    for heading in (*headings, "length / optimum") if evaluation.optimal else headings:
        table.add_column(heading, justify="right")
    rows = [(str(score.n), score) for score in evaluation.scores.values()]
    for name, score in [*rows, ("all", total)] if len(rows) > 1 else rows:
        low, high = score.interval
        cells = [name, f"{score.successes:,}", f"{score.instances:,}", _percent(score.successes, score.instances)]
        cells += [f"{100 * low:.1f} – {100 * high:.1f}%", f"{score.steps:,}", f"{score.model_calls:,}"]
        ratio = "–" if score.ratio is None else f"{score.ratio:.3f}"
        table.add_row(*cells, *([ratio] if evaluation.optimal else []), style="" if score.rate == 1 else "yellow")
    out.print(table)
    where = f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic"
    out.print(
        f"{total.successes:,} of {total.instances:,} solved: {where}; {total.actions:,} actions, each one validated,"
        f" in {total.seconds:.1f} s; model: {escape(model)}",
        soft_wrap=True,
    )
    for failure in evaluation.failures[:SHOWN]:
        out.print(f"  [red]{escape(_line(failure))}[/]", soft_wrap=True)
        out.print(f"  [dim]echo '{escape(failure.problem)}' | coc run --problem - …[/]", soft_wrap=True)
    if evaluation.failed > SHOWN:
        out.print(f"  and {evaluation.failed - SHOWN:,} more; --json lists them", soft_wrap=True)


def _percent(successes: int, instances: int) -> str:
    """The rate, which reads 100% only if nothing failed."""
    if successes == instances:
        return "100%"
    return f"{min(99.99, 100 * successes / instances):.2f}%"


def _line(failure: Failure) -> str:
    where = f"n={failure.n}" + ("" if failure.seed is None else f" seed={failure.seed}")
    kind = f"{failure.kind} fault" if failure.kind else failure.status
    return f"{where}: {kind} at step {failure.step:,}: {quoted(failure.message, 200)[1:-1]}"
