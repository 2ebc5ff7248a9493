"""Plans: their physical moves, and whether they solve their problem. No model and no memory is involved."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from attrs import frozen

from coc_core.domain import Domain
from coc_core.errors import ActionFault


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
    """Yield the physical moves of legal `actions` from `state` on, in words; without actions that change nothing."""
    for action in actions:
        effect = domain.effect(state, action)
        state = domain.apply(state, action)
        if effect is not None:
            yield effect


def validate(domain: Domain[Any, Any, Any, Any], problem: Any, plan: Iterable[Any]) -> Validation:
    """Check that each action is legal, up to the first that is not, and the last state a goal; none is stored."""
    state, moves = domain.initial(problem), 0
    for index, action in enumerate(plan):
        try:
            after = domain.apply(state, action)
        except ActionFault as fault:
            return Validation("illegal", moves, index, fault.message)
        moves += domain.effect(state, action) is not None
        state = after
    return Validation("complete" if domain.is_goal(problem, state) else "incomplete", moves)
