"""How a domain of coc is written in PDDL, and how a problem in PDDL becomes one of coc's.

What a model knows of coc's domain is public: the texts of its problems and of its physical moves, and its scenes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from attrs import frozen

from coc_core.domain import Scene
from coc_planning.lifted import Atom, Facts, Lifted

Action = tuple[str, tuple[str, ...]]
"""An operator's name, and its arguments."""


@frozen
class Reading:
    """A problem of coc, as text, and for each of the model's objects the name that the other problem has for it."""

    problem: str
    names: Mapping[str, str]


class PlanningModel(ABC):
    """A domain of coc in PDDL.

    Attributes:
        domain: The name of coc's domain.
    """

    domain: ClassVar[str]

    @abstractmethod
    def lifted(self, problem: Any) -> Lifted:
        """The domain as coc writes it for a problem."""

    @abstractmethod
    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        """The forms that the domain may have elsewhere, for one that looks like `theirs`."""

    @abstractmethod
    def facts(self, problem: Any, scene: Scene) -> Facts:
        """A problem as coc writes it, whose first state has this scene. All atoms that hold are in it."""

    @abstractmethod
    def action(self, scene: Scene, move: str) -> Action:
        """What a physical move of coc's is in PDDL, in a state with this scene."""

    @abstractmethod
    def move(self, scene: Scene, action: Action) -> str:
        """The physical move of coc's that an action in PDDL is; ValueError if there is no such operator or object."""

    @abstractmethod
    def read(self, facts: Facts) -> Reading:
        """Read a problem that is in the words of one of the variants.

        The facts need not be checked against each other: a reading whose own facts are others is refused.

        Raises:
            UnsupportedError: coc's domain has no such problem; the message says why.
        """

    def writer(self) -> Callable[[Scene, str], Action | None]:
        """What writes a plan: called with each move in order, it gives the action; None if a later one covers it."""
        return self.action

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.domain})"


def renamed(atoms: Iterable[Atom], names: Mapping[str, str]) -> list[Atom]:
    """The same atoms over other objects."""
    return [Atom(atom.predicate, tuple(names[each] for each in atom.arguments)) for atom in atoms]
