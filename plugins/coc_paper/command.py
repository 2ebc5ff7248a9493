"""`coc reproduce`: the paper's tables and figures."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import evolve
from rich.table import Table

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.plugin import Registry, suggest
from coc_core.storage import check_replaceable
from coc_core.text import counted
from coc_paper import report
from coc_paper.items import Budget, Item, item_of, item_specs
from coc_paper.report.write import MARKER
from coc_paper.schedule import Schedule
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_view.drawing import figure_format
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.pool import Pool

_DEFAULT_OUT = "reproduced"
_REPORT = "report"
_HEADINGS = {
    Budget.quick: "A sample of the paper's results, made again",
    Budget.full: "The paper's results, made again",
}


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ITEM[:PART]]...",
            help="Reproduce these items, or only these parts of them; with --budget and no item, all items.",
        ),
    ] = None,
    budget: Annotated[
        Budget | None,
        typer.Option(
            "--budget",
            help="Compute a sample (quick, minutes) or everything (full, hours).",
            show_default="quick",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    out: Annotated[
        Path,
        options.out("DIR", "Keep results in this folder, and write the report to DIR/report.", show_default=True),
    ] = Path(_DEFAULT_OUT),
    report_only: Annotated[
        bool,
        typer.Option(
            "--report-only",
            help="Compute nothing; write the report of what has been computed.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    jobs: options.Jobs = None,
    engine: options.Engine = None,
    engine_address: options.EngineAddress = None,
    as_json: options.Json = False,
) -> int:
    """Reproduce the paper's tables and figures.

    Without arguments, list the items and how much of each is done. Results are cached by their inputs, the code and the
    versions of Python and torch: an interrupted command resumes, and finished results are reused. The report is a page,
    DIR/report/index.html, with the paper's numbers beside ours; report.md, tables and figures are in the same folder.

    PART is the name of a part, or a pattern such as 'pancake*'. The report shows every part computed so far. With
    --json and no item, the list has the names of the parts.

    Examples:
        coc reproduce
        coc reproduce traces growth
        coc reproduce --budget quick --jobs 2
        coc reproduce --budget full --report-only
        coc reproduce 'instances:pancake 500' --budget full
        coc reproduce holdout --budget full --jobs 2 --out results
    """
    if not names and budget is None and not report_only:
        return _list(console.registry(), out, as_json)
    budget, registry = budget or Budget.quick, console.registry()
    chosen = _chosen(registry, names or list(item_specs(registry)), budget)
    workers = WorkerOptions(jobs=jobs, engine=engine, engine_address=engine_address)
    if report_only:
        _check_report_only(out, jobs, engine, engine_address)
    folder = out / _REPORT
    figure_format(folder / "item.svg")
    store = Store.open(out, create=False)
    check_replaceable(folder, marker=MARKER, kind="report")
    schedule = Schedule.of(store, [task for tasks in chosen.values() for task in tasks])
    _warn_of_other_code(store, schedule.tasks)
    if not report_only:
        with open_pool(registry, workers, console.warn) as pool, Store.open(out, create=True).locked():
            _compute(schedule, pool)
        if schedule.interrupted:
            console.warn(f"interrupted; finished results are in {out}; run the same command again to continue")
            return EXIT_INTERRUPTED
    sections = [_section(item_of(registry, name), budget, schedule) for name in chosen]
    report.write(folder, sections, _HEADINGS[budget], _facts(budget))
    if as_json:
        console.document({"report": str(folder), "sections": [section.to_json() for section in sections]})
    else:
        _show(sections, folder)
    good = all(section.passed and not section.failures for section in sections)
    return EXIT_SOLVED if good else EXIT_NOT_SOLVED


def _chosen(registry: Registry, names: Sequence[str], budget: Budget) -> dict[str, list[Task]]:
    """The tasks to compute of each item, in the items' order; UsageError if there is no such item or part of it."""
    items, chosen = item_specs(registry), dict[str, list[Task]]()
    for name in names:
        item, colon, pattern = name.partition(":")
        tasks = item_of(registry, item).tasks(budget)
        parts = [task for part, task in tasks.items() if not colon or fnmatchcase(part, pattern)]
        if pattern in tasks:
            parts = [tasks[pattern]]
        if not parts:
            raise UsageError(
                f"{item} has no part {pattern!r:.80} with --budget {budget}", remedy=suggest(pattern, tasks)
            )
        chosen.setdefault(item, []).extend(parts)
    return {item: chosen[item] for item in items if item in chosen}


def _compute(schedule: Schedule, pool: Pool | None) -> None:
    """Compute what is missing, and show how far that is; Ctrl-C stops it."""

    def note() -> str:
        left = schedule.minutes_left()
        parts = [schedule.running, f"about {left:,.0f} min left" if left is not None else ""]
        return ", ".join(filter(None, parts))

    with (
        progress(console.err(), "computing", lambda: len(schedule.tasks), schedule.count_done, note),
        interruptible(schedule),
    ):
        schedule.compute(pool)


def _warn_of_other_code(store: Store, tasks: Iterable[Task]) -> None:
    """Say how many tasks other code has computed or begun, since that is not used."""
    if others := store.of_other_code(tasks):
        console.warn(
            f"{store.folder} has {counted(len(others), 'computation')} by other code, or another version of Python or"
            " torch; kept, but not used"
        )


def _check_report_only(out: Path, *workers: object) -> None:
    """Raise UsageError unless there is something to report, and nobody asks for workers."""
    if any(choice is not None for choice in workers):
        raise UsageError(
            "--report-only computes nothing, so it needs no workers",
            remedy="leave out --jobs, --engine and --engine-address",
        )
    if not out.exists():
        raise UsageError(f"nothing was computed in {out}", remedy="name the folder with --out")


def _section(item: Item, budget: Budget, schedule: Schedule) -> report.Section:
    """The section with all that there is of the item, whether it was chosen now or computed before."""
    tasks = item.tasks(budget)
    every = with_needs(tasks.values())
    done = {key: found for key, task in every.items() if (found := schedule.store.find(task)) is not None}
    results = {name: done[task.key] for name, task in tasks.items() if task.key in done}
    failures = [f"{every[key].doing}: {reason}" for key, reason in schedule.failed.items() if key in every]
    missing = len(every) - len(done) - len(failures)
    section = item.report(budget, results)
    if not results:
        section = evolve(section, meaning=f"Nothing {'could be' if failures else 'has been'} computed.")
    seconds: dict[str, float] = {}
    for each in done.values():
        seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
    todo = f"Of its {counted(len(every), 'computation')}, {missing} {'is' if missing == 1 else 'are'} still to be made."
    return evolve(section, seconds=seconds, failures=failures, missing=todo if missing else "")


def _facts(budget: Budget) -> str:
    return f"Made by `coc reproduce --budget {budget}`, coc {version('chain-of-computation')}."


def _show(sections: Sequence[report.Section], folder: Path) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("item", "what came out", "seconds"):
        table.add_column(heading, justify="right" if heading == "seconds" else "left")
    for section in sections:
        failed = f" {len(section.failures)} of its tasks failed: {section.failures[0]}" if section.failures else ""
        good = section.passed and not section.failures
        meaning = console.text(
            " ".join(filter(None, (section.meaning, section.missing))) + failed, style="" if good else "red"
        )
        table.add_row(console.text(section.name), meaning, f"{sum(section.seconds.values()):,.0f}")
    console.out().print(table)
    console.out().print(console.text(f"the report is {folder / 'index.html'}"), soft_wrap=True)


def _list(registry: Registry, out: Path, as_json: bool) -> int:
    """List the items, and for each budget how many of its tasks have results; as JSON, which parts are done, too."""
    store = Store.open(out, create=False)
    rows, tasks_of_all = list[dict[str, Any]](), dict[str, Task]()
    for item in (item_of(registry, name) for name in item_specs(registry)):
        row: dict[str, Any] = {"item": item.name, "title": item.title}
        for budget in Budget:
            tasks = item.tasks(budget)
            every = with_needs(tasks.values())
            done = {key for key, task in every.items() if store.find(task) is not None}
            parts = {part: task.key in done for part, task in tasks.items()}
            tasks_of_all |= every
            row[budget] = {"done": len(done), "tasks": len(every), "parts": parts}
        rows.append(row)
    _warn_of_other_code(store, tasks_of_all.values())
    if as_json:
        console.document({"items": rows})
        return EXIT_SOLVED
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("item", "quick", "full", "what it shows"):
        table.add_column(heading)
    for row in rows:
        states = [f"{row[budget]['done']} of {row[budget]['tasks']}" for budget in Budget]
        table.add_row(console.text(row["item"]), *states, console.text(row["title"], style="dim"))
    console.out().print(table)
    return EXIT_SOLVED
