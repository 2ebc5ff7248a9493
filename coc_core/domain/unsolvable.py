"""Problems without a solution: a domain may know why there is none, and then no step of a run is taken."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from coc_core.domain.base import Domain

ProblemT = TypeVar("ProblemT")


class KnowsUnsolvable(ABC, Generic[ProblemT]):
    """A domain with problems that nothing can solve. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def unsolvable(self, problem: ProblemT) -> str | None:
        """Why no plan solves the problem, in one line of printable ASCII; None if one does.

        All other methods have to work for such a problem, too: a run shows its first state and its first window.
        """


def why_unsolvable(domain: Domain[Any, Any, Any, Any], problem: Any) -> str | None:
    """Why no plan solves the problem, in one line; None if one does, or if the domain can't tell."""
    return domain.unsolvable(problem) if isinstance(domain, KnowsUnsolvable) else None
