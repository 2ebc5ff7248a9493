"""The length of the shortest plan of a small problem, by breadth-first search over the states of the puzzle."""

from collections.abc import Iterator
from typing import Any

from coc_core.domain import Domain
from coc_core.errors import UsageError

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
