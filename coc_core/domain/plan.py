"""Plans: what one does physically, and whether it solves its problem. No model and no memory is involved."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from attrs import frozen

from coc_core.domain.base import Domain
from coc_core.domain.search import MOST_STATES, optimum
from coc_core.errors import ActionFault
from coc_core.types import Verdict


@frozen
class Validation:
    """What became of a plan, and how many of its actions moved something.

    `at` is the index of the first illegal action, `reason` why it is illegal.
    """

    verdict: Literal["complete", "incomplete", "illegal"]
    moves: int
    at: int | None = None
    reason: str = ""


def effects(domain: Domain[Any, Any, Any, Any], state: Any, actions: Iterable[Any]) -> Iterator[str]:
    """The physical moves of `actions` from `state` on, in words; actions that change nothing are left out."""
    for action in actions:
        effect = domain.effect(state, action)
        state = domain.apply(state, action)
        if effect is not None:
            yield effect


def validate(domain: Domain[Any, Any, Any, Any], problem: Any, plan: Iterable[Any]) -> Validation:
    """Whether `plan` is legal throughout and ends at the goal. Reads the plan once, keeps none of it."""
    state, moves = domain.initial(problem), 0
    for index, action in enumerate(plan):
        try:
            after = domain.apply(state, action)
        except ActionFault as fault:
            return Validation("illegal", moves, index, fault.message)
        moves += domain.effect(state, action) is not None
        state = after
    return Validation("complete" if domain.is_goal(problem, state) else "incomplete", moves)


def judge(
    domain: Domain[Any, Any, Any, Any], problem: Any, plan: Iterable[Any], most: int = MOST_STATES
) -> tuple[Verdict, Validation]:
    """The verdict on a plan, its physical length compared with the optimum; UsageError if that is too far to search."""
    found = validate(domain, problem, plan)
    if found.verdict != "complete":
        return found.verdict, found
    return "optimal" if found.moves == optimum(domain, problem, most) else "suboptimal", found
