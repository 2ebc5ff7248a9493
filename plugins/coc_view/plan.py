"""The page of a plan that is a grammar. It has the rules, and computes any part of the plan and any state from them."""

from pathlib import Path
from typing import Any

from coc_certify.plan import GrammarPlan
from coc_core.errors import UsageError
from coc_core.storage import check_distinct, check_file, write_file
from coc_core.text import escaped
from coc_view.page import render_page
from coc_view.plan_states import build_states

MOST_ITEMS = 200_000
"""The most actions and rules that all rules of one page name."""


def write_plan(plan: GrammarPlan, source: Path, path: Path) -> int:
    """Write the page of a plan.

    Args:
        plan: The plan.
        source: The file that it was read from.
        path: The file of the page, which is made or replaced.

    Returns:
        The length of the page in bytes.

    Raises:
        StorageError: The page can't be written.
        UsageError: The plan has too many rules, or the page would overwrite it.
    """
    check_distinct({"-o": [path]}, {"PLAN": [source]})
    check_file(path, "page")  # now, not after the page was rendered
    data = render_plan(plan).encode()
    write_file(path, data, "page")
    return len(data)


def render_plan(plan: GrammarPlan) -> str:
    """Render the page of a plan, which needs no network.

    Returns:
        The page, to be written in UTF-8. Equal plans have equal pages.

    Raises:
        UsageError: The plan has too many rules.
    """
    rules = plan.grammar.rules
    if sum(map(len, rules)) > MOST_ITEMS:
        raise UsageError(
            f"the rules of this plan name more than {MOST_ITEMS:,} actions and rules, too many for a page",
            remedy="look at it with `coc plan`",
        )
    first_uses = _first_uses(plan)
    numbers = {text: number for number, text in enumerate(first_uses)}
    verdict, illegal = plan.verdict, None
    if verdict == "illegal":
        illegal = str(plan.first_illegal)  # as a text, since JavaScript rounds large numbers
    return render_page(
        {
            "title": escaped(f"{plan.domain.name}, n={plan.domain.size(plan.problem)}"),
            "problem": escaped(plan.domain.problems.format(plan.problem)),
            "verdict": verdict or "not judged",
            "illegal": illegal,
            "texts": [escaped(text) for text in first_uses],
            "rules": [[item if isinstance(item, int) else ~numbers[item] for item in rule] for rule in rules],
            "states": build_states(plan, list(first_uses.items())),
        },
        "plan",
    )


def _first_uses(plan: GrammarPlan) -> dict[str, int]:
    """Each different action, with the number of actions before its first use."""
    rules, ends = plan.grammar.rules, plan.grammar.ends
    starts: dict[Any, int] = {len(rules) - 1: 0}  # of rules and of texts; a rule is used by later ones alone
    for number in reversed(range(len(rules))):
        for item, place in zip(rules[number], ends[number], strict=False):
            starts[item] = min(starts[number] + place, starts.get(item, starts[number] + place))
    return {item: place for item, place in starts.items() if isinstance(item, str)}
