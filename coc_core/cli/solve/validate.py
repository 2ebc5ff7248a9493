"""`coc validate`: whether a plan from any source solves a problem."""

from pathlib import Path
from typing import Annotated

import typer

from coc_core.api import ValidationReport, validated
from coc_core.cli import console, options
from coc_core.cli.solve.show import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.text import counted, shortened

_COLOURS = {"solved": "green", "unsolved": "yellow", "illegal": "red"}


def validate(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN", help="The plan: a file, or - for standard input.", show_default=False)
    ],
    domain: options.Domain,
    n: options.Size = None,
    seed: options.Seed = 0,
    problem: options.Problem = None,
    plan_format: Annotated[
        str | None, options.plan_format("Read the plan in this format", show_default="recognised by its first line")
    ] = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Check whether a plan solves a problem.

    Every action of the plan, from any source, is checked against the rules of the puzzle; no model is involved. The
    exit code is 0 if the goal is reached, 1 if it is not or an action is illegal, and 3 if the plan can't be read.

    Examples:
        coc validate moves.txt -d hanoi -n 8
        coc validate flips.txt -d pancake -n 9 --plan-format physical
        coc validate - -d hanoi -n 3 --json
    """
    if problem == "-" and str(plan) == "-":
        raise UsageError("the problem and the plan can't both come from standard input", remedy="put one into a file")
    registry = console.registry(plugins)
    with console.status("reading the plan"):
        source = None if problem is None else Path(problem)
        report = validated(registry, domain, plan, n, seed, source, plan_format)
    if as_json:
        console.document(report.document())
    else:
        _show(report)
    return EXIT_SOLVED if report.solved else EXIT_NOT_SOLVED


def _show(report: ValidationReport) -> None:
    out, check = console.out(), report.check
    verdict = (report.verdict, f"bold {_COLOURS[report.verdict]}")
    problem = shortened(report.problem, LONGEST)
    out.print(console.text(verdict, f"  {report.domain} · {problem}"), soft_wrap=True)
    if report.reason:
        out.print(console.text("  ", (report.reason, _COLOURS[report.verdict])), soft_wrap=True)
    legal = counted(check.actions, "legal action") + (" before it" if check.at else "")
    console.details().print(console.text(f"  {legal}; plan format: {report.plan_format}"), soft_wrap=True)
