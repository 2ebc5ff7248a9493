"""`coc eval`: success rates over sizes and instances."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.cli.solve import show
from coc_core.cli.solve.report import trained_sizes
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.execution import Executor
from coc_core.options import File, Flag, Name, Option, given, option, shared
from coc_core.plugin import DEFAULT_FORMAT, ExecutorSpec
from coc_learn.measure.commands import addresses, exactness, table
from coc_learn.measure.comparison import paired, paired_document
from coc_learn.measure.evaluate import EvaluationReport
from coc_learn.measure.options import MEASUREMENT, EvalOptions
from coc_learn.measure.plans import check_plans, kept_plans
from coc_learn.measure.prediction import predict
from coc_learn.measure.shards import Choices, Workers, open_workers
from coc_learn.measure.success import Evaluation, success_document
from coc_problems import GivenProblems, Instance, Problems, chosen_problems, note_on, texts_by_domain


@frozen(kw_only=True, slots=False)
class EvalCommand(EvalOptions):
    """What `coc eval` takes."""

    domain: str | None = option(
        shared.DOMAIN,
        None,
        help="Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles. Problem files that tell their domain"
        " need none.",
    )

    exactness: bool = option(
        Option(
            "Call the model once for each distinct prompt of the runs, and count wrong targets.",
            ("--exactness",),
            Flag(),
            MEASUREMENT,
        ),
        False,
    )
    data: Path | None = option(
        Option("With --exactness: use the prompts of this dataset instead.", ("--data",), File("DIR"), MEASUREMENT),
        None,
    )
    no_runs: bool = option(
        Option("With --exactness: check single prompts only, and run no problem.", ("--no-runs",), Flag(), MEASUREMENT),
        False,
    )
    addresses: str | None = option(
        Option(
            "With --arith learned: check only its arithmetic, on all addresses from A to B; with --instances K, on K"
            " addresses of each number of digits.",
            ("--addresses",),
            Name("A-B"),
            MEASUREMENT,
        ),
        None,
    )
    against: str | None = option(
        shared.CHECKPOINT,
        None,
        help="Also run the same problems with this model, and compare the two.",
        flags=("--against",),
        shown=True,
    )
    plot: Path | None = option(shared.PLOT, None, help="Draw the results by size to this file, an .svg or a .png.")
    csv: Path | None = option(
        shared.CSV, None, help="Write a row for each size to this file, as comma-separated values."
    )
    as_json: bool = option(shared.JSON, False)


@command(EvalCommand)
def evaluate(options: EvalCommand) -> int:
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
        coc eval --problems benchmark --skip-unsupported --json
    """
    return _of_each_domain(options) if options.domain is None else _of_one_domain(options, console.document)


def _of_each_domain(options: EvalCommand) -> int:
    """Evaluate problems in files that tell their domains, domain by domain; gives the exit code."""
    if options.problems is None:
        raise UsageError("Missing option '--domain' / '-d'", remedy="`coc plugins` lists the domains")
    with console.status("reading the problems"):
        found, unsupported = texts_by_domain(console.registry(options.plugins), options)
    if not found:
        raise UsageError(f"there is no problem of coc's in {options.problems}")
    if len(found) > 1 and (options.csv or options.plot):
        raise UsageError(f"--csv and --plot take one domain, not {', '.join(found)}", remedy="name it with --domain")
    if note := note_on(unsupported):
        console.warn(note)
    code, documents = EXIT_SOLVED, list[dict[str, Any]]()
    try:
        for name, texts in found.items():
            plans = options.plans and options.plans / name
            one = evolve(options, domain=name, problems=texts, plans=plans)
            code = max(code, _of_one_domain(one, documents.append))
            if code == EXIT_INTERRUPTED:
                break
    finally:
        if options.as_json:
            console.document({"domains": documents, "unsupported": unsupported})
    return code


def _of_one_domain(options: EvalCommand, tell: Callable[[dict[str, Any]], None]) -> int:
    """Evaluate, and tell the result as a JSON document where that is asked for; gives the exit code."""
    exact, data, no_runs, rival = options.exactness, options.data, options.no_runs, options.against
    plans, rows, figure = options.plans, options.csv, options.plot
    if no_runs and (options.optimal or not exact):
        raise UsageError("--no-runs excludes --optimal" if options.optimal else "--no-runs needs --exactness")
    if no_runs and (rival is not None or rows):
        raise UsageError("--against and --csv need runs", remedy="leave out --no-runs")
    if plans is None and options.plan_format != DEFAULT_FORMAT:
        raise UsageError("--plan-format needs --plans", remedy="name the folder of the plans with --plans DIR")
    if no_runs and plans:
        raise UsageError("--plans needs runs", remedy="leave out --no-runs")
    if data and not exact:
        raise UsageError("--data needs --exactness")
    others = {"exactness", "exhaustive", "near_goal", "split", "optimal", "against", "csv", "problems"}
    if options.addresses and given(options).keys() & others:
        raise UsageError("--addresses uses no problems", remedy="leave out the options about problems")
    if figure and (data or options.addresses):
        raise UsageError("--plot draws results over problem sizes", remedy="leave out --data and --addresses")
    registry = console.registry(options.plugins)
    table.check_files(figure, rows)
    choices = Choices.of(options)
    setting = choices.setting(registry)
    if options.addresses:
        address_check = addresses.prepare(setting, options.addresses, options.instances, options.seed)
        with open_workers(choices, options, [(setting, None)]) as workers:
            return addresses.check(setting, address_check, workers, options.as_json)
    problems = chosen_problems(setting, options)
    if problems.note:
        console.warn(problems.note)
    problems.check(setting, running=not (no_runs and setting.convention.memoryless), optimal=options.optimal)
    parts = exactness.subsets(data, setting) if data else exactness.by_size(setting, problems)
    runner: Executor = registry.create(ExecutorSpec, options.executor)
    with console.status("loading the model"):
        subject = setting.model(options.model)
        other = None
        if rival is not None:
            # A setting of its own, since learned arithmetic counts its mistakes.
            beside = choices.setting(registry)
            runs = registry.create(ExecutorSpec, options.executor)
            other = Evaluation(beside, beside.model(rival), runs, expect=options.expect)
    choices = evolve(choices, model=subject.choice)  # which names a commit where a repository was chosen
    unseen = show.warn_outside(subject, problems.sizes)
    if other:
        show.warn_outside(other.model, problems.sizes)
    evaluation = Evaluation(setting, subject, runner, options.optimal, choices.plan_format, expect=options.expect)
    check_plans(problems, plans, evaluation)
    opened = [(each.setting, each.model) for each in (evaluation, other) if each]
    with open_workers(choices, options, opened) as workers:
        checked = exactness.check(subject, parts, workers) if exact else None
        stopped = checked is not None and checked.interrupted
        predictions = []
        if checked and not stopped:
            with console.status("counting steps"):
                predictions = predict(setting, problems, checked, of_each_size=not data)
        running = not (no_runs or stopped)
        if running:
            with kept_plans(evaluation, problems, plans) as left:
                _run(evaluation, problems, left, workers)
        compared = None
        if other and not (stopped or evaluation.interrupted):
            _run(other, problems, problems, workers and workers.with_model(other.model.choice))
            compared = None if other.interrupted else paired(evaluation, other)
    report = EvaluationReport(evaluation, problems)
    if rows and not stopped:
        report.to_csv(rows)
    if figure:
        table.draw(figure, evaluation, checked, problems.sampled)
    if options.as_json:
        heading = report.heading() | {"data": str(data) if data else None} | trained_sizes(subject, problems.sizes)
        single_prompts = exactness.plain(checked, predictions, evaluation) if checked else {}
        runs = success_document(evaluation) if running else {}
        if other and compared:
            runs["against"] = {"model": other.model.describe(), **paired_document(compared)}
        tell(heading | single_prompts | runs)
    else:
        if checked:
            exactness.show(checked, predictions, evaluation, subject.describe(), sizes=not data)
        if running:
            table.show(setting, evaluation, subject.describe(), evaluation.used, problems.sampled)
        if other and compared:
            table.show_comparison(compared, subject.describe(), other.model.describe())
        if unseen and evaluation.failed:
            show.remark(unseen)
    if stopped or evaluation.interrupted or (other and other.interrupted):
        if plans:
            console.warn(f"the plans so far are in {plans}; run the same command again to go on")
        return EXIT_INTERRUPTED
    if checked:
        checked.check_lost()
    for each in filter(None, (evaluation, other)):
        each.check_lost()
    return EXIT_NOT_SOLVED if evaluation.failed or (checked and checked.wrong) else EXIT_SOLVED


def _run(
    evaluation: Evaluation, problems: Problems | GivenProblems, left: Iterable[Instance], workers: Workers | None
) -> None:
    """Evaluate those of the problems that are left."""
    started, drawn, total = time.monotonic(), 0, problems.total
    if evaluation.restored:
        console.warn(f"{evaluation.restored:,} of {total:,} problems were run before")

    def counted() -> Iterator[Instance]:
        nonlocal drawn
        for instance in left:
            drawn += 1
            yield instance

    def note() -> str:
        run = evaluation.done - evaluation.restored
        rate = f"{evaluation.failed:,} failed, {run / (time.monotonic() - started + 1e-9):,.0f} problems/s"
        return rate if run else f"{drawn:,} drawn"

    bar = progress(console.err(), "evaluating", lambda: problems.total, lambda: evaluation.done or None, note)
    with bar, interruptible(evaluation):
        evaluation.run(counted(), workers)
