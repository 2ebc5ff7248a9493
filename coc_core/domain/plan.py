"""Plans: their physical moves, and whether they solve their problem. No model and no memory is involved."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from attrs import frozen

from coc_core.domain.base import Domain
from coc_core.domain.search import MOST_STATES, optimum
from coc_core.errors import ActionFault
from coc_core.types import Verdict


@frozen
class Validation:
    """Whether a plan solves its problem, and how many of its actions moved something.

    Of an illegal plan, `at` is the index of the first illegal action, and `reason` says why it is illegal.
    """

    verdict: Literal["complete", "incomplete", "illegal"]
    moves: int
    at: int | None = None
    reason: str = ""


def effects(domain: Domain[Any, Any, Any, Any], state: Any, actions: Iterable[Any]) -> Iterator[str]:
    """The physical moves of legal `actions` from `state` on, in words; actions that change nothing are left out."""
    for action in actions:
        effect = domain.effect(state, action)
        state = domain.apply(state, action)
        if effect is not None:
            yield effect


def validate(domain: Domain[Any, Any, Any, Any], problem: Any, plan: Iterable[Any]) -> Validation:
    """Check that each action is legal and that the last state is a goal.

    The plan is read once and not stored; reading ends at the first illegal action.
    """
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
    """Validate a plan and, if it is complete, compare its number of physical moves with the optimum.

    Raises:
        UsageError: If the search for the optimum would visit more than `most` states.
    """
    found = validate(domain, problem, plan)
    if found.verdict != "complete":
        return found.verdict, found
    return "optimal" if found.moves == optimum(domain, problem, most) else "suboptimal", found
