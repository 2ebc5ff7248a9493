"""Formulas, effects and values over what a domain declares."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NoReturn

from attrs import evolve, frozen

from coc_planning.pddl.declarations import CHANGES, COMPARISONS, NOT_PREDICATES, Kinds, read_typed, unsupported
from coc_planning.pddl.expressions import Expression, Group, Source, Word
from coc_planning.pddl.task import (
    COST,
    EQUALS,
    TRUE,
    Atom,
    Connective,
    Effect,
    Formula,
    Operation,
    Quantified,
    Types,
    Value,
)

_ARITHMETIC = {"+", "-", "*", "/"}
_NUMBER = re.compile(r"-?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})", re.ASCII)
_MOST_VARIABLES = 250
_PARTS = {"not": 1, "imply": 2}


@frozen
class Scope:
    """What formulas may name.

    Attributes:
        source: The file that the formulas are in.
        supertypes: For each type, those that it is a part of.
        predicates: The types of the arguments of each predicate.
        functions: The types of the arguments of each function.
        objects: The types of each object.
        derived: The predicates that rules derive.
        variables: What each variable is called in the task, where an inner one with the name of an outer one is called
            otherwise, and its types.
    """

    source: Source
    supertypes: Kinds
    predicates: Mapping[str, tuple[Types, ...]]
    functions: Mapping[str, tuple[Types, ...]]
    objects: Mapping[str, Types]
    derived: frozenset[str] = frozenset()
    variables: Mapping[str, tuple[str, Types]] = {}

    def bind(self, expression: Expression) -> tuple["Scope", dict[str, Types]]:
        """Return what may be named inside a formula with these variables, and they as they are called there."""
        items = self.source.group(expression, "variables").items
        found = read_typed(self.source, items, self.supertypes, variables=True)
        taken = {name for name, _ in self.variables.values()}
        names = dict[str, tuple[str, Types]]()
        for name, types in found.items():
            called = name
            while called in taken:
                called += "'"
            names[name] = called, types
        if len(taken) + len(names) > _MOST_VARIABLES:
            self.source.refuse(expression.line, f"there are more than {_MOST_VARIABLES} variables")
        return evolve(self, variables={**self.variables, **names}), dict(names.values())

    def formula(self, expression: Expression) -> Formula:
        """Return a condition: a formula of ADL."""
        group = self.source.group(expression, "a formula")
        match group.head, group.items:
            case "", []:
                return TRUE
            case ("and" | "or" | "not" | "imply") as kind, [_, *parts]:
                if len(parts) != _PARTS.get(kind, len(parts)):
                    self._refuse(group, f"has {len(parts)} parts, not {_PARTS[kind]}")
                return Connective(kind, tuple(map(self.formula, parts)), group.line)
            case ("forall" | "exists") as kind, [_, variables, body]:
                inner, bound = self.bind(variables)
                return _quantified(Quantified(kind, bound, inner.formula(body), group.line))
            case "increase", _:
                self._refuse(group, "is not in an effect")
        return self.atom(group)

    def effects(
        self, expression: Expression, variables: Mapping[str, Types] | None = None, condition: Formula = TRUE
    ) -> Iterator[Effect]:
        """Yield what an action does: what is unconditional first."""
        adds, deletes, costs = list[Atom](), list[Atom](), list[Value]()
        inner = list[Effect]()
        line = expression.line
        waiting = [expression]
        while waiting:
            group = self.source.group(waiting.pop(), "an effect")
            match group.head, group.items:
                case "", []:
                    pass
                case "and", [_, *parts]:
                    waiting += reversed(parts)
                case "forall", [_, names, effect]:
                    scope, bound = self.bind(names)
                    inner += scope.effects(effect, {**(variables or {}), **bound}, condition)
                case "when", [_, when, effect]:
                    both = Connective("and", (condition, self.formula(when)), group.line)
                    inner += self.effects(effect, variables, both)
                case "increase", [_, changed, value] if str(changed) == f"({COST})":
                    costs.append(self.value(value))
                case "increase", [_, changed, *_] if str(changed) == f"({COST})":
                    self._refuse(group, f"is not (increase ({COST}) NUMBER)")
                case "not", [_, atom]:
                    deletes.append(self.changed(atom))
                case _:
                    adds.append(self.changed(group))
        if adds or deletes or costs:
            yield Effect(variables or {}, condition, tuple(adds), tuple(deletes), tuple(costs), line)
        yield from inner

    def changed(self, expression: Expression) -> Atom:
        """Return an atom that an action or the start makes true or false."""
        atom = self.atom(expression)
        if atom.predicate == EQUALS:
            self.source.refuse(expression.line, f"{str(atom)!r:.60} is an effect, and no action can change it")
        if atom.predicate in self.derived:
            self.source.refuse(expression.line, f"{str(atom)!r:.60} is derived by rules, and can't be stated")
        return atom

    def atom(self, expression: Expression) -> Atom:
        """Return a predicate with its arguments."""
        group = self.source.group(expression, "an atom")
        if group.head not in self.predicates or any(isinstance(each, Group) for each in group.items):
            if group.head in self.predicates or group.head in NOT_PREDICATES:
                what = "compares numbers" if group.head in COMPARISONS else "is not an atom"
                what = f"changes a number other than ({COST})" if group.head in CHANGES else what
                unsupported(self.source, group, what, f"coc knows formulas of atoms, and (increase ({COST}) NUMBER)")
            self.source.refuse(group.line, f"there is no predicate {group.head!r:.60}")
        return Atom(group.head, self._arguments(group, self.predicates))

    def assignment(self, group: Group) -> tuple[Atom, Fraction]:
        """Return a function with its arguments, and the number that it has."""
        items = group.items[1:]
        if len(items) != 2 or isinstance(items[0], Word) or not _NUMBER.fullmatch(str(items[1])):
            self._refuse(group, "is not (= (FUNCTION OBJECT ...) NUMBER)")
        return self._function(items[0]), Fraction(str(items[1]))

    def value(self, expression: Expression) -> Value:
        """Return a number, a function with its arguments, or a sum, difference, product or quotient."""
        if isinstance(expression, Group) and expression.head in _ARITHMETIC and len(expression.items) > 1:
            return Operation(expression.head, tuple(map(self.value, expression.items[1:])))
        if isinstance(expression, Group):
            return self._function(expression)
        if not _NUMBER.fullmatch(expression.text):
            self.source.refuse(expression.line, f"{expression.text!r:.60} is not a number")
        return Fraction(expression.text)

    def _function(self, group: Group) -> Atom:
        if group.head not in self.functions:
            self.source.refuse(group.line, f"there is no function {group.head!r:.60}")
        return Atom(group.head, self._arguments(group, self.functions))

    def _arguments(self, group: Group, declared: Mapping[str, tuple[Types, ...]]) -> tuple[str, ...]:
        words = self.source.words(group.items[1:], "a name")
        wanted = declared[group.head]
        found = list[str]()
        for place, word in enumerate(words):
            if word in self.variables:
                name, types = self.variables[word]
            elif word in self.objects:
                name, types = word, self.objects[word]
            else:
                kind = "parameter" if word.startswith("?") else "object"
                self.source.refuse(group.items[place + 1].line, f"there is no {kind} {word!r:.60}")
            found.append(name)
            if place < len(wanted) and types != wanted[place] and not self._fits(types, wanted[place]):
                self._refuse(group, f"has {word!r:.60}, which is a {_either(types)} and not a {_either(wanted[place])}")
        if len(found) != len(wanted):
            self.source.refuse(group.line, f"{group.head!r:.60} has {len(wanted)} arguments, not {len(found)}")
        return tuple(found)

    def _fits(self, types: Types, wanted: Types) -> bool:
        """Return whether what is of any one of these types is of a wanted one."""
        return all(any(kind in self.supertypes[each] for kind in wanted) for each in types)

    def _refuse(self, group: Group, reason: str) -> NoReturn:
        self.source.refuse(group.line, f"{str(group)!r:.60} {reason}")


def _quantified(formula: Quantified) -> Quantified:
    """Return the formula as one of its kind, if its body is another one of it."""
    if isinstance(formula.body, Quantified) and formula.body.kind == formula.kind:
        return evolve(formula, variables={**formula.variables, **formula.body.variables}, body=formula.body.body)
    return formula


def _either(types: Types) -> str:
    return " or ".join(types)
