"""Problems that were written for other programs, such as planners, as problems of coc."""

from abc import ABC, abstractmethod
from typing import Any

from attrs import frozen

from coc_core.domain.base import Domain
from coc_core.domain.plans.format import PlanFormat


@frozen
class Translation(ABC):
    """A problem in another language, as one of coc's.

    Attributes:
        domain: The name of coc's domain.
        problem: The problem, as `--problem` takes it.
    """

    domain: str
    problem: str

    @abstractmethod
    def plan_format(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> PlanFormat[Any, Any, Any]:
        """How plans are written in the words of the other language's problem."""
