"""Planning domains that are stated as operators, and solved by programs."""

import random
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import field, make_class

from coc_algorithms.planning.problem import Problem
from coc_algorithms.planning.world import World
from coc_core.domain import KnowsUnsolvable
from coc_core.text import Codec, Form, Forms, item_codec, quoted
from coc_planning.lifted import Operator as Schema
from coc_planning.models import renamed
from coc_planning.strips import NAME, Facts, State, StripsDomain
from coc_programs import Call, Program, Record

Drawn = tuple[Mapping[str, Iterable[str]], Iterable[str], Iterable[str]]
"""What `draw` returns: the objects of each kind, and the atoms of the start and of the goal, such as `at c1 l2`."""


def operators(text: str) -> list[type[Any]]:
    """Make the classes of the actions of operators, which take a record for each parameter.

    Args:
        text: The operators, one after the other. Each begins a line: its name and parameters, the atoms that must hold
            before, and those that hold afterwards, or do not. Types are as in PDDL, but a parameter without a type has
            its own name as its type, and `object` is no type:

                sail ?start ?end - location: (at-ferry ?start) -> (at-ferry ?end) (not (at-ferry ?start))
                board ?car ?location: (at ?car ?location) (at-ferry ?location) (empty-ferry)
                    -> (on ?car) (not (at ?car ?location)) (not (empty-ferry))
    """
    return [_operator(each) for each in re.findall(r"^\S.*(?:\n\s+.*)*", text, re.MULTILINE)]


def _operator(text: str) -> type[Any]:
    if not (found := re.fullmatch("([^(:]+):([^:>]*)->([^:>]*)", text)):
        raise ValueError(
            f"{quoted(text, 80)} is not of the form NAME ?PARAMETER ...: (NEEDED ...) ... -> (EFFECT ...) ..."
        )
    head, needs, effect = found.groups()
    name, *words = head.split()
    parameters = [word for word in words if word.startswith("?")]
    types = {each: each.removeprefix("?") for each in parameters}
    for several, kind in re.findall(r"((?:\?\S+ )+)- (\S+)", head):
        types |= dict.fromkeys(several.split(), kind)
    needs += "".join(f" ({kind} {each})" for each, kind in types.items() if kind != "object")
    adds = re.sub(r"\(not (\([^()]*\))\)", "", effect)
    deletes = "".join(re.findall(r"\(not (\([^()]*\))\)", effect))
    schema = Schema.of(" ".join((name, *parameters)), needs, adds, deletes)
    if unknown := {each for atom in schema.atoms() for each in atom.arguments} - {*parameters}:
        raise ValueError(f"{name} has no parameter {min(unknown)}")
    fields: dict[str, Any] = {each.removeprefix("?"): field(converter=_number) for each in parameters}
    return make_class(name.title().replace("-", ""), fields, frozen=True, class_body={"schema": schema})


def _number(record: Record | int) -> int:
    return record.number if isinstance(record, Record) else record


def _codec(letters: str, kind: str) -> Codec[Any]:
    item = item_codec(letters, kind)
    return Codec(item.parse, lambda value: item.format(_number(value)), item.pattern)


def named(prefix: str, count: int) -> list[str]:
    """Return so many names, such as `car1` and `car2`."""
    return [f"{prefix}{number}" for number in range(1, count + 1)]


class PlanningProgram(StripsDomain[Problem, Any], Program[Problem, Any, State], KnowsUnsolvable[Problem]):
    """A domain of operators, which `operators` makes, whose policy is a program over the objects of a problem.

    An author states the name, the operators, the procedure `main`, and what follows. A problem is refused unless it
    agrees with `exactly_one`, `at_most_one` and `goals`. In these, `?car` is each car, and `_` any object: exactly one
    of `(at ?car _) (on ?car)` says that each car is at one place, or on something.
    """

    classes: ClassVar[Mapping[str, type[Record]]]
    """The class of the records for the objects of each kind. The first kind is counted for the size of a problem."""
    parts: ClassVar[Mapping[str, str]] = {}
    """The kind of the objects of which another type of parameters is a part, such as `{"airport": "location"}`."""
    exactly_one: ClassVar[Sequence[str]] = ()
    """Of which atoms exactly one holds in each state."""
    at_most_one: ClassVar[Sequence[str]] = ()
    """Of which atoms at most one holds in each state."""
    goals: ClassVar[str]
    """The atoms that a goal may have, of those that actions change."""
    signatures: ClassVar[Mapping[str, Sequence[set[str]]]]
    """The kinds that each argument of each predicate may be of."""
    problem_class: ClassVar[type[Problem]]

    sizes = range(1, 1001)
    numbered = True

    @abstractmethod
    def build(self, world: World) -> Call:
        """Set the fields of the objects, make other records, and return the call that solves a problem.

        Raises:
            ValueError: The domain does not take such a problem; the message says why.
        """

    def impossible(self, world: World) -> str | None:
        """Return why nothing solves a problem, which has been built, if its goals agree; None if something does."""
        return None

    @abstractmethod
    def draw(self, n: int, rng: random.Random) -> Drawn:
        """Draw a problem with n objects of the first kind."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        if "operators" in cls.__dict__:
            body = {"domain": cls, "__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}.problem_class"}
            cls.problem_class = type("Problem", (Problem,), body)
            cls.problems = Forms(Form.of(cls.problem_class, "start={start} & goal={goal}"))
            cls.signatures = cls._signatures()
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
        return {name: _codec(cls.classes[kind].letters, kind) for name, kind in cls._kinds_of(schema).items()}

    def facts(self, problem: Problem) -> Facts:
        return Facts(tuple(problem.kind_of), frozenset(problem.start), problem.goal)

    def problem_of(self, facts: Facts) -> tuple[Problem, Sequence[str]]:
        ours = {name: name for name in facts.objects}
        try:
            [*map(NAME.parse, ours)]
        except ValueError:
            ours = {name: f"o{number}" for number, name in enumerate(ours, 1)}
        names = {name: theirs for theirs, name in ours.items()}
        start, goal = renamed(sorted(facts.initial, key=str), ours), renamed(facts.goal, ours)
        problem = self.problem_class(tuple(start), tuple(goal))
        return problem, [names[name] for name in problem.kind_of]

    def size(self, problem: Problem) -> int:
        return [*problem.kind_of.values()].count(next(iter(self.classes)))

    def _problem(self, n: int, rng: random.Random) -> Problem:
        objects, start, goal = self.draw(n, rng)
        kinds = (f"{kind} {name}" for kind, names in objects.items() for name in names)
        return self.problem_class.of_texts([*kinds, *start], goal)

    def begin(self, problem: Problem) -> tuple[Call, Sequence[Record]]:
        call, records, _ = problem.begun
        return call, records

    def unsolvable(self, problem: Problem) -> str | None:
        for atom in problem.goal:
            if atom.predicate not in self._changing and atom not in problem.start:
                return f"{atom} never holds"
        return problem.begun[2]
