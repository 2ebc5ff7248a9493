"""`coc reproduce`: the paper's tables and figures, and those of plugins."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import evolve, frozen
from rich.table import Table

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, PluginError, UsageError
from coc_core.plugin import Registry, attributed, suggest
from coc_core.storage import check_replaceable
from coc_core.text import counted
from coc_paper import report
from coc_paper.item import Budget, Item, Parameters, Tasks, TrainingParameters
from coc_paper.items import item_of, item_specs
from coc_paper.parameters import assignments, described, parameters_of
from coc_paper.report.write import MARKER
from coc_paper.schedule import Schedule
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_paper.work import Done
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.pool import Pool

_DEFAULT_OUT = "reproduced"
_REPORT = "report"
_HEADINGS = {
    Budget.quick: "A sample of the paper's results, made again",
    Budget.full: "The paper's results, made again",
}


@frozen
class _Chosen:
    """An item, with what is set of it, all of its tasks, and those of its parts that were asked for."""

    item: Item
    parameters: Parameters
    changed: Mapping[str, str]
    tasks: Tasks
    wanted: Sequence[Task] = ()


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
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="ITEM.NAME=VALUE",
            help="Change a parameter or hyperparameter of an item, in a folder of its own. Repeatable. --list shows the"
            " parameters.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh",
            help="Compute again what other code, other versions or other hardware computed.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = False,
    out: Annotated[
        Path | None,
        options.out(
            "DIR",
            "Keep results in this folder, and write the report to DIR/report.",
            f"{_DEFAULT_OUT}, or with --set a folder named after the changes",
        ),
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(
            "--style",
            metavar="NAME|FILE",
            help="Draw figures in this style of matplotlib.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    report_only: Annotated[
        bool,
        typer.Option(
            "--report-only",
            help="Compute nothing; write the report of what has been computed.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    listing: Annotated[
        bool,
        typer.Option(
            "--list",
            help="Compute nothing; list the parts of the items, and what --set can change.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    jobs: options.Jobs = None,
    engine: options.Engine = None,
    engine_address: options.EngineAddress = None,
    as_json: options.Json = False,
) -> int:
    """Reproduce the paper's tables and figures.

    Without arguments, list the items and how much of each is done. An interrupted command resumes, and finished results
    are reused. Results of other code, versions or hardware are shown with a mark; --refresh computes them again. The
    report is a page, DIR/report/index.html, with the paper's numbers beside ours; report.md, tables, figures and their
    data are in the same folder.

    PART is the name of a part, or a pattern such as 'pancake*'. The report shows every part computed so far. With
    --json, a list has the names of the parts and the parameters of all items.

    Examples:
        coc reproduce
        coc reproduce traces growth
        coc reproduce stack --list
        coc reproduce stack --set stack.seeds=0-9 --set stack.steps=1000
        coc reproduce --budget full --jobs 2 --refresh
        coc reproduce --budget full --report-only
        coc reproduce 'instances:pancake 500' --budget full
    """
    registry = console.registry()
    changed = assignments(changes or [], item_specs(registry))
    settings = {f"{item}.{name}": text for item, texts in changed.items() for name, text in texts.items()}
    if out is None:
        out = Path(_folder_name(settings))
    every = names is None and budget is None and not report_only
    if listing or (every and not settings and not refresh):
        return _list(registry, Store.open(out, create=False, settings=settings), names or [], changed, as_json)
    if every and refresh and not settings:
        raise UsageError("--refresh computes what is asked for", remedy="name the items, or choose a --budget")
    budget = budget or Budget.quick
    chosen = _chosen(registry, names or list(changed if every else item_specs(registry)), budget, changed)
    workers = WorkerOptions(jobs=jobs, engine=engine, engine_address=engine_address)
    if report_only:
        _check_report_only(out, refresh, jobs, engine, engine_address)
    folder = out / _REPORT
    report.check_style(style)
    store = Store.open(out, create=False, settings=settings)
    check_replaceable(folder, marker=MARKER, kind="report")
    wanted = [task for each in chosen for task in each.wanted]
    others = {task.key for task in wanted if store.find(task) is None and store.other(task) is not None}
    schedule = Schedule.of(store, [task for task in wanted if refresh or task.key not in others])
    if others and not refresh:
        console.warn(f"{_results(len(others))} {_ELSEWHERE}; shown as such; --refresh computes what differs again")
    if begun := sum(not store.has(task) and store.other(task) is None and store.begun(task) for task in schedule.tasks):
        console.warn(f"other code, versions or hardware began {counted(begun, 'computation')}; kept, and begun anew")
    if not report_only:
        with (
            open_pool(registry, workers, console.warn) as pool,
            Store.open(out, create=True, settings=settings).locked(),
        ):
            _compute(schedule, pool)
        if schedule.interrupted:
            console.warn(f"interrupted; finished results are in {out}; run the same command again to continue")
            return EXIT_INTERRUPTED
    sections = [_section(each, schedule) for each in chosen]
    heading = _HEADINGS[budget] + (", with changes" if settings else "")
    report.write(folder, sections, heading, _facts(budget, settings), style)
    if as_json:
        console.document({"report": str(folder), "sections": [section.to_json() for section in sections]})
    else:
        _show(sections, folder)
    good = all(section.passed and not section.failures for section in sections)
    return EXIT_SOLVED if good else EXIT_NOT_SOLVED


_ELSEWHERE = "made by other code, other versions or other hardware"


def _results(count: int) -> str:
    return f"{counted(count, 'result')} {'was' if count == 1 else 'were'}"


def _folder_name(settings: Mapping[str, str]) -> str:
    """The folder that results have by default: one of its own for each choice of settings."""
    texts = [re.sub(r"[^\w.,=-]", "_", f"{name}={text}") for name, text in settings.items()]
    return "-".join([_DEFAULT_OUT, *texts])[:200]


def _read(registry: Registry, name: str, budget: Budget, changed: Mapping[str, Mapping[str, str]]) -> _Chosen:
    """An item with what is set of it, and its tasks; PluginError if it offers something else."""
    item, texts = item_of(registry, name), changed.get(name, {})
    with attributed():
        parameters = parameters_of(item, budget, texts)
        tasks = item.tasks(parameters)
    if not isinstance(tasks, Mapping) or not all(isinstance(task, Task) for task in tasks.values()):
        raise PluginError(f"the tasks of the item {name} are not a mapping of names to tasks")
    return _Chosen(item, parameters, texts, tasks)


def _chosen(
    registry: Registry, names: Sequence[str], budget: Budget, changed: Mapping[str, Mapping[str, str]]
) -> list[_Chosen]:
    """The items and the tasks to compute of each, in the items' order; UsageError if there is no such item or part.

    What is set of other items is checked, too.
    """
    found = {name: _read(registry, name, budget, changed) for name in changed}
    wanted: dict[str, list[Task]] = {}
    for name in names:
        item, colon, pattern = name.partition(":")
        if item not in found:
            found[item] = _read(registry, item, budget, changed)
        tasks = found[item].tasks
        parts = [task for part, task in tasks.items() if not colon or fnmatchcase(part, pattern)]
        if pattern in tasks:
            parts = [tasks[pattern]]
        if not parts and colon:
            raise UsageError(
                f"{item} has no part {pattern!r:.80} with --budget {budget}", remedy=suggest(pattern, tasks)
            )
        wanted.setdefault(item, []).extend(parts)
    return [evolve(found[item], wanted=wanted[item]) for item in item_specs(registry) if item in wanted]


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


def _check_report_only(out: Path, refresh: bool, *workers: object) -> None:
    """Raise UsageError unless there is something to report, and nobody asks for more."""
    if refresh or any(choice is not None for choice in workers):
        raise UsageError(
            "--report-only computes nothing, so it needs no workers",
            remedy="leave out --refresh, --jobs, --engine and --engine-address",
        )
    if not out.exists():
        raise UsageError(f"nothing was computed in {out}", remedy="name the folder with --out")


def _section(chosen: _Chosen, schedule: Schedule) -> report.Section:
    """The section with all that there is of the item, whether it was chosen now or computed before."""
    every, item = with_needs(chosen.tasks.values()), chosen.item
    done = {key: found for key, task in every.items() if (found := _shown(schedule.store, task)) is not None}
    results = {name: done[task.key] for name, task in chosen.tasks.items() if task.key in done}
    others = {name: found for name, found in results.items() if found.other}
    failures = [f"{every[key].doing}: {reason}" for key, reason in schedule.failed.items() if key in every]
    missing = sum(key not in done and key not in schedule.failed for key in every)
    section = _reported(chosen, results, others)
    if not results:
        section = evolve(section, meaning=f"Nothing {'could be' if failures else 'has been'} computed.")
    seconds: dict[str, float] = {}
    for each in done.values():
        seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
    todo = f"Of its {counted(len(every), 'computation')}, {missing} {'is' if missing == 1 else 'are'} still to be made."
    return evolve(
        section,
        name=item.name,
        sample="" if chosen.changed else section.sample,
        changed=[f"{name}={text}" for name, text in chosen.changed.items()],
        seconds=seconds,
        failures=failures,
        missing=todo if missing else "",
        other=_who(others),
    )


def _shown(store: Store, task: Task) -> Done | None:
    return store.find(task) or store.other(task)


def _reported(chosen: _Chosen, results: Mapping[str, Done], others: Mapping[str, Done]) -> report.Section:
    """The item's report, with the cells marked that results of other code have a part in."""
    own = {name: found for name, found in results.items() if name not in others}
    with attributed():
        section = chosen.item.report(chosen.parameters, own)
    if not isinstance(section, report.Section):
        raise PluginError(f"the report of the item {chosen.item.name} is not a `coc_paper.report.Section`")
    if not others:
        return section
    try:
        return report.marked(chosen.item.report(chosen.parameters, results), section)
    except Exception as error:  # other code may have left results of another form
        what = f"{counted(len(others), 'result')} {_ELSEWHERE}"
        console.warn(f"the report of {chosen.item.name} can't show {what}: {error!r:.80}")
        return section


def _who(others: Mapping[str, Done]) -> list[str]:
    """Who made the results of other code: a line for all parts that were made in the same way."""
    parts: dict[str, list[str]] = {}
    for name, found in others.items():
        parts.setdefault(found.other, []).append(f"`{name}`")
    return [f"{', '.join(names)}: {words}" for words, names in parts.items()]


def _facts(budget: Budget, settings: Mapping[str, str]) -> str:
    changes = "".join(f" --set '{name}={text}'" for name, text in settings.items())
    return f"Made by `coc reproduce --budget {budget}{changes}`, coc {version('chain-of-computation')}."


def _show(sections: Sequence[report.Section], folder: Path) -> None:
    table = _table("item", "what came out", "seconds")
    table.columns[-1].justify = "right"
    for section in sections:
        failed = f" {len(section.failures)} of its tasks failed: {section.failures[0]}" if section.failures else ""
        good = section.passed and not section.failures
        others = f"Partly {_ELSEWHERE}." if section.other else ""
        meaning = console.text(
            " ".join(filter(None, (section.meaning, section.missing, others))) + failed, style="" if good else "red"
        )
        table.add_row(console.text(section.name), meaning, f"{sum(section.seconds.values()):,.0f}")
    console.out().print(table)
    console.out().print(console.text(f"the report is {folder / 'index.html'}"), soft_wrap=True)


def _list(
    registry: Registry, store: Store, names: Sequence[str], changed: Mapping[str, Mapping[str, str]], as_json: bool
) -> int:
    """List the items, and for each budget how many of its tasks have results.

    As JSON, or where items are named, which parts there are, too, and what can be set.
    """
    rows, elsewhere, every = list[dict[str, Any]](), set[str](), item_specs(registry)
    for name in names:
        item_of(registry, name)
    for name in (each for each in every if not names or each in names):
        try:
            found = {budget: _read(registry, name, budget, changed) for budget in Budget}
        except PluginError as error:
            if names:
                raise
            console.warn(str(error))  # one that is broken hides no other
            continue
        item = found[Budget.full].item
        rows.append({"item": name, "title": item.title, "parameters": described(item)})
        rows[-1]["hyperparameters"] = issubclass(item.parameters, TrainingParameters)
        for budget, each in found.items():
            tasks = with_needs(each.tasks.values())
            done = {key for key, task in tasks.items() if store.find(task) is not None}
            others = {key for key, task in tasks.items() if key not in done and store.other(task) is not None}
            elsewhere |= others
            parts = {part: task.key in done for part, task in each.tasks.items()}
            rows[-1][str(budget)] = {"done": len(done), "tasks": len(tasks), "other": len(others), "parts": parts}
    if elsewhere:
        console.warn(f"{_results(len(elsewhere))} {_ELSEWHERE}; --refresh computes what differs again")
    if as_json:
        console.document({"items": rows})
    elif names:
        _show_items(rows)
    else:
        table = _table("item", "quick", "full", "what it shows")
        for row in rows:
            states = [f"{row[budget]['done']} of {row[budget]['tasks']}" for budget in Budget]
            table.add_row(console.text(row["item"]), *states, console.text(row["title"], style="dim"))
        console.out().print(table)
    return EXIT_SOLVED


def _show_items(rows: Iterable[Mapping[str, Any]]) -> None:
    """Show of each item its parameters and its parts."""
    for row in rows:
        console.out().print(console.text(f"{row['item']}: {row['title']}", style="bold"))
        table = _table("parameter", "quick", "full", "what it is")
        for each in row["parameters"]:
            table.add_row(*(console.text(each[name] or "–") for name in ("name", "quick", "full", "summary")))
        console.out().print(table if row["parameters"] else console.text("nothing of it can be set"))
        if row["hyperparameters"]:
            console.out().print(console.text(f"and any hyperparameter, such as --set {row['item']}.steps=1000"))
        for budget in Budget:
            parts = ", ".join(f"{part} (done)" if done else part for part, done in row[budget]["parts"].items())
            console.out().print(console.text(f"parts, {budget}: {parts}"))


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table
