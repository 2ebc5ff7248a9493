"""How a domain of coc is written in PDDL, and how a problem in PDDL becomes one of coc's.

What a model knows of coc's domain is public: the texts of its problems and of its physical moves, and its scenes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from attrs import frozen

from coc_core.domain import Scene
from coc_planning.lifted import Facts, Lifted
from coc_planning.pddl.task import Atom

Action = tuple[str, tuple[str, ...]]
"""An operator's name, and its arguments."""

LazyScene = Callable[[], Scene]
"""What gives the scene of the state that a move is made in, if it is needed."""

Writer = Callable[[LazyScene, str], Sequence[Action]]
"""What writes one plan: given each physical move in order, it gives the actions that it completes."""

Reader = Callable[[LazyScene, Action], str | None]
"""What reads one plan: given each action in order, it gives the physical move, or None while that goes on; ValueError
if there is no such operator or object.
"""


@frozen
class Reading:
    """A problem of coc, as text, and for each of the model's objects the name that the other problem has for it."""

    problem: str
    names: Mapping[str, str]


class PlanningModel(ABC):
    """A domain of coc in PDDL.

    Attributes:
        domain: The name of coc's domain.
        reads: Whether planning problems are solved as problems of this domain without its being named.
        forms: The forms that the domain may have; coc writes the first one.
    """

    domain: ClassVar[str]
    reads: ClassVar[bool] = True
    forms: Sequence[Lifted] = ()

    @abstractmethod
    def facts(self, problem: Any, scene: Scene) -> Facts:
        """Return a problem as coc writes it, whose first state has this scene. All atoms that hold are in it."""

    @abstractmethod
    def read(self, facts: Facts) -> Reading:
        """Read a problem that is in the words of one of the forms.

        The facts need not be checked against each other: a reading whose own facts are others is refused.

        Raises:
            UnsupportedError: coc's domain has no such problem; the message says why.
        """

    @abstractmethod
    def writer(self, problem: Any) -> Writer:
        """Return what writes one plan for a problem."""

    @abstractmethod
    def reader(self, problem: Any) -> Reader:
        """Return what reads one plan for a problem."""

    def typed(self, problem: Any) -> frozenset[Atom]:
        """Return which objects must be of which types, for forms that have types."""
        return frozenset()


class HasPlanningModel(ABC):
    """A domain that says how it is written in PDDL. Its `DomainSpec` has `pddl` among the `plan_formats`."""

    @property
    @abstractmethod
    def planning_model(self) -> PlanningModel:
        """The model."""


class SingleMoves(PlanningModel):
    """A domain of which each physical move is one action in PDDL."""

    @abstractmethod
    def action(self, scene: LazyScene, move: str) -> Action:
        """Return what a physical move of coc's is in PDDL, in a state with this scene."""

    @abstractmethod
    def move(self, scene: LazyScene, action: Action) -> str:
        """Return the physical move that an action in PDDL is; ValueError without such an operator or object."""

    def writer(self, problem: Any) -> Writer:
        return lambda scene, move: (self.action(scene, move),)

    def reader(self, problem: Any) -> Reader:
        return lambda scene, action: self.move(scene, action)


def renamed(atoms: Iterable[Atom], names: Mapping[str, str]) -> list[Atom]:
    """Return the same atoms over other objects."""
    return [Atom(atom.predicate, tuple(names[each] for each in atom.arguments)) for atom in atoms]


Piles = Sequence[Sequence[str]]
"""Places, or bases, each with what lies there from the bottom up."""


def on(piles: Iterable[Sequence[str]]) -> list[Atom]:
    """Return what lies on what, from the bottom up."""
    return [Atom("on", (upper, lower)) for pile in piles for lower, upper in pairwise(pile)]


def standing(piles: Piles) -> set[Atom]:
    """Return all atoms that hold of piles."""
    return {*on(piles), *(Atom("clear", (pile[-1],)) for pile in piles)}
