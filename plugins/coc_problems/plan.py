"""The worth of a plan: whether each action is legal, and the length of a shortest one, by breadth-first search."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Literal, TypeVar

from attrs import frozen

from coc_core.domain import Domain
from coc_core.errors import ActionFault, UsageError

ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")


@frozen
class Validation:
    """Whether a plan solves its problem, and how many of its actions moved something.

    Of an illegal plan, `at` is the index of the first illegal action, and `reason` says why it is illegal.
    """

    verdict: Literal["complete", "incomplete", "illegal"]
    moves: int
    at: int | None = None
    reason: str = ""


class ReadsMoves(ABC, Generic[ActionT, StateT]):
    """A domain whose action names differ from the moves they perform. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def actions_for(self, state: StateT, move: str) -> Sequence[ActionT]:
        """Return the action whose effect in `state` is `move`, after those that change nothing but must come before it.

        Raises:
            ValueError: `move` is not the text of a move.
            ActionFault: It is, but no action makes it in this state.
        """


def read_move(domain: Domain[Any, Any, Any, Any], state: Any, move: str) -> Sequence[Any]:
    """Return the actions of a domain that make a physical move; the errors are those of `ReadsMoves.actions_for`."""
    return domain.actions_for(state, move) if isinstance(domain, ReadsMoves) else (domain.actions.parse(move),)


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


MOST_STATES = 50_000
"""How many states a search visits by default."""


def levels(domain: Domain[Any, Any, Any, Any], start: Any, most: int = MOST_STATES) -> Iterator[list[Any]]:
    """Yield the states at distance 0, 1, 2, ... from `start`, in physical moves.

    UsageError if more than `most` states can be reached, or the domain states no moves.
    """
    seen, level = {start}, [start]
    while level:
        yield level
        following = []
        for state in level:
            neighbours = domain.neighbours(state)
            if neighbours is None:
                raise UsageError(f"{domain.name} states no moves, so no shortest plan can be searched for")
            for neighbour in neighbours:
                if neighbour in seen:
                    continue
                if len(seen) == most:
                    raise UsageError(
                        f"{domain.name} has more than {most:,} states of this size, too many to search",
                        remedy="choose a smaller n",
                    )
                seen.add(neighbour)
                following.append(neighbour)
        level = following


def optimum(domain: Domain[Any, Any, Any, Any], problem: Any, most: int = MOST_STATES) -> int | None:
    """Return the least number of physical moves that solve `problem`, or None; UsageError above `most` states."""
    for distance, level in enumerate(levels(domain, domain.initial(problem), most)):
        if any(domain.is_goal(problem, state) for state in level):
            return distance
    return None


def check_searchable(domain: Domain[Any, Any, Any, Any], problem: Any, most: int = MOST_STATES) -> None:
    """Raise UsageError if more than `most` states can be reached from the start of `problem`."""
    for _ in levels(domain, domain.initial(problem), most):
        pass
