"""`coc plan`: look into a plan that is a grammar: its length, some of its actions, a state on its way."""

from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_certify.plan import GrammarPlan
from coc_certify.plan_grammar import read_plan
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.pictures import picture
from coc_core.cli.solve.show import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.options import OUTPUT, File, Option, PluginOptions, Whole, option, shared
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
    as_json: bool = option(shared.JSON, False)


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
    file, as_json = options.file, options.as_json
    chosen = [action is not None, first is not None or last is not None, state is not None]
    if sum(chosen) > 1:
        raise UsageError("--action, --from with --to, and --state each say what to show", remedy="give one of them")
    found = read_plan(file, partial(console.registry(options.plugins).create, DomainSpec))
    if state is not None:
        _show_state(found, state, as_json)
    elif action is not None:
        _show_actions(found, action, action, as_json)
    elif any(chosen):
        _show_actions(found, 1 if first is None else first, found.length if last is None else last, as_json)
    else:
        return _show_summary(found, file)
    return EXIT_SOLVED


def _show_state(plan: GrammarPlan, actions: int, as_json: bool) -> None:
    after = plan.state(actions)
    if as_json:
        console.document({"after": actions, "picture": plan.domain.render(after, PICTURE)})
    else:
        out, heading = console.out(), f"after {actions:,} of {counted(plan.length, 'action')}"
        drawn = picture(plan.domain, after, out.width)  # of any height, since it was asked for
        if drawn is None:
            console.line(f"{heading}: too wide for {counted(out.width, 'column')}; use --json")
        else:
            console.detail(heading, style="dim")
            out.print(console.text(drawn, no_wrap=True))


def _show_actions(plan: GrammarPlan, first: int, last: int, as_json: bool) -> None:
    for number in (first, last):
        if not 1 <= number <= plan.length:
            raise UsageError(f"the plan has no action {number:,}", remedy=f"it has {counted(plan.length, 'action')}")
    actions = plan[first - 1 : last]
    if not as_json:
        for text in actions:
            console.stream(text)
    elif actions.length > MOST_LISTED:
        raise UsageError(f"a document has at most {MOST_LISTED:,} actions", remedy="choose fewer, or leave out --json")
    else:
        console.document({"from": first, "to": last, "actions": list(actions)})


def _show_summary(plan: GrammarPlan, file: Path) -> int:
    problem, size = shortened(plan.domain.problems.format(plan.problem), LONGEST), counted(plan.length, "action")
    rules = counted(len(plan.grammar.rules), "rule")
    console.report(described(plan, file), f"{plan.domain.name} · {problem}: {size} in {rules}; {_judged(plan)}")
    return EXIT_SOLVED if plan.verdict in ("complete", None) else EXIT_NOT_SOLVED


def described(plan: GrammarPlan, file: Path) -> dict[str, Any]:
    """Return a plan, as the beginning of a JSON document."""
    names = {"plan": str(file), "domain": plan.domain.name, "problem": plan.domain.problems.format(plan.problem)}
    return {**names, "actions": plan.length, "rules": len(plan.grammar.rules), "verdict": plan.verdict}


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
