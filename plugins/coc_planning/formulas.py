"""Formulas over what a domain declares: atoms, conjunctions of literals, and the costs, which are left out."""

import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from attrs import frozen

from coc_core.errors import UnsupportedError
from coc_planning.expressions import Expression, Group, Source, Word
from coc_planning.lifted import EQUALS, Atom

COST = "total-cost"
UNKNOWN = {"or", "not", "imply", "forall", "exists", "when", "increase", "decrease", "assign", "<", ">", "<=", ">="}
"""What may stand where an atom does, and coc does not know."""

_ARITHMETIC = {"+", "-", "*", "/"}
_NUMBER = re.compile(r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)", re.ASCII)


@frozen
class Scope:
    """What formulas may name.

    Attributes:
        source: The file that the formulas are in.
        predicates: How many arguments each predicate has.
        functions: How many arguments each function has.
        names: The objects, or the parameters of an action.
        kind: What the names are: `object` or `parameter`.
    """

    source: Source
    predicates: Mapping[str, int]
    functions: Mapping[str, int]
    names: Mapping[str, str]
    kind: str

    def literals(self, formula: Expression, *, effect: bool = False) -> Iterator[tuple[bool, Atom]]:
        """The atoms of a conjunction, and whether they are positive. The cost of an action is left out."""
        group = self.source.group(formula, "a formula")
        match group.head:
            case "and":
                for each in group.items[1:]:
                    yield from self.literals(each, effect=effect)
            case "increase" if not effect:
                self.source.refuse(group.line, f"{str(group)!r:.60} is not in an effect")
            case "increase" if str(group).startswith(f"(increase ({COST})"):
                if len(group.items) != 3:
                    self.source.refuse(group.line, f"{str(group)!r:.60} is not (increase ({COST}) NUMBER)")
                self._value(group.items[2])
            case "not" if len(group.items) == 2:
                yield False, self._literal(self.source.group(group.items[1], "an atom"), effect=effect)
            case _ if group.items:
                yield True, self._literal(group, effect=effect)

    def _literal(self, group: Group, *, effect: bool) -> Atom:
        atom = self.atom(group)
        if effect and atom.predicate == EQUALS:
            self.source.refuse(group.line, f"{str(group)!r:.60} is an effect, and no action can change it")
        return atom

    def atom(self, group: Group) -> Atom:
        """A predicate with its arguments."""
        if group.head not in self.predicates or any(isinstance(each, Group) for each in group.items):
            if group.head in self.predicates or group.head in UNKNOWN:
                unsupported(self.source, group, "is not an atom", "coc knows conjunctions of atoms")
            self.source.refuse(group.line, f"there is no predicate {group.head!r:.60}")
        arguments = self._arguments(group, self.predicates)
        return Atom(group.head, tuple(sorted(arguments) if group.head == EQUALS else arguments))

    def assignment(self, group: Group) -> tuple[str, str]:
        """A function with its arguments, and the number that it has."""
        items = group.items[1:]
        if len(items) != 2 or isinstance(items[0], Word) or not _NUMBER.fullmatch(str(items[1])):
            self.source.refuse(group.line, f"{str(group)!r:.60} is not (= (FUNCTION OBJECT ...) NUMBER)")
        self._function(items[0])
        return str(items[0]), str(items[1])

    def _value(self, expression: Expression) -> None:
        """Refuse what is not a number, a function with its arguments, or a sum, difference, product or quotient."""
        if isinstance(expression, Group) and expression.head in _ARITHMETIC and len(expression.items) > 1:
            for each in expression.items[1:]:
                self._value(each)
        elif isinstance(expression, Group):
            self._function(expression)
        elif not _NUMBER.fullmatch(expression.text):
            self.source.refuse(expression.line, f"{expression.text!r:.60} is not a number")

    def _function(self, group: Group) -> None:
        if group.head not in self.functions:
            self.source.refuse(group.line, f"there is no function {group.head!r:.60}")
        self._arguments(group, self.functions)

    def _arguments(self, group: Group, declared: Mapping[str, int]) -> list[str]:
        arguments = self.source.words(group.items[1:], "a name")
        for each in arguments:
            if each not in self.names:
                if self.kind == "parameter" and not each.startswith("?"):
                    unsupported(self.source, group, "names an object in an action")
                self.source.refuse(group.line, f"there is no {self.kind} {each!r:.60}")
        if len(arguments) != (count := declared[group.head]):
            self.source.refuse(group.line, f"{group.head!r:.60} has {count} arguments, not {len(arguments)}")
        return arguments


def unsupported(source: Source, expression: Expression, what: str, remedy: str = "") -> NoReturn:
    """Raise UnsupportedError for what is PDDL, and more than coc knows."""
    raise UnsupportedError(f"{source.path}:{expression.line}: {str(expression)!r:.80} {what}", remedy=remedy)
