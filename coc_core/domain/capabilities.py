"""What a domain may offer beside the interface: a class for each, from which it inherits beside `Domain`.

Each comes with the function that the rest of coc calls, which says what holds for a domain that does not offer it; that
of `HasSource` is a method of the convention.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic

from coc_core.domain.base import Domain, InstructionT, ProblemT, StateT
from coc_core.domain.scenes import HasScenes, Scene


class KnowsUnsolvable(ABC, Generic[ProblemT]):
    """A domain with problems that nothing can solve. Of a run of one, no step is taken."""

    @abstractmethod
    def unsolvable(self, problem: ProblemT) -> str | None:
        """Return why no plan solves the problem, in one line of printable ASCII; None if one does.

        All other methods have to work for such a problem, too: a run shows its first state and its first window.
        """


def why_unsolvable(domain: Domain[Any, Any, Any, Any], problem: Any) -> str | None:
    """Return why no plan solves the problem, in one line; None if one does, or if the domain can't tell."""
    return domain.unsolvable(problem) if isinstance(domain, KnowsUnsolvable) else None


class ReadsText(ABC, Generic[ProblemT]):
    """A domain whose problems people write in a language of its own, over several lines."""

    @abstractmethod
    def read(self, text: str) -> ProblemT:
        """Return the problem that a text states; ValueError if it states none."""

    def texts(self, lines: Iterable[tuple[int, str]]) -> Iterable[tuple[int, str]]:
        """Return the problems in a file of several, each with the number of its first line: by default, one a line.

        Args:
            lines: The lines that are not blank, with their numbers, counted from 1.
        """
        return lines


class HasAnswer(ABC, Generic[ProblemT, StateT]):
    """A domain whose runs find something out, such as what a program prints."""

    @abstractmethod
    def answer(self, state: StateT) -> str:
        """Return what has been found out so far."""

    @abstractmethod
    def added(self, before: StateT, after: StateT) -> str:
        """Return what the answer has gained at its end from one state to a later one."""

    @abstractmethod
    def doubt(self, problem: ProblemT, state: StateT) -> str:
        """Return why the answer of a run that has ended is not right, in one line; empty if `is_goal` holds."""


def doubt_about(domain: Domain[Any, Any, Any, Any], problem: Any, state: Any) -> str:
    """Return why the answer of a run that has ended is not right, in one line; empty if there is nothing to say."""
    return domain.doubt(problem, state) if isinstance(domain, HasAnswer) else ""


class HasSource(ABC, Generic[InstructionT]):
    """A domain each of whose steps begins at a line of its author's source. Traces and faults name the line."""

    @abstractmethod
    def source_of(self, instruction: InstructionT) -> str:
        """Return where the step for an instruction begins, such as `maze.py:42 in search.3`; empty if nowhere."""


TEXT_WIDTH = 100
"""The width in characters of a scene that is text."""


def scene_of(domain: Domain[Any, Any, Any, Any], state: Any) -> Scene:
    """Return the scene of a state; without scenes, its picture as text."""
    return domain.scene(state) if isinstance(domain, HasScenes) else Scene(text=domain.render(state, TEXT_WIDTH))
