"""A planning domain as data: predicates, and operators whose conditions and effects are sets of atoms."""

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from coc_core.errors import UsageError


class UnsupportedError(UsageError):
    """A planning problem that coc has no domain for; the message says what it lacks."""


@frozen(order=True)
class Atom:
    """A predicate with its arguments: variables in an operator, objects in a state."""

    predicate: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments))})"


PARTS = ("precondition", "negative precondition", "effect", "delete effect")
"""What an operator's atoms are, in the order of `Operator.parts`."""


@frozen
class Operator:
    """An operator.

    Attributes:
        name: Its name.
        parameters: Its variables, such as `?x`.
        needs: The atoms that must hold before.
        forbids: The atoms that must not hold before.
        adds: The atoms that hold afterwards.
        deletes: The atoms that do not hold afterwards.
    """

    name: str
    parameters: tuple[str, ...]
    needs: frozenset[Atom]
    forbids: frozenset[Atom]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]

    @classmethod
    def of(cls, head: str, needs: str, adds: str, deletes: str) -> "Operator":
        """An operator from texts, such as `pick-up ?x`, and atoms in parentheses."""
        name, *parameters = head.split()
        return cls(name, tuple(parameters), _atoms(needs), frozenset(), _atoms(adds), _atoms(deletes))

    @property
    def parts(self) -> tuple[frozenset[Atom], ...]:
        """The four sets of atoms."""
        return self.needs, self.forbids, self.adds, self.deletes

    def atoms(self) -> Iterator[Atom]:
        """All atoms, those of one set after those of another."""
        for part in self.parts:
            yield from part

    def __repr__(self) -> str:
        return f"Operator({' '.join((self.name, *self.parameters))})"


@frozen
class Lifted:
    """A domain: its name, how many arguments each predicate has, and its operators."""

    name: str
    predicates: Mapping[str, int]
    operators: tuple[Operator, ...]

    @classmethod
    def of(cls, name: str, *operators: Operator) -> "Lifted":
        """The domain of these operators, with the predicates that are in them."""
        predicates = {atom.predicate: len(atom.arguments) for each in operators for atom in each.atoms()}
        return cls(name, dict(sorted(predicates.items())), operators)

    def __repr__(self) -> str:
        return f"Lifted({self.name}, {len(self.operators)} operators)"


@frozen
class Facts:
    """A problem of a domain: its objects, what holds at the beginning, and what shall hold in the end."""

    objects: tuple[str, ...]
    initial: frozenset[Atom]
    goal: tuple[Atom, ...]

    def holding(self, predicate: str) -> list[tuple[str, ...]]:
        """The arguments of the atoms of a predicate that hold at the beginning."""
        return sorted(atom.arguments for atom in self.initial if atom.predicate == predicate)

    def pairs(self, predicate: str) -> dict[str, str]:
        """The second argument by the first one, for the atoms of a predicate of two that hold at the beginning."""
        return {first: second for first, second, *_ in self.holding(predicate)}

    def __repr__(self) -> str:
        return f"Facts({len(self.objects)} objects)"


def _atoms(text: str) -> frozenset[Atom]:
    found = (group.split() for group in re.findall(r"\(([^()]+)\)", text))
    return frozenset(Atom(name, tuple(arguments)) for name, *arguments in found)


def written_domain(domain: Lifted) -> str:
    """The domain in PDDL."""
    lines = [f"(define (domain {domain.name})", "  (:requirements :strips)", "  (:predicates"]
    for name, arity in domain.predicates.items():
        lines.append(f"    ({' '.join((name, *(f'?x{number}' for number in range(1, arity + 1))))})")
    lines.append("  )")
    for each in domain.operators:
        lines += [
            f"  (:action {each.name}",
            f"    :parameters ({' '.join(each.parameters)})",
            f"    :precondition {_conjunction(sorted(each.needs))}",
            f"    :effect {_conjunction(sorted(each.adds), sorted(each.deletes))}",
            "  )",
        ]
    return "\n".join([*lines, ")", ""])


def written_problem(domain: Lifted, facts: Facts, name: str) -> str:
    """The problem in PDDL."""
    lines = [
        f"(define (problem {name})",
        f"  (:domain {domain.name})",
        f"  (:objects {' '.join(facts.objects)})",
        "  (:init",
        *(f"    {atom}" for atom in sorted(facts.initial)),
        "  )",
        f"  (:goal {_conjunction(facts.goal)})",
        ")",
    ]
    return "\n".join([*lines, ""])


def _conjunction(true: Iterable[Atom], false: Iterable[Atom] = ()) -> str:
    return f"(and {' '.join([*map(str, true), *(f'(not {atom})' for atom in false)])})"
