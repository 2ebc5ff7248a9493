"""`coc reproduce`: the paper's tables and figures, and those of plugins."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, PluginError, UsageError
from coc_core.options import OUTPUT, PROBLEM, Choice, File, Flag, Name, Option, Several, option, shared
from coc_core.plugin import Registry
from coc_core.storage import check_replaceable
from coc_core.text import counted
from coc_paper import report
from coc_paper.item import Budget, TrainingParameters
from coc_paper.items import item_of, item_specs
from coc_paper.report.write import MARKER
from coc_paper.schedule import Schedule
from coc_paper.selection import Changes, Selection, selected
from coc_paper.settings import assignments, described
from coc_paper.store import MARKER as REPRODUCTION, Store
from coc_paper.tasks import with_needs
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.pool import Pool

_DEFAULT_OUT = "reproduced"
_REPORT = "report"
_HEADINGS = {
    Budget.quick: "A sample of the paper's results, made again",
    Budget.full: "The paper's results, made again",
}
_ELSEWHERE = "made by other code or other versions"


@frozen(kw_only=True, slots=False)
class ReproduceCommand(WorkerOptions):
    """What `coc reproduce` takes."""

    names: tuple[str, ...] = option(
        Option(
            "Reproduce these items, or only these parts of them; with --budget and no item, all items.",
            kind=Several("[ITEM[:PART]]..."),
            flags=(),
        ),
        (),
    )
    budget: Budget | None = option(
        Option(
            "Compute a sample (quick, minutes) or everything (full, hours).",
            ("--budget",),
            Choice(annotation=Budget),
            PROBLEM,
            "quick",
        ),
        None,
    )
    changes: tuple[str, ...] = option(
        Option(
            "Change a parameter or hyperparameter of an item. Repeatable. --list shows the parameters.",
            ("--set",),
            Several("ITEM.NAME=VALUE"),
            PROBLEM,
        ),
        (),
    )
    refresh: bool = option(
        Option("Compute again what other code or other versions computed.", ("--refresh",), Flag(), PROBLEM),
        False,
    )
    out: Path | None = option(
        shared.OUT,
        None,
        help="Keep results in this folder, and write the report to DIR/report.",
        kind=File("DIR"),
        shown=_DEFAULT_OUT,
    )
    style: str | None = option(
        Option("Draw figures in this style of matplotlib.", ("--style",), Name("NAME|FILE"), OUTPUT), None
    )
    report_only: bool = option(
        Option("Compute nothing; write the report of what has been computed.", ("--report-only",), Flag(), OUTPUT),
        False,
    )
    listing: bool = option(
        Option("Compute nothing; list the parts of items, and what --set can change.", ("--list",), Flag(), OUTPUT),
        False,
    )


@command(ReproduceCommand)
def reproduce(options: ReproduceCommand) -> int:
    """Reproduce the paper's tables and figures.

    Without arguments, list the items and how much of each is done. An interrupted command resumes, and finished results
    are reused. Results of other code or versions are shown as such; --refresh computes them again. The report is
    DIR/report/index.html, with the paper's numbers beside ours; report.json and the figures are in the same folder.

    PART is the name of a part, or a pattern such as 'pancake*'. The report shows every part computed so far. With
    --json, a list has the names of the parts and the parameters of all items.

    Examples:
        coc reproduce
        coc reproduce traces growth
        coc reproduce stack --list
        coc reproduce --set stack.seeds=0-9 --set stack.steps=1000
        coc reproduce --budget full --jobs 2 --refresh
        coc reproduce --budget full --report-only
        coc reproduce 'instances:pancake 500' --budget full
    """
    registry, budget = console.registry(), options.budget or Budget.quick
    changes = assignments(options.changes, item_specs(registry))
    out = options.out or Path(_DEFAULT_OUT)
    folder = out / _REPORT
    unnamed = not options.names and options.budget is None and not options.report_only
    if options.listing or (unnamed and not changes and not options.refresh):
        return _list(registry, Store.open(out, create=False), options.names, changes)
    if unnamed and not changes:
        raise UsageError("--refresh computes what is asked for", remedy="name the items, or choose a --budget")
    everything = item_specs(registry) if options.budget or not changes else changes
    chosen = selected(registry, options.names or [*everything], budget, changes)
    if options.report_only and not (out / REPRODUCTION).exists():
        raise UsageError(f"nothing was computed in {out}", remedy="name the folder with --out")
    report.check_style(options.style)
    store = Store.open(out, create=False)
    check_replaceable(folder, marker=MARKER, kind="report")
    schedule = _schedule(store, chosen, options.refresh)
    if not options.report_only:
        with open_pool(options) as pool, Store.open(out, create=True).locked():
            _compute(schedule, pool)
        if schedule.interrupted:
            console.warn(f"finished results are in {out}; run the same command again to continue")
            raise KeyboardInterrupt
    sections = [each.section(schedule) for each in chosen]
    heading = _HEADINGS[budget] + (", with changes" if changes else "")
    report.write(folder, sections, heading, _facts(budget, options.changes), options.style)
    console.report(
        {"report": str(folder), "sections": [section.to_json() for section in sections]},
        console.table(("item", "what came out", "seconds"), map(_row, sections), numbers=1),
        f"the report is {folder / 'index.html'}",
    )
    good = all(section.passed and not section.failures for section in sections)
    return EXIT_SOLVED if good else EXIT_NOT_SOLVED


def _schedule(store: Store, chosen: Iterable[Selection], refresh: bool) -> Schedule:
    """Return what has to be computed: what has no result, or no current one if those of other code are refreshed."""
    wanted = {task.key: task for each in chosen for task in each.wanted}
    others = {key for key, task in wanted.items() if not store.has(task) and store.other(task) is not None}
    if others and not refresh:
        console.warn(f"{_results(len(others))} {_ELSEWHERE}; shown as such; --refresh computes what differs again")
    return Schedule.of(store, [task for key, task in wanted.items() if refresh or key not in others])


def _results(count: int) -> str:
    return f"{counted(count, 'result')} {'was' if count == 1 else 'were'}"


def _compute(schedule: Schedule, pool: Pool | None) -> None:
    """Compute what is missing, and show how far that is; Ctrl-C stops it."""
    total, note = len(schedule.tasks), lambda: schedule.running
    with (
        progress(console.err(), "computing", lambda: total, schedule.count_done, note),
        interruptible(schedule),
    ):
        try:
            schedule.compute(pool)
        except KeyboardInterrupt:  # by a training, which has stored a snapshot, or by a second Ctrl-C
            schedule.interrupt()


def _facts(budget: Budget, changes: Iterable[str]) -> str:
    texts = "".join(f" --set '{text}'" for text in changes)
    return f"Made by `coc reproduce --budget {budget}{texts}`, coc {version('chain-of-computation')}."


def _row(section: report.Section) -> list[console.Words]:
    failed = f"{len(section.failures)} of its tasks failed: {section.failures[0]}" if section.failures else ""
    others = f"Partly {_ELSEWHERE}." if section.other else ""
    words = " ".join(filter(None, (section.meaning, section.missing, others, failed)))
    colour = "" if section.passed and not section.failures else "red"
    return [section.name, (words, colour), f"{sum(section.seconds.values()):,.0f}"]


def _list(registry: Registry, store: Store, names: Sequence[str], changes: Changes) -> int:
    """List the items, and for each budget how many of its tasks have results.

    As JSON, or where items are named, which parts there are, too, and what can be set.
    """
    rows, elsewhere = list[dict[str, Any]](), set[str]()
    for name in names:
        item_of(registry, name)
    for name in (each for each in item_specs(registry) if not names or each in names):
        try:
            found = {budget: Selection.of(registry, name, budget, changes) for budget in Budget}
        except PluginError as error:
            if names:
                raise
            console.warn(str(error))  # one that is broken hides no other
            continue
        item = found[Budget.full].item
        row: dict[str, Any] = {"item": name, "title": item.title, "parameters": described(item)}
        row["hyperparameters"] = issubclass(item.parameters, TrainingParameters)
        for budget, each in found.items():
            tasks = with_needs(each.tasks.values())
            done = {key for key, task in tasks.items() if store.find(task) is not None}
            others = {key for key, task in tasks.items() if key not in done and store.other(task) is not None}
            elsewhere |= others
            parts = {part: task.key in done for part, task in each.tasks.items()}
            row[str(budget)] = {"done": len(done), "tasks": len(tasks), "other": len(others), "parts": parts}
        rows.append(row)
    if elsewhere:
        console.warn(f"{_results(len(elsewhere))} {_ELSEWHERE}; --refresh computes what differs again")
    states = [[f"{row[each]['done']} of {row[each]['tasks']}" for each in Budget] for row in rows]
    cells = [[row["item"], *state, (row["title"], "dim")] for row, state in zip(rows, states, strict=True)]
    table = console.table(("item", "quick", "full", "what it shows"), cells)
    console.report({"items": rows}, *([part for row in rows for part in _parts(row)] if names else [table]))
    return EXIT_SOLVED


def _parts(row: Mapping[str, Any]) -> Iterator[console.Shown]:
    """Yield the parameters and the parts of an item."""
    yield f"{row['item']}: {row['title']}", "bold"
    names = ("name", "quick", "full", "summary")
    cells = [[each[name] or "–" for name in names] for each in row["parameters"]]
    yield console.table(("parameter", *names[1:3], "what it is"), cells) if cells else "nothing of it can be set"
    if row["hyperparameters"]:
        yield f"and any hyperparameter, such as --set {row['item']}.steps=1000"
    for budget in Budget:
        parts = ", ".join(f"{part} (done)" if done else part for part, done in row[budget]["parts"].items())
        yield f"parts, {budget}: {parts}"
