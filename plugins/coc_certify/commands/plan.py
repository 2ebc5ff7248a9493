"""`coc plan`: look into a plan that is a grammar: its length, some of its actions, a state on its way."""

from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_certify.plans import GrammarPlan, read_plan
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.pictures import picture
from coc_core.cli.solve.report import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import OUTPUT, File, Option, PluginOptions, Whole, option
from coc_core.plugin import DomainSpec
from coc_core.text import counted, shortened

PICTURE = 80  # columns of the picture in a document
MOST_LISTED = 100_000  # actions in a document


def _place(flag: str, words: str, shown: str | bool = False) -> Any:
    return option(Option(words, (flag,), Whole(0, metavar="K", digits=60), OUTPUT, shown), None)


@frozen(kw_only=True, slots=False)
class PlanCommand(PluginOptions):
    """What `coc plan` takes."""

    file: Path = option(Option("The plan: a file written by `coc run --plan-format grammar`.", (), File("PLAN")))
    action: int | None = _place("--action", "Print action K, counted from 1.")
    first: int | None = _place("--from", "Print the actions from action K on.", "1 if --to is given")
    last: int | None = _place("--to", "Print the actions up to action K.", "the last if --from is given")
    state: int | None = _place("--state", "Draw the state after K actions.")


@command(PlanCommand)
def plan(options: PlanCommand) -> int:
    """Query a plan saved with --plan-format grammar.

    Without an option, print the plan's length and whether it solves its problem; the exit code is 0 if it does. Any
    action is found equally fast.

    Examples:
        coc plan 64.plan
        coc plan 64.plan --action 10000000000000000000
        coc plan 64.plan --from 9223372036854775800 --to 9223372036854775810
        coc plan 64.plan --state 9223372036854775808
    """
    action, first, last, state = options.action, options.first, options.last, options.state
    chosen = [action is not None, first is not None or last is not None, state is not None]
    if sum(chosen) > 1:
        raise UsageError("--action, --from with --to, and --state each say what to show", remedy="give one of them")
    found = read_plan(options.file, partial(console.registry(options.plugins).create, DomainSpec))
    if state is not None:
        _show_state(found, state)
    elif action is not None:
        _show_actions(found, action, action)
    elif any(chosen):
        _show_actions(found, 1 if first is None else first, found.length if last is None else last)
    else:
        problem, rules = found.domain.problems.format(found.problem), len(found.grammar.rules)
        names = {"plan": str(options.file), "domain": found.domain.name, "problem": problem}
        said = f"{found.domain.name} · {shortened(problem, LONGEST)}: {counted(found.length, 'action')}"
        console.report(
            {**names, "actions": found.length, "rules": rules, "verdict": found.verdict},
            f"{said} in {counted(rules, 'rule')}; {_judged(found)}",
        )
        return EXIT_SOLVED if found.verdict in ("complete", None) else EXIT_NOT_SOLVED
    return EXIT_SOLVED


def _show_state(plan: GrammarPlan, actions: int) -> None:
    after, width = plan.state(actions), console.out().width
    heading = f"after {actions:,} of {counted(plan.length, 'action')}"
    found = {"after": actions, "picture": plan.domain.render(after, PICTURE)}
    if (drawn := picture(plan.domain, after, width)) is None:  # of any height, since it was asked for
        console.report(found, f"{heading}: too wide for {counted(width, 'column')}; use --json")
    else:
        console.report(found, [console.text(heading, style="dim")], drawn)


def _show_actions(plan: GrammarPlan, first: int, last: int) -> None:
    for number in (first, last):
        if not 1 <= number <= plan.length:
            raise UsageError(f"the plan has no action {number:,}", remedy=f"it has {counted(plan.length, 'action')}")
    actions = plan.grammar.texts(first - 1, last)
    if not console.is_json():
        for text in actions:
            console.stream(text)
    elif last - first >= MOST_LISTED:
        raise UsageError(f"a document has at most {MOST_LISTED:,} actions", remedy="choose fewer, or leave out --json")
    else:
        console.report({"from": first, "to": last, "actions": list(actions)})


def _judged(plan: GrammarPlan) -> str:
    """Return what a plan is worth, in a few words."""
    match plan.verdict:
        case "complete":
            return "it solves the problem"
        case "incomplete":
            return "it ends before the goal"
        case "illegal":
            assert plan.first_illegal is not None
            return f"action {plan.first_illegal + 1:,} is illegal: {plan[plan.first_illegal]}"
        case _:
            return f"not judged, since the actions of {plan.domain.name} aren't operators"
