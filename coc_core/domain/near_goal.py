"""Problems that are nearly solved: what a uniform draw hardly ever meets, and each run comes to in the end.

A domain that can draw such problems says so by being `NearGoal`. They are there to learn from: what is left to do
is hardest to tell where almost nothing is.
"""

import random
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from coc_core.domain.base import Domain
from coc_core.errors import UsageError

ProblemT = TypeVar("ProblemT")


class NearGoal(ABC, Generic[ProblemT]):
    """A domain that can draw problems of which much is as the goal wants it."""

    @abstractmethod
    def near_goal_problem(self, n: int, rng: random.Random) -> ProblemT:
        """A problem of size `n`, drawn by `rng`; now and then one that is solved."""


def near_goal_problem(domain: Domain[Any, Any, Any, Any], n: int, seed: int = 0) -> Any:
    """The nearly solved problem of size `n` that `seed` draws; UsageError for a bad size or a domain without them."""
    domain.check_size(n)
    if not isinstance(domain, NearGoal):
        raise UsageError(f"{domain.name} draws no problems that are nearly solved", remedy="leave out --near-goal")
    return domain.near_goal_problem(n, random.Random(f"{domain.name} nearly solved {n} {seed}"))
