"""Domains that are stated by operators: the rules, the texts of the actions, and PDDL follow from them."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, TypeVar

from attrs import field, frozen, make_class

from coc_core.domain import Assignment, HasOperators, KnowsUnsolvable, Operator, ReadsMoves
from coc_core.errors import ActionFault
from coc_core.program import Program, Record
from coc_core.text import Form, Forms, item_codec, quoted
from coc_ipc.tasks import Task
from coc_planning.lifted import Lifted, Operator as Schema
from coc_planning.models.base import HasPlanningModel, PlanningModel
from coc_planning.pddl.task import Atom

TaskT = TypeVar("TaskT", bound=Task)
RecordT = TypeVar("RecordT", bound=Record)

Fact = tuple[Any, ...]
"""A predicate, and the numbers of its objects."""


@frozen
class Facts:
    """A state.

    Attributes:
        names: The names of the objects: `names[number - 1]`.
        holding: What holds of what actions change.
        ended: What once held.
        fixed: What holds and never changes.
    """

    names: tuple[str, ...] = field(repr=False)
    holding: frozenset[Fact]
    fixed: frozenset[Fact] = field(repr=False)
    ended: frozenset[Fact] = field(default=frozenset(), eq=False)

    @property
    def atoms(self) -> list[Atom]:
        """All that holds, in words."""
        return sorted(map(self.words, self.holding | self.fixed))

    def words(self, fact: Fact) -> Atom:
        """An atom with the names of its objects, or their numbers if there are no such objects."""
        predicate, *numbers = fact
        most = len(self.names)
        return Atom(predicate, tuple(self.names[each - 1] if each <= most else f"object {each}" for each in numbers))


def action(head: str, needs: str, adds: str, deletes: str) -> type[Any]:
    """The class of the actions of an operator, given as `Operator.of` takes it, with a field for each parameter."""
    schema = Schema.of(head, needs, adds, deletes)
    fields = [name.removeprefix("?") for name in schema.parameters]
    return make_class(schema.name.title().replace("-", ""), fields, frozen=True, class_body={"schema": schema})


def linked(records: Iterable[RecordT], field: str = "next") -> RecordT | None:
    """Make a chain of records by one of their fields, and return the first one, or None."""
    found = list(records)
    for record, following in pairwise(found):
        setattr(record, field, following)
    return found[0] if found else None


class Stated(
    Program[TaskT, Any, Facts],
    HasOperators[TaskT, Any, Any, Facts],
    ReadsMoves[Any, Facts],
    KnowsUnsolvable[TaskT],
    HasPlanningModel,
):
    """A domain whose actions are made by `action`, and whose objects are records of a class for each kind."""

    task: ClassVar[type[Task]]
    kinds: ClassVar[Mapping[str, type[Record]]]
    """The class of the records for the objects of each kind. The objects come first among the records, kind by kind."""
    parts: ClassVar[Mapping[str, str]] = {}
    """The kind that each other predicate of one argument is about, such as `{"airport": "location"}`."""
    counted: ClassVar[str]
    """The kind whose objects are counted for the size of a problem."""
    operators: ClassVar[Sequence[type[Any]]]
    """The classes of the actions."""
    lifted: ClassVar[Lifted]

    sizes = range(1, 1001)

    def __init_subclass__(cls, **arguments: Any) -> None:
        cls.problems = Forms(Form.of(cls.task, "start={start} & goal={goal}"))
        cls.actions = Forms(*map(cls._form, cls.operators))
        cls.lifted = Lifted.of(cls.name, *(each.schema for each in cls.operators))
        cls.task.kinds, cls.task.signatures = tuple(cls.kinds), cls._signatures()
        super().__init_subclass__(**arguments)

    @classmethod
    def _kinds_of(cls, schema: Schema) -> dict[str, str]:
        """The kind of each parameter of an operator."""
        kinds = {kind: kind for kind in cls.kinds} | dict(cls.parts)
        known = {atom.arguments[0]: kinds[atom.predicate] for atom in schema.needs if atom.predicate in kinds}
        return {name: known.get(name, next(iter(cls.kinds))) for name in schema.parameters}

    @classmethod
    def _signatures(cls) -> dict[str, list[set[str]]]:
        found: dict[str, list[set[str]]] = {}
        for schema in (made.schema for made in cls.operators):
            kinds = cls._kinds_of(schema)
            for atom in schema.atoms():
                allowed = found.setdefault(atom.predicate, [set() for _ in atom.arguments])
                for name, several in zip(atom.arguments, allowed, strict=True):
                    several.add(kinds[name])
        return found

    @classmethod
    def _form(cls, made: type[Any]) -> Form[Any]:
        kinds = cls._kinds_of(made.schema)
        codecs = {name.removeprefix("?"): item_codec(cls.kinds[kind].letters, kind) for name, kind in kinds.items()}
        return Form.of(made, " ".join((made.schema.name, *(f"{{{name}}}" for name in codecs))), **codecs)

    @property
    def planning_model(self) -> PlanningModel:
        from coc_ipc.model import StatedModel  # runs do without

        return StatedModel(self.name, self.lifted)

    def size(self, problem: TaskT) -> int:
        return len(problem.of(self.counted))

    def unsolvable(self, problem: TaskT) -> str | None:
        changing = self._changing
        for atom in problem.goal:
            if atom.predicate not in changing and atom not in problem.start:
                return f"{atom} never holds"
        return problem.contradiction or problem.impossible

    def initial(self, problem: TaskT) -> Facts:
        facts = frozenset(_numbered(problem, problem.start))
        holding = frozenset(fact for fact in facts if fact[0] in self._changing)
        return Facts(problem.objects, holding, facts - holding)

    def is_goal(self, problem: TaskT, state: Facts) -> bool:
        return all(fact in state.holding or fact in state.fixed for fact in _numbered(problem, problem.goal))

    def variables(self, state: Facts) -> Assignment:
        """Whether each atom holds that ever held."""
        return dict.fromkeys(state.ended, False) | dict.fromkeys(state.holding | state.fixed, True)

    def operator(self, action: Any) -> Operator:
        needs, adds, deletes = _grounded(action)
        return Operator(dict.fromkeys(needs, True), {**dict.fromkeys(deletes, False), **dict.fromkeys(adds, True)})

    def assign(self, state: Facts, sets: Assignment) -> Facts:
        adds = {fact for fact, holds in sets.items() if holds}
        return Facts(state.names, state.holding.difference(sets) | adds, state.fixed, state.ended.union(sets) - adds)

    def taking(self, operator: Operator) -> Callable[[Facts], Facts | None]:
        needs = {fact for fact in operator.needs if fact[0] in self._changing}
        fixed = operator.needs.keys() - needs

        def take(state: Facts) -> Facts | None:
            return self.assign(state, operator.sets) if state.holding >= needs and state.fixed >= fixed else None

        return take

    def why_illegal(self, state: Facts, action: Any) -> str:
        missing = min(state.words(fact) for fact in _grounded(action)[0] - state.holding - state.fixed)
        return f"{missing} does not hold"

    def every_action(self, state: Facts) -> Iterable[Any]:
        by_predicate: dict[str, list[Fact]] = {}
        holding = state.holding | state.fixed
        for fact in sorted(holding):
            by_predicate.setdefault(fact[0], []).append(fact)
        for made in self.operators:
            for found in _matches(sorted(made.schema.needs, key=_breadth), by_predicate, holding, {}):
                yield made(*(found[name] for name in made.schema.parameters))

    def effect(self, state: Facts, action: Any) -> str | None:
        """The operator, and the names of the objects; None if it changes nothing."""
        _, adds, deletes = _grounded(action)
        if state.holding >= adds and state.holding.isdisjoint(deletes - adds):
            return None
        numbers = (getattr(action, name.removeprefix("?")) for name in action.schema.parameters)
        written = state.words((action.schema.name, *numbers))
        return " ".join((written.predicate, *written.arguments))

    def actions_for(self, state: Facts, move: str) -> Sequence[Any]:
        name, *words = move.split(" ")
        numbers = {word: number for number, word in enumerate(state.names, 1)}
        for made in self.operators:
            if (made.schema.name, len(made.schema.parameters)) == (name, len(words)):
                if unknown := [word for word in words if word not in numbers]:
                    raise ActionFault(f"there is no object {unknown[0]:.60}")
                return (made(*map(numbers.__getitem__, words)),)
        heads = ", ".join(" ".join((made.schema.name, *made.schema.parameters)) for made in self.operators)
        raise ValueError(f"{quoted(move)} is not one of {heads}")

    def render(self, state: Facts, width: int) -> str:
        """What holds of what an action may change."""
        words = sorted(map(state.words, state.holding))
        lines = textwrap.wrap(" ".join(map(str, words)), max(width, 20), break_on_hyphens=False)
        return "\n".join(lines) or "()"

    @cached_property
    def _changing(self) -> set[str]:
        """The predicates that actions change."""
        return {atom.predicate for made in self.operators for atom in (*made.schema.adds, *made.schema.deletes)}


def _numbered(task: Task, atoms: Iterable[Atom]) -> Iterator[Fact]:
    numbers = {name: number for number, name in enumerate(task.objects, 1)}
    return ((atom.predicate, *map(numbers.__getitem__, atom.arguments)) for atom in atoms)


def _grounded(action: Any) -> tuple[set[Fact], ...]:
    """What an action needs, adds and deletes."""
    schema: Schema = action.schema
    numbers = {name: getattr(action, name.removeprefix("?")) for name in schema.parameters}
    parts = (schema.needs, schema.adds, schema.deletes)
    return tuple({(atom.predicate, *map(numbers.__getitem__, atom.arguments)) for atom in part} for part in parts)


def _breadth(atom: Atom) -> int:
    """Atoms of many arguments come first, since they leave the fewest choices to those of one."""
    return -len(atom.arguments)


def _matches(
    needs: Sequence[Atom], by_predicate: Mapping[str, Sequence[Fact]], holding: Set[Fact], found: Mapping[str, int]
) -> Iterator[Mapping[str, int]]:
    """The objects for the variables of atoms with which all of them hold."""
    if not needs:
        yield found
        return
    names = needs[0].arguments
    facts = by_predicate.get(needs[0].predicate, ())
    if all(name in found for name in names):
        fact = (needs[0].predicate, *(found[name] for name in names))
        facts = (fact,) if fact in holding else ()
    for _, *numbers in facts:
        paired = dict(found)
        if all(paired.setdefault(*pair) == pair[1] for pair in zip(names, numbers, strict=True)):
            yield from _matches(needs[1:], by_predicate, holding, paired)
