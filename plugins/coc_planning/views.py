"""A planning task without what coc's plans do not depend on, so that its domain is recognised by what is left.

A view is loose: an action of it may be illegal in the task. So coc's plans are simulated in the task's own operators.
What a view leaves out: operators that coc has no use for; negative conditions, such as that two blocks differ;
predicates that the domain of coc does not have; and objects that actions name, or that alone are of a kind, such as a
table or the only arm, which become a part of the predicates that are about them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import chain, combinations, islice, product
from math import prod

from attrs import evolve, frozen

from coc_planning.lifted import PARTS, Facts, Lifted, Operator
from coc_planning.lifting import lift
from coc_planning.pddl.task import EQUALS, Atom, Task
from coc_planning.recognise import Budget, Places, Recognised, recognise

_MOST_VERSIONS = 64  # of the operators of a domain
_MOST_CHOICES = 200  # of predicates
_MOST_PAIRINGS = 20
_MOST_TRIALS = 20_000
_MOST_VIEWS = 20
_MOST_BINDINGS = 250_000  # for which a condition that is left out is looked at


@frozen
class View:
    """A part of a task: its operators; objects, start and goal; and for each operator, the task's, and for each of that
    one's parameters which one it is, or which object.
    """

    lifted: Lifted
    facts: Facts
    actions: Mapping[str, tuple[str, Places]]

    def paired(self, ours: Lifted, whole: Budget) -> Iterator[Recognised]:
        """Yield the ways to pair a domain of coc with operators of the task. `whole` limits the search with others."""
        budget = Budget(_MOST_TRIALS, whole)
        mine, wanted = (_with(each, lambda part, _: part != "negative precondition") for each in (self.lifted, ours))
        large = [each for each in mine.operators if any(_covers(each, one) for one in wanted.operators)]
        if len(large) < len(wanted.operators):
            return
        lifted = Lifted.of(mine.name, *large)
        for kept in islice(_choices(lifted, wanted), _MOST_CHOICES):
            if budget.spend():
                return
            ways = recognise(_only(lifted, kept), wanted, surplus=True, budget=budget)
            for found in islice(ways, _MOST_PAIRINGS):
                used = {name for name, _ in found.operators.values()}
                if all(self._harmless(atom, ranges) for atom, ranges in self._conditions(used, kept)):
                    yield self._original(found)

    def _original(self, found: Recognised) -> Recognised:
        operators = dict[str, tuple[str, Places]]()
        for name, (theirs, order) in found.operators.items():
            original, arguments = self.actions[theirs]
            operators[name] = original, tuple(order[each] if isinstance(each, int) else each for each in arguments)
        return evolve(found, operators=operators)

    def _conditions(self, used: Set[str], kept: Set[str]) -> list[tuple[Atom, Mapping[str, Set[str]]]]:
        """Return the conditions left out, which never become true, with the objects that their variables may be."""
        lifted = evolve(self.lifted, operators=tuple(each for each in self.lifted.operators if each.name in used))
        constant = lifted.predicates.keys() - {atom.predicate for each in lifted.operators for atom in each.adds}
        ranges = _ranges(_only(lifted, kept), self.facts)
        return [
            (atom, ranges[each.name])
            for each in lifted.operators
            for atom in each.needs
            if atom.predicate in constant - kept
        ]

    def _harmless(self, atom: Atom, ranges: Mapping[str, Set[str]]) -> bool:
        """Return whether a condition holds of all different objects that its variables may be, as far as can be looked
        at.
        """
        sets = [ranges[name] for name in atom.arguments]
        if prod(map(len, sets)) > _MOST_BINDINGS:
            return True
        cases = (each for each in product(*sets) if len({*each}) == len({*atom.arguments}))
        return all(Atom(atom.predicate, each) in self.facts.initial for each in cases)


def views(task: Task) -> Iterator[View]:
    """Yield a task's views; UnsupportedError if its goal is no conjunction."""
    lifted, facts = lift(task, loosely=True)
    named = {
        each for one in lifted.operators for atom in one.atoms() for each in atom.arguments if not each.startswith("?")
    }
    asked = {atom.predicate for each in lifted.operators for atom in each.needs if len(atom.arguments) == 1}
    kinds = [facts.holding(name) for name in sorted(asked - lifted.changing)]
    alone = sorted({name for found in kinds if len(found) == 1 for name in found[0]} - named)  # such as the only arm
    for fixed in [[], alone, *([each] for each in alone)][:_MOST_VIEWS]:
        view = _without(lifted, facts, {*named, *fixed})
        yield view
        # Nor do coc's actions need what never changes of an object and itself, as `(smaller d1 d1)`.
        changing, initial = view.lifted.changing, view.facts.initial
        own = {each for each in initial if len({*each.arguments}) == 1 < len(each.arguments)}
        odd = {each for each in own if each.predicate not in changing}
        if odd:
            yield evolve(view, facts=evolve(view.facts, initial=initial - odd))


def _without(lifted: Lifted, facts: Facts, fixed: Set[str]) -> View:
    """Return the view in which some objects are a part of the predicates that are about them."""
    changed = lifted.changing
    operators, actions = list[Operator](), dict[str, tuple[str, Places]]()
    for each in lifted.operators:
        choices = [_possible(each, name, facts, changed, fixed) for name in each.parameters]
        for chosen in islice(product(*choices), _MOST_VERSIONS):
            values = {name: value for name, value in zip(each.parameters, chosen, strict=True) if value != ""}
            version = _version(each, values, facts, changed, fixed)
            if version is not None and len(operators) < _MOST_VERSIONS:
                operators.append(version)
                places: dict[str, int | str] = {**values}
                places |= {name: place for place, name in enumerate(version.parameters)}
                actions[version.name] = each.name, tuple(places[name] for name in each.parameters)
    objects = tuple(each for each in facts.objects if each not in fixed)
    initial = frozenset(_folded(atom, fixed) for atom in facts.initial)
    goal = tuple(_folded(atom, fixed) for atom in facts.goal)
    return View(Lifted.of(lifted.name, *operators), Facts(objects, initial, goal), actions)


def _possible(operator: Operator, name: str, facts: Facts, changed: Set[str], fixed: Set[str]) -> list[str]:
    """Return what a parameter may be: some fixed objects; as an empty text, any other."""
    allowed = {*facts.objects}
    for atom in operator.needs:
        if atom.arguments == (name,) and atom.predicate not in changed:
            allowed &= {each for (each,) in facts.holding(atom.predicate)}
    chosen = sorted(allowed & fixed)
    return [*([""] if allowed - fixed or not chosen else []), *chosen]


def _version(
    operator: Operator, values: Mapping[str, str], facts: Facts, changed: Set[str], fixed: Set[str]
) -> Operator | None:
    """Return an operator with objects in place of some parameters; None if it can never be used."""

    def put(atoms: Iterable[Atom]) -> set[Atom]:
        return {Atom(atom.predicate, tuple(values.get(each, each) for each in atom.arguments)) for atom in atoms}

    needs = set[Atom]()
    for atom in put(operator.needs):
        if atom.predicate == EQUALS:
            if len({*atom.arguments}) > 1:
                return None
        elif fixed >= {*atom.arguments} and atom.predicate not in changed:
            if atom not in facts.initial:
                return None
        else:
            needs.add(_folded(atom, fixed))
    if any(atom.predicate == EQUALS and len({*atom.arguments}) == 1 for atom in put(operator.forbids)):
        return None
    name = "@".join([operator.name, *(f"{name}={value}" for name, value in values.items())])
    parameters = tuple(each for each in operator.parameters if each not in values)
    adds, deletes = ({_folded(atom, fixed) for atom in put(part)} for part in (operator.adds, operator.deletes))
    return Operator(name, parameters, *map(frozenset, (needs, (), adds - (needs - deletes), deletes)))


def _folded(atom: Atom, fixed: Set[str]) -> Atom:
    """Return an atom in which some objects are a part of the predicate."""
    places = [f"{place}={each}" for place, each in enumerate(atom.arguments) if each in fixed]
    if not places:
        return atom
    return Atom("@".join([atom.predicate, *places]), tuple(each for each in atom.arguments if each not in fixed))


def _covers(theirs: Operator, ours: Operator) -> bool:
    """Return whether an operator has as many parameters as one of ours, and no fewer atoms."""
    sizes = zip(theirs.parts, ours.parts, strict=True)
    return len(theirs.parameters) == len(ours.parameters) and all(len(a) >= len(b) for a, b in sizes)


def _only(lifted: Lifted, kept: Set[str]) -> Lifted:
    """Return the operators with the atoms of some predicates only."""
    return _with(lifted, lambda _, atom: atom.predicate in kept)


def _with(lifted: Lifted, keeps: Callable[[str, Atom], bool]) -> Lifted:
    """Return the operators with some of their atoms only, given which part of the operator they are in."""

    def less(each: Operator) -> Operator:
        parts = zip(PARTS, each.parts, strict=True)
        return Operator(each.name, each.parameters, *(frozenset(a for a in some if keeps(p, a)) for p, some in parts))

    return Lifted.of(lifted.name, *map(less, lifted.operators))


def _choices(theirs: Lifted, ours: Lifted) -> Iterator[frozenset[str]]:
    """Return as many of their predicates as there are of ours, with as many arguments, some changing and some not."""
    available = _kinds(theirs)
    classes = (combinations(available[kind], len(names)) for kind, names in _kinds(ours).items())
    return (frozenset(chain(*chosen)) for chosen in product(*classes))


def _kinds(lifted: Lifted) -> dict[tuple[bool, int], list[str]]:
    """Return the predicates by whether they change, and by how many arguments they have."""
    found = defaultdict[tuple[bool, int], list[str]](list)
    changed = lifted.changing
    for name, arity in lifted.predicates.items():
        if name != EQUALS:
            found[name in changed, arity].append(name)
    return found


def _ranges(lifted: Lifted, facts: Facts) -> dict[str, dict[str, set[str]]]:
    """Return, for each operator, the objects that each parameter may be at any time, or more."""
    reached = defaultdict[tuple[str, int], set[str]](set)
    for atom in facts.initial:
        for place, each in enumerate(atom.arguments):
            reached[atom.predicate, place].add(each)
    while True:
        before = sum(map(len, reached.values()))
        found = {}
        for operator in lifted.operators:
            ranges = {name: {*facts.objects} for name in operator.parameters}
            for atom in operator.needs:
                for place, name in enumerate(atom.arguments):
                    ranges[name] &= reached[atom.predicate, place]
            found[operator.name] = ranges
            for atom in operator.adds:
                for place, name in enumerate(atom.arguments):
                    reached[atom.predicate, place] |= ranges[name]
        if sum(map(len, reached.values())) == before:
            return found
