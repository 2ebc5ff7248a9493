"""`coc reproduce`: the paper's tables and figures, and those of plugins."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, PluginError, UsageError
from coc_core.options import OUTPUT, PROBLEM, Choice, File, Flag, Option, Several, option, shared
from coc_core.plugin import ItemSpec, Registry
from coc_core.storage import FreshFile, check_replaceable
from coc_core.text import assignments
from coc_paper.item import Budget, Item, TrainingItem
from coc_paper.report import Section
from coc_paper.report.page import MARKER, write
from coc_paper.schedule import Schedule
from coc_paper.selection import Changes, item_names, item_of, parameters_of, progress_of, section_of, selected
from coc_paper.store import MARKER as REPRODUCTION, Store
from coc_paper.tasks import Task, with_needs
from coc_view.drawing import figure_format
from coc_workers.options import WorkerOptions, open_pool

_DEFAULT_OUT = "reproduced"
_ELSEWHERE = "made by other code or other versions"
_NAMES = "Reproduce these items, or only these parts of them; with --budget and no item, all items."
_BUDGET = "Compute a sample (quick, minutes) or everything (full, hours)."
_CHANGES = "Change a parameter or hyperparameter of an item. Repeatable. --list shows the parameters."
_REFRESH = "Compute again what other code or other versions computed."
_OUT = "Keep results in this folder, and write the report to DIR/report."
_REPORT_ONLY = "Compute nothing; write the report of what has been computed."
_LIST = "Compute nothing; list the parts of items, and what --set can change."


@frozen(kw_only=True, slots=False)
class ReproduceCommand(WorkerOptions):
    """What `coc reproduce` takes."""

    names: tuple[str, ...] = option(Option(_NAMES, (), Several("[ITEM[:PART]]...")), ())
    budget: Budget | None = option(Option(_BUDGET, ("--budget",), Choice(annotation=Budget), PROBLEM, "quick"), None)
    changes: tuple[str, ...] = option(Option(_CHANGES, ("--set",), Several("ITEM.NAME=VALUE"), PROBLEM), ())
    refresh: bool = option(Option(_REFRESH, ("--refresh",), Flag(), PROBLEM), False)
    out: Path | None = option(shared.OUT, None, help=_OUT, kind=File("DIR"), shown=_DEFAULT_OUT)
    report_only: bool = option(Option(_REPORT_ONLY, ("--report-only",), Flag(), OUTPUT), False)
    listing: bool = option(Option(_LIST, ("--list",), Flag(), OUTPUT), False)


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
    registry, changes = console.registry(), dict[str, dict[str, str]]()
    for place, text in assignments(options.changes, "--set", "ITEM.NAME=VALUE").items():
        item, _, name = place.partition(".")
        changes.setdefault(item, {})[name] = text
    out, budget = options.out or Path(_DEFAULT_OUT), options.budget or Budget.quick
    store = Store.open(out, create=False)
    asked = options.names or options.budget or options.report_only or changes
    if options.listing or not (asked or options.refresh):
        return _list(registry, store, options, changes)
    if not asked:
        raise UsageError("--refresh computes what is asked for", remedy="name the items, or choose a --budget")
    names = options.names or (not options.budget and [*changes]) or item_names(registry)
    chosen = selected(registry, names, budget, changes)
    if options.report_only and not (out / REPRODUCTION).exists():
        raise UsageError(f"nothing was computed in {out}", remedy="name the folder with --out")
    figure_format(Path("figure.svg"))  # which needs matplotlib
    check_replaceable(out / "report", marker=MARKER, kind="report")
    failed = _compute(store, chosen, options)
    sections = [section_of(item, store, failed) for item, _ in chosen]
    sets = "".join(f" --set '{text}'" for text in options.changes)
    facts = f"Made by `coc reproduce --budget {budget}{sets}`, coc {version('chain-of-computation')}."
    heading = "A sample of the paper's results" if budget is Budget.quick else "The paper's results"
    write(out / "report", sections, f"{heading}, made again{', with changes' if sets else ''}", facts)
    good = all(section.passed and not section.failures for section in sections)
    console.report(
        {"report": str(out / "report"), "sections": [asdict(section) for section in sections]},
        console.table(("item", "what came out", "seconds"), map(_row, sections), numbers=1),
        f"the report is {out / 'report' / 'index.html'}",
    )
    return EXIT_SOLVED if good else EXIT_NOT_SOLVED


def _row(section: Section) -> list[console.Words]:
    failed = f"{len(section.failures)} of its tasks failed: {section.failures[0]}" if section.failures else ""
    others = f"Partly {_ELSEWHERE}." if section.other else ""
    words = " ".join(filter(None, (section.meaning, section.missing, others, failed)))
    colour = "" if section.passed and not section.failures else "red"
    return [section.name, (words, colour), f"{sum(section.seconds.values()):,.0f}"]


def _compute(
    store: Store, chosen: Sequence[tuple[Item, Sequence[Task]]], options: ReproduceCommand
) -> Mapping[str, str]:
    """Compute what has no result, or with --refresh no current one; return why a task could not be, by its key."""
    wanted = {task.key: task for _, tasks in chosen for task in tasks}
    others = {key for key, task in wanted.items() if (found := store.find(task)) and found.other}
    if others and not options.refresh:
        console.warn(f"some results were {_ELSEWHERE}; shown as such; --refresh computes what differs again")
        wanted = {key: task for key, task in wanted.items() if key not in others}
    if options.report_only:
        return {}
    tasks = [*with_needs(wanted.values()).values()]
    schedule = Schedule(store, tasks)
    with open_pool(options) as pool:
        Store.open(store.folder, create=True)
        lock = FreshFile(store.folder / REPRODUCTION, "reproduction")  # no other process can open it
        done, note = lambda: sum(map(store.has, tasks)), lambda: schedule.running
        watching = progress(console.err(), "computing", lambda: len(tasks), done, note)
        with lock, watching, interruptible(schedule.interrupt):
            try:
                schedule.compute(pool)
            except KeyboardInterrupt:  # by a training, which has stored a snapshot, or by a second Ctrl-C
                schedule.interrupt()
    if schedule.interrupted:
        console.warn(f"finished results are in {store.folder}; run the same command again to continue")
        raise KeyboardInterrupt
    return schedule.failed


def _list(registry: Registry, store: Store, options: ReproduceCommand, changes: Changes) -> int:
    """List the items and how much of each is done; as JSON, or where they are named, parts and parameters, too."""
    for name in (*options.names, *changes):
        registry.find(ItemSpec, name)
    rows = list[dict[str, Any]]()
    for name in (each for each in item_names(registry) if each in options.names or not options.names):
        try:
            items = [item_of(registry, name, budget, changes) for budget in Budget]
        except PluginError as error:
            if options.names:
                raise
            console.warn(str(error))  # one that is broken hides no other
            continue
        row: dict[str, Any] = {"item": name, "title": items[0].title, "parameters": parameters_of(type(items[0]))}
        row["hyperparameters"] = isinstance(items[0], TrainingItem)
        rows.append(row | {str(item.budget): progress_of(item, store) for item in items})
    if any(row[budget]["other"] for row in rows for budget in Budget):
        console.warn(f"some results were {_ELSEWHERE}; --refresh computes what differs again")
    states = ([f"{row[each]['done']} of {row[each]['tasks']}" for each in Budget] for row in rows)
    cells = ([row["item"], *state, (row["title"], "dim")] for row, state in zip(rows, states, strict=True))
    found = _items(rows) if options.names else [console.table(("item", "quick", "full", "what it shows"), cells)]
    console.report({"items": rows}, *found)
    return EXIT_SOLVED


def _items(rows: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield of each item its parameters and its parts."""
    for row in rows:
        yield f"{row['item']}: {row['title']}", "bold"
        cells = ([each[name] or "–" for name in ("name", "quick", "full", "summary")] for each in row["parameters"])
        table = console.table(("parameter", "quick", "full", "what it is"), cells)
        yield table if row["parameters"] else "nothing of it can be set"
        if row["hyperparameters"]:
            yield f"and any hyperparameter, such as --set {row['item']}.steps=1000"
        for budget in Budget:
            parts = ", ".join(f"{part} (done)" if done else part for part, done in row[budget]["parts"].items())
            yield f"parts, {budget}: {parts}"
