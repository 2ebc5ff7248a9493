"""`coc bench`: how fast the executors are, on a few fixed loads or on one of your own."""

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen
from rich.table import Table

from coc_bench.benchmark import BASE, Load, Rate, rates
from coc_bench.figure import draw_rates
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import Decimal, Option, PluginOptions, Several, Whole, option, shared
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.text import format_sizes
from coc_core.types import DEFAULT_SIZE
from coc_measure.commands import files
from coc_measure.options import MEASUREMENT
from coc_problems import INSTANCES, write_table
from coc_view.drawing import write_figure

FIXED = (
    ("hanoi", "pda", "symbolic", 20, 1),
    ("hanoi", "tape", "inline", 12, 1),
    ("blocksworld", "pda", "symbolic", 40, 50),
)
"""Domain, memory, arithmetic, n, and how many problems."""

LONGEST = 600.0  # seconds a row


@frozen(kw_only=True, slots=False)
class BenchCommand(PluginOptions):
    """What `coc bench` takes."""

    domain: str | None = option(shared.DOMAIN, None, help="Time only this puzzle.", shown="three fixed workloads")
    memory: str | None = option(shared.MEMORY, None)
    arith: str = option(shared.ARITH, "symbolic")
    n: int | None = option(shared.SIZE, None)
    instances: int = option(
        INSTANCES, 1, help="Run K problems together (one if the size has only one).", kind=Whole(1, 10_000, "K")
    )
    model: str | None = option(shared.CHECKPOINT, None)
    device: str | None = option(shared.DEVICE, None)
    executors: tuple[str, ...] = option(
        shared.EXECUTOR,
        (),
        help="Time only this executor. Repeatable.",
        kind=Several(),
        shown="all executors",
    )
    seconds: float = option(
        Option(
            "Measure each row for this long, in seconds.",
            ("--seconds",),
            Decimal(0.01, LONGEST, "SECONDS"),
            MEASUREMENT,
        ),
        3.0,
    )
    plot: Path | None = option(shared.PLOT, None, help="Draw the rates to this file, an .svg or a .png.")
    csv: Path | None = option(shared.CSV, None, help="Write all rows to this file, as comma-separated values.")
    as_json: bool = option(shared.JSON, False)


@command(BenchCommand)
def bench(options: BenchCommand) -> int:
    """Measure the speed of each executor.

    The loop alone, the model alone, and other libraries with the same weights are measured, too. Speeds are relative to
    `sequential`, the plain loop of the paper's Algorithm 1. Of a trained model there are also the microseconds a step
    outside its network, and the share of the device's peak, as measured on large matrices. The exit code is 1 if no
    executor took a step in time.

    Examples:
        coc bench
        coc bench -d hanoi -n 12 --memory tape --arith inline
        coc bench -d pancake -n 20 --instances 50 -x lockstep --seconds 1
        coc bench --plot rates.svg --csv rates.csv
    """
    domain, n, instances, model = options.domain, options.n, options.instances, options.model
    rows, figure, seconds = options.csv, options.plot, options.seconds
    if domain is None and (n is not None or model is not None or instances != 1):
        raise UsageError("--n, --instances and --model need --domain", remedy="name the puzzle with --domain")
    files.check(figure, rows)
    registry = console.registry(options.plugins)
    names = list(options.executors or [spec.name for spec in registry.specs(ExecutorSpec)])
    for name in names:
        registry.find(ExecutorSpec, name)
    wanted = (
        FIXED
        if domain is None
        else ((domain, options.memory, options.arith, DEFAULT_SIZE if n is None else n, instances),)
    )
    found: list[tuple[Load, list[Rate]]] = []
    for load in _loads(registry, wanted, model):
        measured = []
        with console.status("timing") as status:
            for rate in rates(load, names, seconds):
                measured.append(rate)
                status.update(console.text(f"timing {load.title}: {rate.name} is done"))
        found.append((load, measured))
        if not options.as_json:
            console.out().print(_table(load, measured))
            for rate in measured:
                if rate.host is not None and rate.peak is not None:
                    share = f"{100 * rate.peak:.2g}% of the device's peak"
                    console.line(f"{rate.name}: {rate.host:,.1f} µs a step on the host, {share}")
    document = _document(found, seconds)
    if rows:
        _write_rows(rows, document)
    if figure:
        write_figure(figure, lambda form: draw_rates(found, form))
    if options.as_json:
        console.document(document)
    stepped = all(any(rate.steps for rate in measured if rate.name in names) for _, measured in found)
    return EXIT_SOLVED if stepped else EXIT_NOT_SOLVED


def _loads(
    registry: Registry, wanted: tuple[tuple[str, str | None, str, int, int], ...], model: str | None
) -> Iterator[Load]:
    for domain, memory, arith, n, count in wanted:
        setting = Setting.of(registry, domain, memory, arith)
        yield Load(setting, [setting.domain.problem(n, seed) for seed in range(count)], model)


def _base(rows: list[Rate]) -> float | None:
    return next((rate.per_second for rate in rows if rate.name == BASE), None)


def _table(load: Load, rows: list[Rate]) -> Table:
    table = Table(title=load.title, title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    table.add_column("steps/s", justify="right")
    table.add_column(f"of {BASE}", justify="right")
    base = _base(rows)
    for rate in rows:
        speed = rate.per_second
        if speed is None:
            table.add_row(rate.name, rate.obstacle or "none in that time", "")
        else:
            table.add_row(rate.name, f"{speed:,.1f}", f"{speed / base:,.2f}x" if base else "")
    return table


def _write_rows(path: Path, document: dict[str, Any]) -> None:
    """Write the rows of a document as a table; each repeats what was timed."""
    timed = ("domain", "memory", "arith", "n", "problems", "model")
    measured = ("name", "steps", "seconds", "steps_per_second", "ratio", "obstacle")
    network = ("host_microseconds_per_step", "share_of_peak")
    rows = (
        {name: load[name] for name in timed} | {"n": format_sizes(load["n"])} | row
        for load in document["loads"]
        for row in load["rows"]
    )
    write_table(path, [*timed, *measured, *network], rows)


def _document(found: list[tuple[Load, list[Rate]]], seconds: float) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "seconds": seconds,
        "loads": [
            {
                "domain": load.setting.domain.name,
                "memory": load.setting.memory.name,
                "arith": load.setting.arithmetic.name,
                "n": sorted({load.setting.domain.size(problem) for problem in load.problems}),
                "problems": len(load.problems),
                "model": load.choice,
                "rows": [
                    {
                        "name": rate.name,
                        "steps": rate.steps,
                        "seconds": round(rate.seconds, 6),
                        "steps_per_second": rate.per_second,
                        "ratio": rate.per_second / base if base and rate.per_second else None,
                        "obstacle": rate.obstacle or None,
                        "host_microseconds_per_step": rate.host,
                        "share_of_peak": rate.peak,
                    }
                    for rate in rows
                ],
            }
            for load, rows in found
            for base in [_base(rows)]
        ],
    }
