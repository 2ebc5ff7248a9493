"""Taking actions of a planning task: what holds, what an action needs and does, and what the goal lacks.

Nothing is grounded but the actions that are taken. A formula about all or some objects is looked up among the atoms
that hold: `(exists (?x ?y) (and (on ?x ?y) (clear ?x)))` looks at each `on`, and at no other pair.
"""

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import prod

from attrs import frozen

from coc_core.errors import ActionFault, UnsupportedError
from coc_core.text import shortened
from coc_planning.pddl.task import (
    COST,
    EQUALS,
    Action,
    Atom,
    Conditions,
    Connective,
    Effect,
    Formula,
    Quantified,
    Task,
    Types,
    Value,
    atoms_of,
    variables_of,
    with_values,
)

_MOST_TRIALS = 400_000
"""How many values of variables are tried for an action or a goal."""
_NAMED = 1_000  # atoms that a goal lacks
_MOST_BITS = 10_000  # of a number
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_LONGEST = 200  # characters of a formula in a message

Values = Mapping[str, str]
"""The object that each variable is."""
_Fact = tuple[str, tuple[str, ...]]


class Simulation:
    """A task in a state, the arguments of the atoms that hold by predicate, which changes with each action; and how
    many actions there were, and the sum of their costs.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.state: dict[str, set[tuple[str, ...]]] = {name: set() for name in task.predicates}
        for atom in task.initial:
            self.state[atom.predicate].add(atom.arguments)
        self.cost = task.numbers.get(Atom(COST, ()), Fraction(0))
        self.actions = self._trials = 0
        self._at_once = list[_Taken]()
        self._derive()

    def take(self, name: str, arguments: Sequence[str], *, at_once: bool = False) -> None:
        """Take an action; ActionFault, with the reason in the file's words, if that can't be done here. One that is
        taken `at_once` with the one before it may change nothing that another one needs, so that their order does not
        count.
        """
        action, values = self._instance(name, arguments)
        self._trials = 0
        for condition in action.conditions:
            if not self.holds(condition, values):
                text = shortened(str(condition), _LONGEST)
                raise ActionFault(f"the precondition {text} does not hold{self._where(condition, values)}")
        adds, deletes, costs = list[_Fact](), list[_Fact](), list[Fraction]()
        for effect in action.effects:
            for each in self._different_cases(effect, values):
                adds += [(atom.predicate, _arguments(atom, each)) for atom in effect.adds]
                deletes += [(atom.predicate, _arguments(atom, each)) for atom in effect.deletes]
                costs += [self._value(value, each) for value in effect.costs]
        self._note(_Taken(action, values, {*adds}, {*deletes}), at_once)
        for predicate, changed in deletes:
            self.state[predicate].discard(changed)
        for predicate, changed in adds:
            self.state[predicate].add(changed)
        if costs:
            self.cost = _bounded(sum(costs, self.cost))
        self.actions += 1
        self._derive()

    def _note(self, taken: "_Taken", at_once: bool) -> None:
        """Remember what is taken at one time; ActionFault if two of it interfere."""
        self._at_once = self._at_once if at_once else []
        derived = {rule.adds[0].predicate for group in self.task.derived for rule in group}
        for other in self._at_once:
            if taken.interferes(other, derived) or other.interferes(taken, derived):
                raise ActionFault(f"it interferes with {other}, which is taken at the same time")
        self._at_once.append(taken)

    def _derive(self) -> None:
        """Make true what rules derive, and nothing else of their predicates."""
        for group in self.task.derived:
            names = {rule.adds[0].predicate for rule in group}
            self.state |= {name: set() for name in names}
            before = -1
            while (size := sum(len(self.state[name]) for name in names)) > before:
                before = size
                for rule in group:
                    self._trials = 0
                    (atom,) = rule.adds
                    self.state[atom.predicate] |= {_arguments(atom, each) for each in self._different_cases(rule, {})}

    def missing(self) -> list[str]:
        """Return what does not hold of the goal, in the file's words; nothing if the goal is reached."""
        self._trials = 0
        return list(islice(dict.fromkeys(self._lacks(self.task.goal, {})), _NAMED))

    @property
    def value(self) -> Fraction | None:
        """What the metric says of the plan so far, None if it needs a number that the problem does not give.

        Without a metric, what the actions cost: one each if none has a cost.
        """
        if self.task.metric is not None:
            try:
                return self._value(self.task.metric[1], {})
            except ActionFault:
                return None
        costs = any(effect.costs for action in self.task.actions.values() for effect in action.effects)
        return self.cost if costs else Fraction(self.actions)

    def _instance(self, name: str, arguments: Sequence[str]) -> tuple[Action, Values]:
        action = self.task.actions.get(name)
        if action is None:
            raise ActionFault(f"there is no action {name!r:.60}")
        if len(arguments) != (count := len(action.parameters)):
            raise ActionFault(f"{name!r:.60} has {count} parameters, not {len(arguments)}")
        for argument, (parameter, types) in zip(arguments, action.parameters.items(), strict=True):
            if argument not in self.task.objects:
                raise ActionFault(f"there is no object {argument!r:.60}")
            if not self.task.has_type(argument, types):
                own = " or ".join(self.task.objects[argument])
                raise ActionFault(f"{argument!r:.60} is of type {own}, and {parameter} is of {' or '.join(types)}")
        return action, dict(zip(action.parameters, arguments, strict=True))

    def holds(self, formula: Formula, values: Values) -> bool:
        """Return whether a formula holds, given what its variables are."""
        self._trials += 1
        match formula:
            case Atom(predicate=name):
                found = _arguments(formula, values)
                return found[0] == found[1] if name == EQUALS else found in self.state[name]
            case Connective(kind="and", parts=parts):
                return all(self.holds(each, values) for each in parts)
            case Connective(kind="or", parts=parts):
                return any(self.holds(each, values) for each in parts)
            case Connective(kind="not", parts=(part,)):
                return not self.holds(part, values)
            case Connective(parts=(condition, result)):
                return not self.holds(condition, values) or self.holds(result, values)
            case Quantified(kind=kind):
                some = any(True for _ in self._cases(formula, values))
                return some if kind == "exists" else not some
        raise AssertionError(formula)

    def _different_cases(self, effect: Effect, values: Values) -> Iterable[Values]:
        if not effect.conditions:
            objects = [self.task.of(types) for types in effect.variables.values()]
            self._count(prod(map(len, objects)))
            return ({**values, **dict(zip(effect.variables, each, strict=True))} for each in product(*objects))
        return {tuple(map(each.get, effect.variables)): each for each in self._cases(effect, values)}.values()

    def _cases(self, about: Quantified | Effect, values: Values) -> Iterator[Values]:
        """Return the values of the variables of a formula or an effect whose conditions hold, each at least once."""
        return self._matches(about.variables, about.conditions, values)

    def _matches(self, free: Mapping[str, Types], conditions: Conditions, values: Values) -> Iterator[Values]:
        """Yield the same, where `free` are the variables without values."""
        left = list[tuple[Formula, frozenset[str]]]()
        for condition in conditions:
            if not free.keys().isdisjoint(condition[1]):
                left.append(condition)
            elif not self.holds(condition[0], values):
                return
        if not free:
            yield values
            return
        atoms = [each for each, _ in left if isinstance(each, Atom) and each.predicate != EQUALS]
        if atoms:
            atom = min(atoms, key=lambda each: len(self.state[each.predicate]))
            chosen: Iterable[str] = atom.arguments
            choices: Iterable[Values] = self._unify(atom, free, values)
        else:
            name = next((name for _, names in left for name in free if name in names), next(iter(free)))
            chosen, choices = (name,), ({name: each} for each in self.task.of(free[name]))
        rest = {name: types for name, types in free.items() if name not in chosen}
        for choice in choices:
            self._count()
            inner = {**values, **choice}
            if rest:
                yield from self._matches(rest, tuple(left), inner)
            elif all(self.holds(each, inner) for each, _ in left):
                yield inner

    def _count(self, more: int = 1) -> None:
        self._trials += more
        if self._trials > _MOST_TRIALS:
            raise UnsupportedError(
                f"a formula needs more than {_MOST_TRIALS:,} values of its variables", remedy="state it with fewer"
            )

    def _unify(self, atom: Atom, free: Mapping[str, Types], values: Values) -> Iterator[Values]:
        """Yield the values of variables for which an atom is one of those that hold."""
        for arguments in self.state[atom.predicate]:
            self._count()
            found: dict[str, str] = {}
            for name, each in zip(atom.arguments, arguments, strict=True):
                if name in free:
                    if found.setdefault(name, each) != each or not self.task.has_type(each, free[name]):
                        break
                elif values.get(name, name) != each:
                    break
            else:
                yield found

    def _value(self, value: Value, values: Values) -> Fraction:
        match value:
            case Fraction():
                return value
            case Atom(predicate=name) if name == COST:
                return self.cost
            case Atom(predicate=name, arguments=()) if name == "total-time":
                return Fraction(self.actions)
            case Atom():
                function = Atom(value.predicate, _arguments(value, values))
                if function not in self.task.numbers:
                    raise ActionFault(f"{function} has no value")
                return self.task.numbers[function]
        parts = [self._value(each, values) for each in value.parts]
        if value.kind == "-" and len(parts) == 1:
            return -parts[0]
        if value.kind == "/" and 0 in parts[1:]:
            raise ActionFault("a cost is divided by zero")
        return _bounded(reduce(_ARITHMETIC[value.kind], parts))

    def _lacks(self, formula: Formula, values: Values) -> Iterator[str]:
        match formula:
            case Connective(kind="and", parts=parts):
                for each in parts:
                    yield from self._lacks(each, values)
            case Quantified(kind="forall"):
                for case in self._cases(formula, values):
                    yield from self._lacks(formula.body, case)
            case _ if not self.holds(formula, values):
                yield shortened(str(with_values(formula, values)), _LONGEST)

    def _where(self, condition: Formula, values: Values) -> str:
        """Return the values of a formula's variables, with those for which one about all objects does not hold."""
        found = {name: values[name] for name in sorted(variables_of(condition))}
        if isinstance(condition, Quantified) and condition.kind == "forall":
            case = next(self._cases(condition, values))
            found |= {name: case[name] for name in condition.variables}
        text = ", ".join(f"{name} = {each}" for name, each in found.items())
        return f" for {shortened(text, _LONGEST)}" if found else ""


@frozen
class _Taken:
    """An action that was taken, and what it made true and false."""

    action: Action
    values: Values
    adds: set[_Fact]
    deletes: set[_Fact]

    def interferes(self, other: "_Taken", derived: Collection[str]) -> bool:
        """Return whether it changes what another action needs, or makes false what that one makes true."""
        changed = self.adds | self.deletes
        if self.deletes & other.adds or (changed and any(atom.predicate in derived for atom in other.needed())):
            return True
        return any(_may_be(atom, other.values, fact) for atom in other.needed() for fact in changed)

    def needed(self) -> Iterator[Atom]:
        """Yield the atoms that it depends on."""
        for formula in (self.action.precondition, *(each.condition for each in self.action.effects)):
            yield from atoms_of(formula)

    def __str__(self) -> str:
        return f"({' '.join((self.action.name, *self.values.values()))})"


def _may_be(atom: Atom, values: Values, fact: _Fact) -> bool:
    """Return whether an atom, in which some variables may have any value, may be a fact."""
    pairs = zip(_arguments(atom, values), fact[1], strict=False)
    return atom.predicate == fact[0] and all(name == each or name.startswith("?") for name, each in pairs)


def _arguments(atom: Atom, values: Values) -> tuple[str, ...]:
    return tuple([values.get(each, each) for each in atom.arguments])


def _bounded(number: Fraction) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_BITS:
        raise UnsupportedError(f"the cost is a number of more than {_MOST_BITS:,} bits")
    return number
