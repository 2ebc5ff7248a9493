"""A planning domain as data: predicates, and operators whose conditions and effects are sets of atoms."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from attrs import evolve, field, frozen

from coc_planning.pddl.task import EQUALS, Atom

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
    def of(cls, head: str, needs: str, adds: str, deletes: str, forbids: str = "") -> "Operator":
        """Return an operator from texts, such as `pick-up ?x`, and atoms in parentheses."""
        name, *parameters = head.split()
        return cls(name, tuple(parameters), _atoms(needs), _atoms(forbids), _atoms(adds), _atoms(deletes))

    @property
    def parts(self) -> tuple[frozenset[Atom], ...]:
        """The four sets of atoms."""
        return self.needs, self.forbids, self.adds, self.deletes

    def atoms(self) -> Iterator[Atom]:
        """Yield all atoms, those of one set after those of another."""
        return chain(*self.parts)

    def parted(self) -> Iterator[tuple[str, Atom]]:
        """Yield all atoms in order, each with what it is."""
        return ((part, atom) for part, atoms in zip(PARTS, self.parts, strict=True) for atom in sorted(atoms))


@frozen(repr=False)
class Lifted:
    """A domain: its name, how many arguments each predicate has, and its operators."""

    name: str
    predicates: Mapping[str, int] = field(eq=False)  # they follow from the operators
    operators: tuple[Operator, ...]

    @classmethod
    def of(cls, name: str, *operators: Operator) -> "Lifted":
        """Return the domain of these operators, with the predicates that are in them."""
        predicates = {atom.predicate: len(atom.arguments) for each in operators for atom in each.atoms()}
        return cls(name, dict(sorted(predicates.items())), operators)

    @property
    def changing(self) -> set[str]:
        """The predicates that operators change."""
        return {atom.predicate for each in self.operators for atom in each.adds | each.deletes}


@frozen(repr=False)
class Facts:
    """A problem of a domain: its objects, what holds at the beginning, and what shall hold in the end."""

    objects: tuple[str, ...]
    initial: frozenset[Atom]
    goal: tuple[Atom, ...]

    @classmethod
    def of(cls, objects: Iterable[str], initial: str, goal: str) -> "Facts":
        """Return a problem of texts with atoms in parentheses."""
        return cls(tuple(objects), _atoms(initial), tuple(sorted(_atoms(goal))))

    @property
    def wanted(self) -> "Facts":
        """The problem at whose beginning the goal holds, and nothing else."""
        return evolve(self, initial=frozenset(self.goal))

    def holding(self, predicate: str) -> list[tuple[str, ...]]:
        """Return the arguments of the atoms of a predicate that hold at the beginning."""
        return sorted(atom.arguments for atom in self.initial if atom.predicate == predicate)

    def pairs(self, predicate: str) -> dict[str, str]:
        """Return the second argument by the first, for a predicate's atoms of two that hold at the beginning."""
        return {first: second for first, second, *_ in self.holding(predicate)}

    def chain(self, predicate: str) -> list[str]:
        """Return the objects in the order in which a predicate of two links them; ValueError unless that is one."""
        following = self.pairs(predicate)
        found = sorted(following.keys() - {*following.values()})[:1]
        while found and found[-1] in following and len(found) <= len(following):
            found.append(following[found[-1]])
        if not len({*found}) == len(found) == len(following) + 1:
            raise ValueError(f"({predicate} ...) links objects in more than one order, or in none")
        return found


def _atoms(text: str) -> frozenset[Atom]:
    found = (group.split() for group in re.findall(r"\(([^()]+)\)", text))
    return frozenset(Atom(name, tuple(arguments)) for name, *arguments in found)


def matches(
    needs: Sequence[Atom], holding: Mapping[str, Collection[Sequence[Any]]], found: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """Yield the objects for the variables of atoms with which all of them hold, given the arguments of the atoms that
    hold by predicate.
    """
    if not needs:
        yield found
        return
    names = needs[0].arguments
    known = holding.get(needs[0].predicate, ())
    if all(name in found for name in names):
        one = tuple(found[name] for name in names)
        known = (one,) if one in known else ()
    for objects in known:
        paired = dict(found)
        if all(paired.setdefault(*pair) == pair[1] for pair in zip(names, objects, strict=True)):
            yield from matches(needs[1:], holding, paired)


def written_domain(domain: Lifted) -> str:
    """Return the domain in PDDL."""
    forbidden = {atom.predicate for each in domain.operators for atom in each.forbids}
    further = (" :negative-preconditions" if forbidden else "") + (" :equality" if EQUALS in forbidden else "")
    lines = [f"(define (domain {domain.name})", f"  (:requirements :strips{further})", "  (:predicates"]
    for name, arity in domain.predicates.items():
        variables = (f"?x{number}" for number in range(1, arity + 1))
        lines += [f"    ({' '.join((name, *variables))})"] if name != EQUALS else []
    lines.append("  )")
    for each in domain.operators:
        lines += [
            f"  (:action {each.name}",
            f"    :parameters ({' '.join(each.parameters)})",
            f"    :precondition {_conjunction(sorted(each.needs), sorted(each.forbids))}",
            f"    :effect {_conjunction(sorted(each.adds), sorted(each.deletes))}",
            "  )",
        ]
    return "\n".join([*lines, ")", ""])


def written_problem(domain: Lifted, facts: Facts, name: str) -> str:
    """Return the problem in PDDL."""
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
