"""`coc eval`: success rates over sizes and instances."""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.cli.solve.report import REMARK, trained_sizes, warn_outside
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.models import Pair
from coc_core.options import File, Flag, Name, Option, given, option, shared
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.storage import check_distinct
from coc_learn.datasets import Dataset, Seen, teacher_pairs
from coc_learn.measure.addresses import address_parts
from coc_learn.measure.commands import report
from coc_learn.measure.evaluate import EvaluationReport, prepared
from coc_learn.measure.exactness import Exactness, Prediction, predict
from coc_learn.measure.plans import kept_plans
from coc_learn.measure.shards import MEASUREMENT, EvalOptions, Workers, open_workers
from coc_learn.measure.success import Evaluation
from coc_problems import GivenProblems, Instance, Problems, check_table, has_few_kinds, note_on, texts_by_domain
from coc_view.drawing import check_figure

Parts = Iterable[tuple[str, Iterable[Pair]]]
"""Pairs to check, in subsets with names."""


@frozen(kw_only=True, slots=False)
class EvalCommand(EvalOptions):
    """What `coc eval` takes."""

    domain: str | None = option(
        shared.DOMAIN, None, help="Choose the puzzle, such as hanoi, unless problem files name it."
    )
    exactness: bool = option(
        Option("First call the model once with each distinct prompt.", ("--exactness",), Flag(), MEASUREMENT), False
    )
    data: Path | None = option(
        Option("First call it with the prompts of this dataset.", ("--data",), File("DIR"), MEASUREMENT), None
    )
    no_runs: bool = option(
        Option("Check single prompts only, and run no problem.", ("--no-runs",), Flag(), MEASUREMENT), False
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
    plot: Path | None = option(shared.PLOT, None)
    csv: Path | None = option(shared.CSV, None)


_OF_RUNS = {"optimal", "plans", "csv"}
_OF_PROBLEMS = {"exactness", "data", "no_runs", "plot", "exhaustive", "split", "problems"}
_EXCLUDED = {"addresses": _OF_RUNS | _OF_PROBLEMS, "no_runs": _OF_RUNS, "data": {"plot"}}
"""The options that a measurement has no use for."""


@command(EvalCommand)
def evaluate(options: EvalCommand) -> int:
    """Measure how many problems a model solves.

    Every action is checked against the rules of the puzzle. The exit code is 0 if all problems are solved. With
    --exactness, single prompts are checked first, which also predicts how many problems will be solved.

    Examples:
        coc eval -d hanoi -n 1-10
        coc eval -d pancake -n 5,10,20 --instances 20
        coc eval -d hanoi -n 1-12 --exactness --no-runs
        coc eval -d blocksworld -n 10-60 --instances 5 --exactness --plot sizes.svg
        coc eval -d hanoi --memory tape --arith learned --addresses 0-2000
        coc eval -d pancake --problems mine.jsonl --plans mine-plans --jobs 4
        coc eval --problems benchmark --skip-unsupported --json
    """
    _check_options(options)
    registry = console.registry(options.plugins)
    if options.addresses and options.domain:
        return _of_addresses(registry, options, options.addresses)
    if options.domain is None:
        return _of_each_domain(registry, options)
    return _of_one_domain(registry, options, console.report)


def _check_options(options: EvalCommand) -> None:
    """Raise UsageError for options that exclude each other, and for files that can't be written."""
    for name, others in _EXCLUDED.items():
        if getattr(options, name) and (clash := sorted(given(options).keys() & others)):
            flags = [f"--{each.replace('_', '-')}" for each in (name, *clash)]
            raise UsageError(f"{flags[0]} can't be combined with {', '.join(flags[1:])}", remedy="leave one out")
    if "plan_format" in given(options) and not options.plans:
        raise UsageError("--plan-format needs --plans", remedy="name the folder of the plans with --plans DIR")
    plot, csv = options.plot, options.csv
    check_distinct({"--plot": [plot] if plot else [], "--csv": [csv] if csv else []}, {})
    if plot:
        check_figure(plot)
    if csv:
        check_table(csv)


def _of_each_domain(registry: Registry, options: EvalCommand) -> int:
    """Evaluate problems in files that tell their domains, domain by domain; gives the exit code."""
    if options.problems is None:
        raise UsageError("Missing option '--domain' / '-d'", remedy="`coc plugins` lists the domains")
    with console.status("reading the problems"):
        found, unsupported = texts_by_domain(registry, options)
    if not found:
        raise UsageError(f"there is no problem of coc's in {options.problems}")
    if len(found) > 1 and (options.csv or options.plot):
        raise UsageError(f"--csv and --plot take one domain, not {', '.join(found)}", remedy="name it with --domain")
    if note := note_on(unsupported):
        console.warn(note)
    code, documents = EXIT_SOLVED, list[dict[str, Any]]()

    def tell(found: Callable[[], dict[str, Any]], *shown: console.Shown) -> None:
        documents.append(found())
        console.show(*shown)

    try:
        for name, texts in found.items():
            plans = options.plans and options.plans / name
            code = max(code, _of_one_domain(registry, evolve(options, domain=name, problems=texts, plans=plans), tell))
            if code == EXIT_INTERRUPTED:
                break
    finally:
        console.report({"domains": documents, "unsupported": unsupported})
    return code


def _of_one_domain(registry: Registry, options: EvalCommand, tell: Callable[..., None]) -> int:
    """Evaluate, and tell the result as `console.report` does; gives the exit code."""
    data, running = options.data, not options.no_runs
    with console.status("loading the model"):
        sent, problems, evaluation = prepared(registry, options, running=running)
    setting, model = evaluation.setting, evaluation.model
    if problems.note:
        console.warn(problems.note)
    unseen = warn_outside(model, problems.sizes)
    checked = Exactness(model, evaluation.grammar) if options.exactness or data or not running else None
    predictions = list[Prediction]()
    with open_workers(sent, (setting, model)) as workers:
        if checked:
            _check(checked, _subsets(data, setting) if data else _by_size(setting, problems), workers)
            running = running and not checked.interrupted
        if checked and not checked.interrupted:
            with console.status("counting steps"):
                predictions = predict(setting, problems, checked, of_each_size=not data)
        if running:
            with kept_plans(evaluation, problems, options.plans) as left:
                _run(evaluation, problems, left, workers)
        result = EvaluationReport(evaluation, problems)
        if options.csv and running:
            result.to_csv(options.csv)
        if options.plot:
            report.draw(options.plot, evaluation, checked, problems.sampled)

        def found() -> dict[str, Any]:
            document = result.heading() | {"data": str(data) if data else None} | trained_sizes(model, problems.sizes)
            if checked:
                document |= {"exactness": checked.document(), "predictions": report.rows(predictions, evaluation)}
            return document | (evaluation.document() if running else {})

        tell(
            found,
            *(report.exactness(checked, sizes=not data) if checked else ()),
            report.predicted(predictions, evaluation),
            *(report.success(result, evaluation) if running else ()),
            [(unseen, REMARK)] if unseen and evaluation.failed else [],
        )
        if evaluation.interrupted and options.plans:
            console.warn(f"the plans so far are in {options.plans}; run the same command again to go on")
        return _exit_code(evaluation, checked)


def _of_addresses(registry: Registry, options: EvalCommand, text: str) -> int:
    """Check the model of the arithmetic on addresses, and print the result; gives the exit code."""
    setting = options.setting(registry)
    parts, model = address_parts(setting, text, options.instances, options.seed), setting.arith_model
    assert model is not None
    checked = Exactness(model)
    with open_workers(options, (setting, model), of_arithmetic=True) as workers:
        _check(checked, parts, workers)
        found: dict[str, Any] = {"domain": setting.domain.name, "memory": setting.memory.name}
        found |= {"arith": setting.arithmetic.name, "model": model.describe(), "addresses": text}
        found["exactness"] = checked.document()
        console.report(found, *report.exactness(checked, sizes=False))
        return _exit_code(None, checked)


def _exit_code(evaluation: Evaluation | None, checked: Exactness | None) -> int:
    """Return the exit code of what was measured."""
    if any(each and each.interrupted for each in (evaluation, checked)):
        return EXIT_INTERRUPTED
    wrong = (evaluation and evaluation.failed) or (checked and checked.wrong)
    return EXIT_NOT_SOLVED if wrong else EXIT_SOLVED


def _check(exactness: Exactness, parts: Parts, workers: Workers | None) -> None:
    """Call the model, here or in workers, with each pair of each part; Ctrl-C stops after the batch under way."""
    done, note = lambda: exactness.pairs, lambda: f"{exactness.wrong:,} wrong"
    with progress(console.err(), "checking pairs", lambda: None, done, note), interruptible(exactness.interrupt):
        for name, pairs in parts:
            exactness.run(pairs, name, workers.checks if workers else None)
            if exactness.interrupted:
                break
    if not (exactness.pairs or exactness.interrupted or (workers and workers.lost)):
        raise UsageError("there is no pair to check", remedy="choose other sizes, or another dataset")


def _by_size(setting: Setting, problems: Iterable[Instance]) -> Parts:
    """Yield the pairs of the problems, those of each size by themselves, without those that a size before it has.

    If the prompts of all problems are a finite list, it is that list.
    """
    if has_few_kinds(setting.convention):
        yield "every size", teacher_pairs(setting, ())
        return
    seen = Seen()
    for n, group in groupby(problems, attrgetter("n")):
        yield f"n={n}", teacher_pairs(setting, (one.problem for one in group), seen)


def _subsets(folder: Path, setting: Setting) -> Parts:
    """Return the subsets of a dataset, audited while they are read.

    UsageError if it is of another dialect than the setting, ArtefactError if it is broken.
    """
    dataset = Dataset.open(folder)
    if dataset.card.dialect != setting.convention.dialect:
        raise UsageError(
            f"{folder} holds pairs of {dataset.card.dialect}, but this setting uses {setting.convention.dialect}",
            remedy="choose the --domain, --memory and --arith of the dataset",
        )
    return ((name, (pair for _, pair in rows)) for name, rows in groupby(dataset.rows(), itemgetter(0)))


def _run(
    evaluation: Evaluation, problems: Problems | GivenProblems, left: Iterable[Instance], workers: Workers | None
) -> None:
    """Evaluate those of the problems that are left."""
    if evaluation.restored:
        console.warn(f"{evaluation.restored:,} of {problems.total:,} problems were run before")
    done, note = lambda: evaluation.done, lambda: f"{evaluation.failed:,} failed"
    with progress(console.err(), "evaluating", lambda: problems.total, done, note), interruptible(evaluation.interrupt):
        evaluation.run(left, workers.runs if workers else None)
