"""A planning task as data: typed objects, actions with any conditions and effects of ADL, the start and the goal."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal

from attrs import evolve, field, frozen

EQUALS = "="
"""The predicate of two things that are the same. It needs no declaration."""
OBJECT = "object"
"""The type of everything."""
COST = "total-cost"
"""The function that actions increase by what they cost."""


Types = tuple[str, ...]
"""The type of a name; several, of which it has any one, where `either` is written."""


@frozen(order=True, cache_hash=True)
class Atom:
    """A predicate with its arguments: variables, which begin with a question mark, and objects."""

    predicate: str
    arguments: tuple[str, ...]
    parts: ClassVar[tuple[()]] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments))})"


@frozen
class Connective:
    """A formula of others, in a line of the file."""

    kind: Literal["and", "or", "not", "imply"]
    parts: "tuple[Formula, ...]"
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        return f"({' '.join((self.kind, *map(str, self.parts)))})"


@frozen
class Quantified:
    """A formula about all or some objects of some types. No variable of it has the name of another one around it."""

    kind: Literal["forall", "exists"]
    variables: Mapping[str, Types]
    body: "Formula"
    line: int = field(default=0, eq=False)

    @property
    def parts(self) -> "tuple[Formula]":
        """The body."""
        return (self.body,)

    @cached_property
    def conditions(self) -> "Conditions":
        """What holds of the objects that an `exists` looks for, or of those that a `forall` must not find."""
        return conditions_of(self.body if self.kind == "exists" else negated(self.body))

    def __str__(self) -> str:
        return f"({self.kind} ({' '.join(map(_typed, self.variables.items()))}) {self.body})"


Formula = Atom | Connective | Quantified
Conditions = tuple[tuple[Formula, frozenset[str]], ...]
"""The formulas of a conjunction, each with its variables."""
TRUE = Connective("and", ())


@frozen
class Operation:
    """A sum, difference, product or quotient of one or more values."""

    kind: str
    parts: "tuple[Value, ...]"


Value = Fraction | Atom | Operation
"""A number, a function with its arguments, or what is computed of them."""


@frozen
class Effect:
    """What becomes true and false, and by how much the cost grows, for all values of some variables, on a condition."""

    variables: Mapping[str, Types]
    condition: Formula
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    costs: tuple[Value, ...]
    line: int = field(default=0, eq=False)

    @cached_property
    def conditions(self) -> Conditions:
        """What has to hold of the variables."""
        return conditions_of(self.condition)


@frozen
class Action:
    """An action with its parameters."""

    name: str
    parameters: Mapping[str, Types]
    precondition: Formula
    effects: tuple[Effect, ...]

    @cached_property
    def conditions(self) -> tuple[Formula, ...]:
        """The formulas that the precondition is made of."""
        return tuple(conjuncts(self.precondition))


@frozen(repr=False)
class Task:
    """A domain and one of its problems.

    Attributes:
        domain: The name of the domain.
        name: The name of the problem.
        files: The files that they are in.
        supertypes: For each type, those that it is a part of, itself among them.
        objects: The type of each object.
        predicates: The types of the arguments of each predicate.
        actions: The actions by name.
        initial: The atoms that hold at the start.
        numbers: The values of functions at the start.
        goal: What shall hold in the end.
        metric: Whether less or more is better, and of what; None if the file does not say.
        derived: The rules of derived predicates. Those of one group need of later ones nothing, and of one another
            nothing that shall not hold.
        notes: What is odd in the files, and does no harm.
    """

    domain: str
    name: str
    files: tuple[str, str]
    supertypes: Mapping[str, frozenset[str]]
    objects: Mapping[str, Types]
    predicates: Mapping[str, tuple[Types, ...]]
    actions: Mapping[str, Action]
    initial: frozenset[Atom]
    numbers: Mapping[Atom, Fraction]
    goal: Formula
    metric: tuple[str, Value] | None
    derived: tuple[tuple[Effect, ...], ...] = ()
    notes: tuple[str, ...] = ()
    _of: dict[Types, Mapping[str, None]] = field(factory=dict, eq=False, init=False)

    def has_type(self, name: str, types: Types) -> bool:
        """Return whether an object is of one of some types."""
        return any(kind in self.supertypes[own] for own in self.objects[name] for kind in types)

    def of(self, types: Types) -> Mapping[str, None]:
        """Return the objects of one of some types."""
        if types not in self._of:
            self._of[types] = {name: None for name in self.objects if self.has_type(name, types)}
        return self._of[types]


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the formulas that a conjunction is made of."""
    if isinstance(formula, Connective) and formula.kind == "and":
        for each in formula.parts:
            yield from conjuncts(each)
    else:
        yield formula


def conditions_of(formula: Formula) -> Conditions:
    """Return the formulas that a conjunction is made of, each with its variables."""
    return tuple((each, variables_of(each)) for each in conjuncts(formula))


def negated(formula: Formula) -> Formula:
    """Return the opposite of a formula, whose outermost word is not `not` unless it is one of an atom."""
    match formula:
        case Connective(kind="not", parts=(part,)):
            return part
        case Connective(kind="and" | "or" as kind, parts=parts):
            return Connective("or" if kind == "and" else "and", tuple(map(negated, parts)))
        case Connective(kind="imply", parts=(condition, result)):
            return Connective("and", (condition, negated(result)))
        case Quantified(kind=kind):
            return evolve(formula, kind="exists" if kind == "forall" else "forall", body=negated(formula.body))
    return Connective("not", (formula,))


def variables_of(formula: Formula) -> frozenset[str]:
    """Return the variables that a formula has and does not quantify."""
    if isinstance(formula, Atom):
        return frozenset(each for each in formula.arguments if each.startswith("?"))
    found = frozenset[str]().union(*map(variables_of, formula.parts))
    return found - formula.variables.keys() if isinstance(formula, Quantified) else found


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Yield the atoms in a formula."""
    if isinstance(formula, Atom):
        yield formula
    for each in formula.parts:
        yield from atoms_of(each)


def with_values(formula: Formula, values: Mapping[str, str]) -> Formula:
    """Return a formula with objects in place of variables."""
    match formula:
        case Atom(predicate=name, arguments=arguments):
            return Atom(name, tuple(values.get(each, each) for each in arguments))
        case Connective(parts=parts):
            return evolve(formula, parts=tuple(with_values(each, values) for each in parts))
        case Quantified(body=body):
            return evolve(formula, body=with_values(body, values))


def _typed(variable: tuple[str, Types]) -> str:
    name, types = variable
    kind = types[0] if len(types) == 1 else f"(either {' '.join(types)})"
    return name if kind == OBJECT else f"{name} - {kind}"
