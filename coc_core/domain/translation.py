"""Problems that were written for other programs, such as planners, as problems of coc."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from attrs import frozen

from coc_core.domain.base import Domain
from coc_core.domain.plans import PlanFormat


@frozen
class Translation(ABC):
    """A problem in another language, as one of coc's.

    Attributes:
        language: The name of the other language: of its translator, and of the plan format that its plans have.
        domain: The name of coc's domain.
        problem: The problem, as `--problem` takes it.
        exact: Whether it is the same problem. Otherwise plans have to be checked in the words of the other one.
    """

    language: ClassVar[str]

    domain: str
    problem: str
    exact: bool

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short text that differs if plans are written in other words."""

    @abstractmethod
    def plan_format(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> PlanFormat[Any, Any, Any]:
        """Return how plans are written in the words of the other language's problem."""

    @abstractmethod
    def check(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> Callable[[Any], None]:
        """Return a listener that raises ActionFault for an action illegal there, or an end that is not the goal."""
