"""`coc validate`: whether a plan from any source solves a problem."""

from attrs import frozen

from coc_core.api import ValidationReport, validated
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.show import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import ValidateOptions, option, shared
from coc_core.text import counted, shortened

_COLOURS = {"solved": "green", "unsolved": "yellow", "illegal": "red"}


@frozen(kw_only=True, slots=False)
class ValidateCommand(ValidateOptions):
    """What `coc validate` takes."""

    as_json: bool = option(shared.JSON, False)


@command(ValidateCommand)
def validate(options: ValidateCommand) -> int:
    """Check whether a plan solves a problem.

    Every action of the plan, from any source, is checked against the rules of the puzzle; no model is involved. The
    exit code is 0 if the goal is reached, 1 if it is not or an action is illegal, and 3 if the plan can't be read.

    Examples:
        coc validate moves.txt -d hanoi -n 8
        coc validate flips.txt -d pancake -n 9 --plan-format physical
        coc validate - -d hanoi -n 3 --json
    """
    if str(options.problem) == str(options.plan) == "-":
        raise UsageError("the problem and the plan can't both come from standard input", remedy="put one into a file")
    registry = console.registry(options.plugins)
    with console.status("reading the plan"):
        report = validated(registry, options)
    if options.as_json:
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
