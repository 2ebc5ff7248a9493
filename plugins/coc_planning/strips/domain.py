"""A domain whose actions are STRIPS operators, its states: the atoms that hold, and what it is in PDDL."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from attrs import evolve, field, frozen, make_class

from coc_core.domain import Assignment, HasOperators, HasScenes, Operator, Scene
from coc_core.errors import ActionFault, UnsupportedError
from coc_core.text import Codec, Form, Forms, message_of, quoted
from coc_planning.lifted import Facts, Lifted, Operator as Schema, matches
from coc_planning.models.base import Action, HasPlanningModel, LazyScene, PlanningModel, Reading, SingleMoves, renamed
from coc_planning.pddl.task import Atom
from coc_planning.strips.drawing import Drawing
from coc_problems import ReadsMoves

ProblemT = TypeVar("ProblemT")
InstructionT = TypeVar("InstructionT")


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", text, re.ASCII):
        raise ValueError(f"{quoted(text, 60)} is not a name: a small letter, then small letters, digits, - and _")
    return text


NAME = Codec(_name, pattern="[a-z][a-z0-9_-]*")
"""The name of an object."""


def action(head: str, needs: str, adds: str, deletes: str) -> type[Any]:
    """Make the class of the actions of an operator, with a field for each parameter.

    Args:
        head: The operator's name and its parameters, such as `board ?car ?place`.
        needs: The atoms that must hold before, such as `(at ?car ?place) (at-ferry ?place)`.
        adds: The atoms that hold afterwards.
        deletes: The atoms that do not hold afterwards.
    """
    schema = Schema.of(head, needs, adds, deletes)
    fields = [name.removeprefix("?") for name in schema.parameters]
    return make_class(schema.name.title().replace("-", ""), fields, frozen=True, class_body={"schema": schema})


Fact = tuple[Any, ...]
"""A predicate, and the names or the numbers of its objects."""


@frozen
class State:
    """A state: the names of objects, `names[number - 1]`; what holds of what actions change, and what once did; the
    rest; and the goal.
    """

    names: tuple[str, ...] = field(repr=False)
    holding: frozenset[Fact]
    fixed: frozenset[Fact] = field(repr=False)
    ended: frozenset[Fact] = field(default=frozenset(), eq=False)
    goal: Sequence[Atom] = field(default=(), eq=False, repr=False)

    @property
    def atoms(self) -> list[Atom]:
        """All that holds, in words."""
        return sorted(map(self.words, self.holding | self.fixed))

    def words(self, fact: Fact) -> Atom:
        """Return an atom with the names of its objects, or their numbers if there are no such objects."""
        predicate, *objects = fact
        return Atom(predicate, tuple(each if isinstance(each, str) else self._name(each) for each in objects))

    def _name(self, number: int) -> str:
        return self.names[number - 1] if number <= len(self.names) else f"object {number}"


class StripsDomain(
    HasOperators[ProblemT, InstructionT, Any, State], HasScenes[State], ReadsMoves[Any, State], HasPlanningModel
):
    """A domain whose actions are made by `action`. Its states are sets of atoms.

    An author states the operators, and how problems are written as atoms and read from them. The rules, the goal, the
    texts of the actions, and PDDL follow. Its `DomainSpec` has `plan_formats=("pddl",)`.
    """

    operators: ClassVar[Sequence[type[Any]]]
    """The classes of the actions."""
    variants: ClassVar[Sequence[Sequence[type[Any]]]] = ()
    """Operators that files may have in place of these. A plan must be one by either."""
    picture: ClassVar[Drawing | None] = None
    """How states are drawn."""
    numbered: ClassVar[bool] = False
    """Whether actions have the numbers of objects, from 1, in place of their names."""
    lifted: ClassVar[Lifted]
    """The operators as a planning domain."""
    _changing: ClassVar[set[str]]

    def __init_subclass__(cls, **arguments: Any) -> None:
        if "operators" in cls.__dict__:
            cls.actions = Forms(*(_form(each, cls.codecs(each.schema)) for each in cls.operators))
            cls.lifted = Lifted.of(cls.name, *(each.schema for each in cls.operators))
            cls._changing = cls.lifted.changing
        super().__init_subclass__(**arguments)

    @abstractmethod
    def facts(self, problem: ProblemT) -> Facts:
        """Return a problem as atoms: the names of its objects, all that holds at the start, and the goal."""

    @abstractmethod
    def problem_of(self, facts: Facts) -> tuple[ProblemT, Sequence[str]]:
        """Return the problem that some atoms are, whatever its objects are called, and these in the order of `facts`.

        You need no checks: coc refuses a file that `facts` can't reproduce.

        Raises:
            ValueError: There is no such problem; the message says why. Or LookupError, which needs no message.
        """

    @classmethod
    def codecs(cls, schema: Schema) -> Mapping[str, Codec[Any]]:
        """Return how actions name the object for each parameter: by default, as problems do."""
        return dict.fromkeys(schema.parameters, NAME)

    @property
    def planning_model(self) -> PlanningModel:
        return StripsModel(self)

    def initial(self, problem: ProblemT) -> State:
        given = self.facts(problem)
        facts = frozenset(self._put(given.objects, given.initial))
        holding = frozenset(fact for fact in facts if fact[0] in self._changing)
        return State(given.objects, holding, facts - holding, goal=given.goal)

    def is_goal(self, problem: ProblemT, state: State) -> bool:
        goal = self._put(state.names, self.facts(problem).goal)
        return all(fact in state.holding or fact in state.fixed for fact in goal)

    def variables(self, state: State) -> Assignment:
        """Return whether each atom holds that ever held."""
        return dict.fromkeys(state.ended, False) | dict.fromkeys(state.holding | state.fixed, True)

    def operator(self, action: Any) -> Operator:
        needs, adds, deletes = _grounded(action)
        return Operator(dict.fromkeys(needs, True), {**dict.fromkeys(deletes, False), **dict.fromkeys(adds, True)})

    def assign(self, state: State, sets: Assignment) -> State:
        adds = {fact for fact, holds in sets.items() if holds}
        ended = state.ended.union(sets) - adds
        return evolve(state, holding=state.holding.difference(sets) | adds, ended=ended)

    def taking(self, operator: Operator) -> Callable[[State], State | None]:
        needs = {fact for fact in operator.needs if fact[0] in self._changing}
        fixed = operator.needs.keys() - needs

        def take(state: State) -> State | None:
            return self.assign(state, operator.sets) if state.holding >= needs and state.fixed >= fixed else None

        return take

    def why_illegal(self, state: State, action: Any) -> str:
        missing = min(state.words(fact) for fact in _grounded(action)[0] - state.holding - state.fixed)
        return f"{missing} does not hold"

    def every_action(self, state: State) -> Iterable[Any]:
        holding: dict[str, dict[Fact, None]] = {}
        for predicate, *objects in sorted(state.holding | state.fixed):
            holding.setdefault(predicate, {})[tuple(objects)] = None
        for made in self.operators:
            # Atoms of many arguments come first, since they leave the fewest choices to those of one.
            needs = sorted(made.schema.needs, key=lambda atom: -len(atom.arguments))
            for found in matches(needs, holding, {}):
                yield made(*(found[name] for name in made.schema.parameters))

    def effect(self, state: State, action: Any) -> str | None:
        """Return the operator, and the names of the objects; None if it changes nothing."""
        _, adds, deletes = _grounded(action)
        if state.holding >= adds and state.holding.isdisjoint(deletes - adds):
            return None
        objects = (getattr(action, name.removeprefix("?")) for name in action.schema.parameters)
        written = state.words((action.schema.name, *objects))
        return " ".join((written.predicate, *written.arguments))

    def actions_for(self, state: State, move: str) -> Sequence[Any]:
        name, *words = move.split(" ")
        objects = self._objects(state.names)
        for made in self.operators:
            if (made.schema.name, len(made.schema.parameters)) == (name, len(words)):
                if unknown := [word for word in words if word not in objects]:
                    raise ActionFault(f"there is no object {unknown[0]:.60}")
                return (made(*map(objects.__getitem__, words)),)
        heads = ", ".join(" ".join((made.schema.name, *made.schema.parameters)) for made in self.operators)
        raise ValueError(f"{quoted(move)} is not one of {heads}")

    def scene(self, state: State) -> Scene:
        """Return the picture or, without one, what holds of what an action may change."""
        holding = [*map(state.words, sorted(state.holding))]
        if self.picture is None:
            return Scene(text=" ".join(map(str, sorted(holding))) or "()")
        shown = self.picture.predicates
        fixed = [state.words(fact) for fact in sorted(state.fixed) if fact[0] in shown or len(fact) == 2]
        return self.picture.scene(state.names, holding, fixed, state.goal)

    def _objects(self, names: Sequence[str]) -> Mapping[str, Any]:
        """Return what actions have for each object."""
        return {name: number if self.numbered else name for number, name in enumerate(names, 1)}

    def _put(self, names: Sequence[str], atoms: Iterable[Atom]) -> Iterator[Fact]:
        objects = self._objects(names)
        return ((atom.predicate, *map(objects.__getitem__, atom.arguments)) for atom in atoms)


def _form(made: type[Any], codecs: Mapping[str, Codec[Any]]) -> Form[Any]:
    fields = {name.removeprefix("?"): codec for name, codec in codecs.items()}
    return Form.of(made, " ".join((made.schema.name, *(f"{{{name}}}" for name in fields))), **fields)


def _grounded(action: Any) -> tuple[set[Fact], ...]:
    """Return what an action needs, adds and deletes."""
    schema: Schema = action.schema
    objects = {name: getattr(action, name.removeprefix("?")) for name in schema.parameters}
    parts = (schema.needs, schema.adds, schema.deletes)
    return tuple({(atom.predicate, *map(objects.__getitem__, atom.arguments)) for atom in part} for part in parts)


class StripsModel(SingleMoves):
    """A domain whose moves are actions in PDDL without parentheses."""

    def __init__(self, domain: StripsDomain[Any, Any]) -> None:
        self.domain = domain.name  # type: ignore[misc]
        others = (Lifted.of(domain.name, *(each.schema for each in some)) for some in domain.variants)
        self.forms = (domain.lifted, *others)
        self._stated = domain

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return self._stated.facts(problem)

    def read(self, facts: Facts) -> Reading:
        try:
            problem, objects = self._stated.problem_of(facts)
        except LookupError:
            raise UnsupportedError(f"{self.domain} has no problem like it") from None
        except ValueError as error:
            raise UnsupportedError(message_of(error)) from None
        ours = self._stated.facts(problem)
        if len({*objects} & {*facts.objects}) != len(ours.objects):
            raise UnsupportedError(f"its objects are not those of a problem of {self.domain}")
        names = dict(zip(ours.objects, objects, strict=True))
        if wrong := {*renamed(ours.goal, names)} ^ {*facts.goal}:
            has = "lacks" if min(wrong) not in facts.goal else "has"
            raise UnsupportedError(f"the goal {has} {min(wrong)}, so this is not a problem of {self.domain}")
        return Reading(self._stated.problems.format(problem), names)

    def action(self, scene: LazyScene, move: str) -> Action:
        name, *arguments = move.split(" ")
        return name, tuple(arguments)

    def move(self, scene: LazyScene, action: Action) -> str:
        return " ".join((action[0], *action[1]))
