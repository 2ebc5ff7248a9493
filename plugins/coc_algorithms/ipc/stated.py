"""Domains of the planning competitions: stated as operators, and solved by programs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self, TypeVar

from attrs import frozen

from coc_algorithms.shared import linked as linked
from coc_core.domain import KnowsUnsolvable
from coc_core.text import Codec, Form, Forms, item_codec, list_of, quoted
from coc_planning.lifted import Operator as Schema
from coc_planning.models import renamed
from coc_planning.pddl.task import Atom
from coc_planning.strips import NAME, Facts, State, StripsDomain, action as action
from coc_programs import Program, Record

MOST_OBJECTS = 10_000


def _parse(text: str) -> Atom:
    predicate, *arguments = text.split(" ")
    return Atom(predicate, tuple(map(NAME.parse, arguments)))


ATOMS = list_of(Codec(_parse, lambda atom: " ".join((atom.predicate, *atom.arguments))), "atom")
Atoms = Annotated[tuple[Atom, ...], ATOMS]


@frozen(slots=False)
class Task:
    """A problem. A subclass has `kinds`, and a method `check` that says what has to be true of it.

    Attributes:
        start: All atoms that hold at the start. One of them says of which kind each object is.
        goal: The atoms that shall hold in the end.
    """

    kinds: ClassVar[Sequence[str]]
    """The predicates that say of which kind an object is."""
    signatures: ClassVar[Mapping[str, Sequence[Collection[str]]]]
    """The kinds that each argument of each predicate may be of."""

    functions: ClassVar[Mapping[str, int]] = {}
    """How many first arguments decide on the others, for each predicate of which that is so."""

    start: Atoms
    goal: Atoms

    def __attrs_post_init__(self) -> None:
        for atom in (*self.start, *self.goal):
            if len(self.signatures.get(atom.predicate, "?" * 9)) != len(atom.arguments):
                known = ", ".join(f"{name} {len(kinds)}" for name, kinds in self.signatures.items())
                raise ValueError(f"{quoted(str(atom), 80)} is none of these, with so many arguments: {known}")
        if len({*self.start}) < len(self.start):
            raise ValueError("an atom is twice in the start")
        if len(self.objects) > MOST_OBJECTS:
            raise ValueError(f"{len(self.objects):,} objects are too many; the limit is {MOST_OBJECTS:,}")
        for atom in (*self.start, *self.goal):
            for name, kinds in zip(atom.arguments, self.signatures[atom.predicate], strict=True):
                if name not in self.kind_of:
                    raise ValueError(f"{quoted(name, 60)} is none of {', '.join(self.kinds)}")
                if self.kind_of[name] not in kinds and atom.predicate not in self.kinds:
                    raise ValueError(f"{quoted(str(atom), 80)}: {name:.60} is a {self.kind_of[name]}")
        if both := self._conflict(self.start):
            raise ValueError(both)
        self.check()

    def check(self) -> None:
        """Raise ValueError, with the reason, for what is no problem of the domain."""

    @property
    def impossible(self) -> str | None:
        """Why nothing solves it, if its goals agree with each other; None if something does."""
        return None

    @property
    def contradiction(self) -> str | None:
        """Which goals can't hold together; None if all can."""
        return self._conflict(self.goal)

    def _conflict(self, atoms: Iterable[Atom]) -> str | None:
        first: dict[tuple[str, ...], Atom] = {}
        for atom in atoms:
            if atom.predicate in self.functions:
                key = (atom.predicate, *atom.arguments[: self.functions[atom.predicate]])
                if first.setdefault(key, atom) != atom:
                    return f"{first[key]} and {atom} can't both hold"
        return None

    def only(self, predicate: str, *, goal: bool = False) -> str | None:
        """Return the object that a predicate of one argument holds of; None if there is none."""
        found = self.holding(predicate, self.goal if goal else self.start)
        return found[0][0] if found else None

    def every(self, predicate: str) -> set[str]:
        """Return the objects that a predicate of one argument holds of at the start."""
        return {name for (name,) in self.holding(predicate)}

    def left(self, predicate: str) -> list[str]:
        """Return the objects that a predicate of one argument shall hold of in the end, and does not at the start."""
        wanted, done = dict.fromkeys(self.holding(predicate, self.goal)), self.every(predicate)
        return [name for (name,) in wanted if name not in done]

    def the(self, predicate: str) -> str:
        """Return the object that a predicate of one argument holds of at the start; ValueError if there is none."""
        found = self.only(predicate)
        if found is None:
            raise ValueError(f"({predicate} ...) is missing")
        return found

    @cached_property
    def kind_of(self) -> Mapping[str, str]:
        """The kind of each object, kind by kind."""
        found: dict[str, str] = {}
        if len(self.kinds) == 1:
            return {name: self.kinds[0] for atom in self.start for name in atom.arguments}
        for kind in self.kinds:
            for (name,) in self.holding(kind):
                if found.setdefault(name, kind) != kind:
                    raise ValueError(f"{quoted(name, 60)} is a {found[name]} and a {kind}")
        return found

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """The names of the objects. The first one has the number 1."""
        return tuple(self.kind_of)

    def of(self, kind: str) -> list[str]:
        """Return the names of the objects of a kind."""
        return [name for name, other in self.kind_of.items() if other == kind]

    def holding(self, predicate: str, atoms: Iterable[Atom] | None = None) -> list[tuple[str, ...]]:
        """Return the arguments of the atoms of a predicate at the start, or of others."""
        return [atom.arguments for atom in (self.start if atoms is None else atoms) if atom.predicate == predicate]

    def mapping(self, predicate: str, total: str = "", *, goal: bool = False) -> dict[str, str]:
        """Return the second argument by the first one, for a predicate of the start or the goal (its first atoms).

        Each object of the kinds `total` needs one.
        """
        found: dict[str, str] = {}
        for first, second in self.holding(predicate, self.goal if goal else self.start):
            found.setdefault(first, second)
        for name, kind in self.kind_of.items() if total else ():
            if kind in total.split() and name not in found:
                raise ValueError(f"({predicate} {name} ...) is missing")
        return found

    @classmethod
    def of_texts(cls, start: Iterable[str], goal: Iterable[str]) -> Self:
        """Return a problem of atoms such as `at p1 l1`."""
        return cls(tuple(map(_parse, start)), tuple(map(_parse, goal)))


class Placed(Task):
    """A problem of things that are at places, and belong at others."""

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Where each thing is at the start that is at a place."""
        return self.mapping("at")

    @cached_property
    def wanted(self) -> dict[str, str]:
        """Where things belong that shall be somewhere in the end."""
        return self.mapping("at", goal=True)


TaskT = TypeVar("TaskT", bound=Task)


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
