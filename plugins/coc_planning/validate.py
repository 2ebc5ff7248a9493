"""`coc validate`: whether a plan from any source solves a problem."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.report import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import PROBLEM, Name, Option, PathLike, Source, given, option, shared
from coc_core.storage import check_distinct
from coc_core.text import counted, shortened
from coc_planning.validation import PlanReport, ValidateOptions, validated
from coc_problems import check_table, write_table


@frozen(kw_only=True, slots=False)
class ValidateCommand(ValidateOptions):
    """What `coc validate` takes."""

    domain: str | None = option(shared.DOMAIN, None, shown=False)
    plan: PathLike | Iterable[str] = option(
        Option(
            "The plan: a file, or - for standard input; with --pddl, also a folder of plans.",
            (),
            Source("PLAN"),
            PROBLEM,
        )
    )
    pddl: tuple[Path, Path] | None = option(
        Option(
            "Take any domain and problem in PDDL instead. With a folder of plans, the second may be the folder of their"
            " problems, and the first that of the domains.",
            ("--pddl",),
            Name("DOMAIN PROBLEM", tuple[Path, Path]),
            PROBLEM,
        ),
        None,
    )
    csv: Path | None = option(
        shared.CSV, None, help="With --pddl: write a row for each plan to this file, as comma-separated values."
    )


@command(ValidateCommand)
def validate(options: ValidateCommand) -> int:
    """Check whether a plan solves a problem.

    Every action of the plan, from any source, is checked against the rules of the puzzle, or against those of a domain
    in PDDL; no model is involved. The exit code is 0 if the goal is reached, 1 if it is not or an action is illegal,
    and 3 if the plan can't be read.

    Examples:
        coc validate moves.txt -d hanoi -n 8
        coc validate flips.txt -d pancake -n 9 --plan-format text
        coc validate - -d hanoi -n 3 --json
        coc validate plan.txt --pddl domain.pddl p01.pddl
        coc validate plans --pddl domain.pddl problems --csv plans.csv
    """
    if options.pddl is not None:
        return _validate_pddl(options, *options.pddl)
    if options.domain is None:
        raise UsageError("no puzzle is chosen", remedy="choose one with --domain, or files with --pddl")
    if options.csv is not None:
        raise UsageError("--csv needs --pddl", remedy="use --json")
    if str(options.problem) == str(options.plan) == "-":
        raise UsageError("the problem and the plan can't both come from standard input", remedy="put one into a file")
    registry = console.registry(options.plugins)
    with console.status("reading the plan"):
        report = validated(registry, options)
    _report(report, report.document(), f"plan format: {report.plan_format}")
    return EXIT_SOLVED if report.solved else EXIT_NOT_SOLVED


def _report(report: PlanReport, found: Mapping[str, Any], more: str) -> None:
    names = f"{shortened(report.domain, LONGEST)} · {shortened(report.problem, LONGEST)}"
    legal = f"{report.legal} before it" if report.at else report.legal
    console.report(
        found, console.verdict(report.verdict, names, report.reason), [f"{legal}; {more}" if more else legal]
    )


def _validate_pddl(options: ValidateCommand, domain: Path, problem: Path) -> int:
    from coc_planning.pddl.validation import COLUMNS, matched, rows  # most validations do without

    if unused := given(options).keys() - {"plan", "pddl", "csv", "plugins"}:
        flags = [f"--{name.replace('_', '-')}" for name in sorted(unused)]
        raise UsageError(f"--pddl says which problem it is, so leave out {', '.join(flags)}")
    plan = Path(str(options.plan))
    files = matched(domain, problem, plan)
    if options.csv is not None:
        named = {str(path): path for each in files for path in each}
        check_distinct({"--csv": [options.csv]}, {"the plans and --pddl": list(named.values())})
        check_table(options.csv)
    with console.status("validating"):
        found = list(rows(files))
    for note in dict.fromkeys(note for each in found for note in each.notes):
        console.warn(note)
    if options.csv is not None:
        write_table(options.csv, COLUMNS, (each.cells() for each in found))
    if plan.is_dir():
        solved = sum(each.verdict == "solved" for each in found)
        console.report(
            {"total": len(found), "solved": solved, "plans": [each.document() for each in found]},
            *(console.verdict(each.verdict, each.plan.name, each.reason) for each in found),
            [f"solved by {solved:,} of {counted(len(found), 'plan')}"],
        )
    elif (report := found[0].validation) is not None:
        _report(report, found[0].document(), "" if report.cost is None else f"cost {report.cost:,}")
    elif found[0].error is not None:
        raise found[0].error
    return max(each.exit_code for each in found)
