"""Near-goal problems, in which little is left to do.

Every run passes through such states in the end, but a uniform draw hardly ever starts in one. They make good training
problems, since it is hardest to tell what is left to do where almost nothing is.
"""

import random
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from coc_core.domain.base import Domain
from coc_core.errors import UsageError

ProblemT = TypeVar("ProblemT")


class NearGoal(ABC, Generic[ProblemT]):
    """A domain that can draw near-goal problems. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def near_goal_problem(self, n: int, rng: random.Random) -> ProblemT:
        """Draw a near-goal problem of size `n` with `rng`; it may start at the goal."""


def near_goal_problem(domain: Domain[Any, Any, Any, Any], n: int, seed: int = 0) -> Any:
    """The near-goal problem of size `n` that `seed` draws.

    Raises:
        UsageError: If the size is out of range, or the domain has no near-goal problems.
    """
    domain.check_size(n)
    if not isinstance(domain, NearGoal):
        raise UsageError(f"{domain.name} has no near-goal problems", remedy="leave out --near-goal")
    # The text seeds the draw: with another one, recorded commands would draw other problems.
    return domain.near_goal_problem(n, random.Random(f"{domain.name} nearly solved {n} {seed}"))
