"""`coc bench`: how fast the executors are, on a few fixed loads or on one of your own."""

import platform
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from coc_core.cli import console, options
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.evaluation import BASE, Load, Rate, rates
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.types import DEFAULT_SIZE

FIXED = (
    ("hanoi", "pda", "symbolic", 20, 1),
    ("hanoi", "tape", "inline", 12, 1),
    ("blocksworld", "pda", "symbolic", 40, 50),
)
"""Domain, memory, arithmetic, n, and how many problems."""

LONGEST = 600.0  # seconds a row


def bench(
    domain: Annotated[
        str | None,
        options.domain("Time this puzzle only.", "three fixed loads"),
    ] = None,
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    n: options.Size = None,
    instances: Annotated[
        int,
        typer.Option(
            "--instances",
            parser=options.whole(1, 10_000),
            metavar="K",
            help="Run K problems together, where the size has more than one.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = 1,
    model: options.Model = None,
    device: options.Device = None,
    executors: Annotated[
        list[str] | None,
        options.executor("Time this executor. Repeatable.", "all of them"),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            parser=options.decimal(0.01, LONGEST),
            metavar="SECONDS",
            help="Measure each row for this long.",
            rich_help_panel="Measurement",
        ),
    ] = 3.0,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Measure the speed of each executor.

    Also measured are the loop alone, the model alone, and other libraries with the same weights. Ratios compare
    steps per second with those of the sequential executor, which runs Algorithm 1 as it is printed. The exit code is 1
    if no executor took a step in that time.

    Examples:
        coc bench
        coc bench -d hanoi -n 12 --memory tape --arith inline
        coc bench -d pancake -n 20 --instances 50 -x lockstep --seconds 1
    """
    if domain is None and (n is not None or model is not None or instances != 1):
        raise UsageError("--n, --instances and --model need --domain", remedy="name the puzzle with --domain")
    registry = console.registry(plugins)
    names = list(executors or [spec.name for spec in registry.specs(ExecutorSpec)])
    for name in names:
        registry.find(ExecutorSpec, name)
    wanted = FIXED if domain is None else ((domain, memory, arith, DEFAULT_SIZE if n is None else n, instances),)
    found = []
    for load in _loads(registry, wanted, model):
        rows = []
        with console.status("timing") as status:
            for rate in rates(load, names, seconds):
                rows.append(rate)
                status.update(console.text(f"timing {load.title}: {rate.name} is done"))
        found.append((load, rows))
        if not as_json:
            console.out().print(_table(load, rows))
    if as_json:
        console.document(_document(found, seconds))
    measured = all(any(rate.steps for rate in rows if rate.name in names) for _, rows in found)
    return EXIT_SOLVED if measured else EXIT_NOT_SOLVED


def _loads(registry: Registry, wanted: tuple[tuple[str, str, str, int, int], ...], model: str | None) -> Iterator[Load]:
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


def _document(found: list[tuple[Load, list[Rate]]], seconds: float) -> dict[str, object]:
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
                    }
                    for rate in rows
                ],
            }
            for load, rows in found
            for base in [_base(rows)]
        ],
    }
