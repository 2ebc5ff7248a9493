"""Domains of the planning competitions: stated as operators, and solved by programs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, TypeVar

from coc_algorithms.ipc.tasks import Task
from coc_core.domain import KnowsUnsolvable
from coc_core.text import Codec, Form, Forms, item_codec
from coc_planning.lifted import Operator as Schema
from coc_planning.models import renamed
from coc_planning.strips import NAME, Facts, State, StripsDomain, action
from coc_programs import Program, Record

TaskT = TypeVar("TaskT", bound=Task)
RecordT = TypeVar("RecordT", bound=Record)

__all__ = ["Stated", "action", "linked"]


def linked(records: Iterable[RecordT], field: str = "next") -> RecordT | None:
    """Make a chain of records by one of their fields, and return the first one, or None."""
    found = list(records)
    for record, following in pairwise(found):
        setattr(record, field, following)
    return found[0] if found else None


class Stated(StripsDomain[TaskT, Any], Program[TaskT, Any, State], KnowsUnsolvable[TaskT]):
    """A domain whose objects are records of a class for each kind. Actions have their numbers."""

    task: ClassVar[type[Task]]
    classes: ClassVar[Mapping[str, type[Record]]]
    """The class of the records for the objects of each kind. The objects come first among the records, kind by kind."""
    parts: ClassVar[Mapping[str, str]] = {}
    """The kind that each other predicate of one argument is about, such as `{"airport": "location"}`."""
    counted: ClassVar[str]
    """The kind whose objects are counted for the size of a problem."""

    sizes = range(1, 1001)
    numbered = True

    def __init_subclass__(cls, **arguments: Any) -> None:
        cls.problems = Forms(Form.of(cls.task, "start={start} & goal={goal}"))
        cls.task.kinds, cls.task.signatures = tuple(cls.classes), cls._signatures()
        super().__init_subclass__(**arguments)

    @classmethod
    def _kinds_of(cls, schema: Schema) -> dict[str, str]:
        """Return the kind of each parameter of an operator."""
        kinds = {kind: kind for kind in cls.classes} | dict(cls.parts)
        known = {atom.arguments[0]: kinds[atom.predicate] for atom in schema.needs if atom.predicate in kinds}
        return {name: known.get(name, next(iter(cls.classes))) for name in schema.parameters}

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
    def codecs(cls, schema: Schema) -> Mapping[str, Codec[Any]]:
        return {name: item_codec(cls.classes[kind].letters, kind) for name, kind in cls._kinds_of(schema).items()}

    def facts(self, problem: TaskT) -> Facts:
        return Facts(problem.objects, frozenset(problem.start), problem.goal)

    def problem_of(self, facts: Facts) -> tuple[TaskT, Sequence[str]]:
        ours = {name: name for name in facts.objects}
        try:
            [*map(NAME.parse, ours)]
        except ValueError:
            ours = {name: f"o{number}" for number, name in enumerate(ours, 1)}
        names = {name: theirs for theirs, name in ours.items()}
        problem = self.task(tuple(renamed(sorted(facts.initial, key=str), ours)), tuple(renamed(facts.goal, ours)))
        return problem, [names[name] for name in problem.objects]  # type: ignore[return-value]

    def size(self, problem: TaskT) -> int:
        return len(problem.of(self.counted))

    def unsolvable(self, problem: TaskT) -> str | None:
        for atom in problem.goal:
            if atom.predicate not in self._changing and atom not in problem.start:
                return f"{atom} never holds"
        return problem.contradiction or problem.impossible
