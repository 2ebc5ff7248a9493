"""`coc validate`: whether a plan from any source solves a problem."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.show import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import PROBLEM, Name, Option, PathLike, Source, given, option, shared
from coc_core.storage import check_distinct
from coc_core.text import counted, shortened
from coc_planning.validation import ValidateOptions, validated
from coc_problems import check_table, write_table

if TYPE_CHECKING:
    from coc_planning.pddl.batch import Row

_COLOURS = {"solved": "green", "unsolved": "yellow", "illegal": "red", "rejected": "red"}


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
    as_json: bool = option(shared.JSON, False)


@command(ValidateCommand)
def validate(options: ValidateCommand) -> int:
    """Check whether a plan solves a problem.

    Every action of the plan, from any source, is checked against the rules of the puzzle, or against those of a domain
    in PDDL; no model is involved. The exit code is 0 if the goal is reached, 1 if it is not or an action is illegal,
    and 3 if the plan can't be read.

    Examples:
        coc validate moves.txt -d hanoi -n 8
        coc validate flips.txt -d pancake -n 9 --plan-format physical
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
    check = report.check
    if options.as_json:
        console.document(report.document())
    else:
        legal = counted(check.actions, "legal action") + (" before it" if check.at else "")
        _print(report.verdict, f"{report.domain} · {shortened(report.problem, LONGEST)}", report.reason)
        console.detail(f"  {legal}; plan format: {report.plan_format}")
    return EXIT_SOLVED if report.solved else EXIT_NOT_SOLVED


def _print(verdict: str, subject: str, reason: str) -> None:
    console.line((verdict, f"bold {_COLOURS[verdict]}"), f"  {subject}")
    if reason:
        console.line("  ", (reason, _COLOURS[verdict]))


def _validate_pddl(options: ValidateCommand, domain: Path, problem: Path) -> int:
    from coc_planning.pddl.batch import COLUMNS, matched, rows  # most validations do without

    if unused := given(options).keys() - {"plan", "pddl", "csv", "as_json", "plugins"}:
        raise UsageError(f"--pddl says which problem it is, so leave out {', '.join(map(_flag, sorted(unused)))}")
    plan = Path(str(options.plan))
    files = matched(domain, problem, plan)
    if options.csv is not None:
        named = {str(path): path for each in files for path in each}
        check_distinct({"--csv": [options.csv]}, {"the plans and --pddl": list(named.values())})
        check_table(options.csv)
    with console.status("validating"):
        found = rows(files)
    for note in dict.fromkeys(note for each in found for note in each.notes):
        console.warn(note)
    if options.csv is not None:
        write_table(options.csv, COLUMNS, (each.cells() for each in found))
    if plan.is_dir():
        _report(options, found)
    elif found[0].error is not None:
        raise found[0].error
    else:
        _report_one(options, found[0])
    return max(each.exit_code for each in found)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _report_one(options: ValidateCommand, row: "Row") -> None:
    if options.as_json:
        console.document(row.document())
        return
    _print(row.verdict, row.subject, row.reason)
    console.detail(f"  {row.details}")


def _report(options: ValidateCommand, found: "Sequence[Row]") -> None:
    solved = sum(each.verdict == "solved" for each in found)
    if options.as_json:
        document: dict[str, Any] = {"total": len(found), "solved": solved}
        console.document(document | {"plans": [each.document() for each in found]})
        return
    for each in found:
        _print(each.verdict, each.plan.name, each.reason)
    console.details().print(f"  solved by {solved:,} of {counted(len(found), 'plan')}")
