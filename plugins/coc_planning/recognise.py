"""Recognising a domain by its structure, whatever its predicates, operators and variables are called.

Two domains are the same if their predicates, the arguments of each predicate, their operators and the variables of each
operator can be paired so that every condition and every effect of one is one of the other. This is a search for an
isomorphism; no model is involved. Types count as predicates of one argument that never change.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, permutations

from attrs import define, evolve, frozen

from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.pddl.task import Atom

_MOST_TRIALS = 200_000
"""After how many comparisons of two atoms a search is given up."""
_MOST_PAIRINGS = 100
_MOST_ARGUMENTS = 4
"""Of how many arguments the order is searched for; predicates of more must have the order of ours."""


@frozen
class Difference:
    """An atom that one domain has in an operator and the other one has not."""

    operator: str
    part: str
    atom: Atom
    theirs: bool

    def __str__(self) -> str:
        has = f"its {self.operator!r} has" if self.theirs else f"its {self.operator!r} lacks"
        return f"{has} the {self.part} {self.atom}"


Places = tuple[int | str, ...]
_UNUSED = "", ()
"""What a predicate is paired with that the other domain does not have."""
_Parted = list[tuple[str, Atom]]  # atoms, each with the part of an operator that it is in


@frozen
class Recognised:
    """How a domain is paired with one of ours.

    Attributes:
        predicates: For each of its predicates, the name of ours and the order of the arguments: argument i of ours is
            argument `order[i]` of the other one.
        operators: For each of our operators, the name of the other one, and for each of its parameters which one of
            ours it is, or which object.
        differences: What does not agree, if the search allowed for that.
    """

    predicates: dict[str, tuple[str, tuple[int, ...]]]
    operators: dict[str, tuple[str, Places]]
    differences: tuple[Difference, ...] = ()

    def facts(self, theirs: Facts) -> Facts:
        """Return the problem in our words. Atoms of predicates that no operator mentions are left out of the start."""
        return Facts(
            theirs.objects,
            frozenset(self._atom(atom) for atom in theirs.initial if atom.predicate in self.predicates),
            tuple(self._atom(atom) for atom in theirs.goal),
        )

    def action(self, name: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return an action of ours in the words of the other domain."""
        theirs, order = self.operators[name]
        return theirs, tuple(arguments[place] if isinstance(place, int) else place for place in order)

    def ours(self, name: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return an action of the other domain in our words; ValueError if it has no such operator."""
        objects = lambda item: sum(isinstance(place, str) for place in item[1][1])  # noqa: E731
        for our_name, (theirs, order) in sorted(self.operators.items(), key=objects, reverse=True):
            if theirs == name and len(order) == len(arguments):
                given = list(zip(order, arguments, strict=True))
                if all(place == each for place, each in given if isinstance(place, str)):
                    places = dict(given)
                    return our_name, tuple(places[place] for place in range(len(order)) if place in places)
        raise ValueError(f"there is no operator {name!r:.60} of {len(arguments)} arguments")

    def _atom(self, atom: Atom) -> Atom:
        name, order = self.predicates[atom.predicate]
        return Atom(name, tuple(atom.arguments[place] for place in order))


@lru_cache(maxsize=64)  # the problems of a batch are of one domain
def pairings(theirs: Lifted, ours: Lifted) -> tuple[Recognised, ...]:
    """Return the ways to pair a domain with one of ours, but no more than can be tried."""
    return tuple(islice(recognise(theirs, ours), _MOST_PAIRINGS))


@define
class Budget:
    """How many comparisons of two atoms are left, in a search and in all that it is a part of."""

    left: int = _MOST_TRIALS
    whole: "Budget | None" = None

    def spend(self, count: int = 1) -> bool:
        """Count some; whether none is left."""
        self.left -= count
        return (self.whole is not None and self.whole.spend(count)) or self.left < 0


def recognise(
    theirs: Lifted, ours: Lifted, slack: int = 0, *, surplus: bool = False, budget: Budget | None = None
) -> Iterator[Recognised]:
    """Yield all ways to pair a domain with one of ours, up to `slack` different atoms and, with `surplus`, more
    operators and predicates.
    """
    search = _Search(slack, surplus, budget or Budget())
    if search.budget.spend(len(theirs.operators) * len(ours.operators)):
        return
    operators = [
        each for each in theirs.operators if not surplus or any(search.near(each, one) for one in ours.operators)
    ]
    if len(operators) == len(ours.operators) or (surplus and len(operators) > len(ours.operators)):
        yield from search.operators(
            sorted(operators, key=_weight), sorted(ours.operators, key=_weight), _Pairing({}, {}, {}, ())
        )


def _weight(operator: Operator) -> tuple[int, int]:
    return len(operator.parameters), sum(map(len, operator.parts))


@frozen
class _Pairing:
    """What is paired so far: predicates, operators, the variables of the operators at hand, what differs."""

    predicates: dict[str, tuple[str, tuple[int, ...]]]
    operators: dict[str, tuple[str, Places]]
    variables: dict[str, str]
    differences: tuple[Difference, ...]


@define
class _Search:
    slack: int
    surplus: bool
    budget: Budget

    def operators(
        self, theirs: Sequence[Operator], ours: Sequence[Operator], pairing: _Pairing
    ) -> Iterator[Recognised]:
        if not theirs:
            used = {name: each for name, each in pairing.predicates.items() if each != _UNUSED}
            yield Recognised(used, pairing.operators, pairing.differences)
            return
        if self.budget.spend():
            return
        first, *others = theirs
        for place, candidate in enumerate(ours):
            if self.near(first, candidate):
                rest = [*ours[:place], *ours[place + 1 :]]
                wanted, left = (list(each.parted()) for each in (first, candidate))
                for found in self._match(first, wanted, left, evolve(pairing, variables={})):
                    order = _order(first, candidate, found.variables)
                    paired = found.operators | {candidate.name: (first.name, order)}
                    yield from self.operators(others, rest, evolve(found, operators=paired))
        if self.surplus and len(theirs) > len(ours):
            yield from self.operators(others, ours, pairing)

    def near(self, theirs: Operator, ours: Operator) -> bool:
        """Return whether two operators have as many parameters and, but for slack and surplus, as many atoms."""
        if len(theirs.parameters) != len(ours.parameters):
            return False
        more = [len(a) - len(b) for a, b in zip(theirs.parts, ours.parts, strict=True)]
        return sum(max(-each, 0 if self.surplus else each) for each in more) <= self.slack

    def _match(self, operator: Operator, wanted: _Parted, left: _Parted, pairing: _Pairing) -> Iterator[_Pairing]:
        spare = self.slack - len(pairing.differences)
        if not wanted:
            if len(left) <= spare:
                missing = tuple(Difference(operator.name, part, atom, theirs=False) for part, atom in left)
                yield evolve(pairing, differences=pairing.differences + missing)
            return
        # Atoms of predicates that are paired come first, since they leave the fewest choices.
        place = next((i for i, (_, atom) in enumerate(wanted) if atom.predicate in pairing.predicates), 0)
        (part, atom), others = wanted[place], [*wanted[:place], *wanted[place + 1 :]]
        for index, (our_part, our_atom) in enumerate(left):
            if our_part == part:
                rest = [*left[:index], *left[index + 1 :]]
                for found in self._unify(atom, our_atom, pairing):
                    yield from self._match(operator, others, rest, found)
        if self.surplus and pairing.predicates.get(atom.predicate, _UNUSED) == _UNUSED:
            predicates = pairing.predicates | {atom.predicate: _UNUSED}
            yield from self._match(operator, others, left, evolve(pairing, predicates=predicates))
        if spare:
            extra = Difference(operator.name, part, atom, theirs=True)
            yield from self._match(operator, others, left, evolve(pairing, differences=(*pairing.differences, extra)))

    def _unify(self, theirs: Atom, ours: Atom, pairing: _Pairing) -> Iterator[_Pairing]:
        """Yield the pairings in which one atom is the other."""
        arity = len(theirs.arguments)
        if self.budget.spend() or arity != len(ours.arguments):
            return
        known = pairing.predicates.get(theirs.predicate)
        if known is not None:
            orders = [known[1]] if known[0] == ours.predicate else []
        elif any(name == ours.predicate for name, _ in pairing.predicates.values()):
            orders = []
        else:
            orders = list(permutations(range(arity))) if arity <= _MOST_ARGUMENTS else [tuple(range(arity))]
        for order in orders:
            variables = _paired(pairing.variables, [theirs.arguments[place] for place in order], ours.arguments)
            if variables is not None:
                predicates = pairing.predicates | {theirs.predicate: (ours.predicate, order)}
                yield evolve(pairing, predicates=predicates, variables=variables)


def _paired(known: dict[str, str], theirs: Sequence[str], ours: Sequence[str]) -> dict[str, str] | None:
    """Return the variables that are paired if these are, too; None if that is impossible."""
    paired = dict(known)
    for one, other in zip(theirs, ours, strict=True):
        if paired.setdefault(one, other) != other:
            return None
    return paired if len(set(paired.values())) == len(paired) else None


def _order(theirs: Operator, ours: Operator, variables: dict[str, str]) -> tuple[int | str, ...]:
    """Return, for each parameter of theirs, which one of ours it is; parameters in no atom come in their order."""
    left = [name for name in ours.parameters if name not in variables.values()]
    paired = {name: variables[name] if name in variables else left.pop(0) for name in theirs.parameters}
    return tuple(ours.parameters.index(paired[name]) for name in theirs.parameters)
