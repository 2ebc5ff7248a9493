"""Reading planning problems in PDDL: a domain and a problem, each in a file."""

import os
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path

from attrs import frozen

from coc_planning.declarations import OBJECT, read_signatures, read_typed, read_types
from coc_planning.expressions import Expression, Group, Source, read_expression
from coc_planning.formulas import COST, Scope, unsupported
from coc_planning.lifted import EQUALS, Atom, Facts, Lifted, Operator, distinguishing, type_atom

REQUIREMENTS = (":strips", ":typing", ":negative-preconditions", ":equality", ":action-costs")
_ACTION = ":action"
_BODY = (":parameters", ":precondition", ":effect")
_DOMAIN = (":requirements", ":types", ":constants", ":predicates", ":functions", _ACTION)
_PROBLEM = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")


def read_pddl(domain: str | os.PathLike[str], problem: str | os.PathLike[str]) -> tuple[Lifted, Facts]:
    """The domain and the problem in two files. The costs of actions are left out.

    Raises:
        UnsupportedError: They have what coc does not know, such as conditional effects.
        ArtefactError: A file can't be read, is too large, or is not PDDL, or the problem is one of another domain.
    """
    return _read_domain(domain).problem(*read_expression(Source.of(problem)))


def read_problem(path: Path, domain_of: Callable[[Path], Path]) -> tuple[Lifted, Facts] | None:
    """The same for the problem in a file, given where its domain is; None if the file itself has a domain."""
    source, whole = read_expression(Source.of(path))
    if any(isinstance(each, Group) and each.head == "domain" for each in whole.items[1:2]):
        return None
    return _read_domain(domain_of(path)).problem(source, whole)


@frozen
class _Action:
    """An action as it is written: its parameters with their types, and the parts of its body."""

    name: str
    parameters: Mapping[str, str]
    needs: frozenset[Atom]
    forbids: frozenset[Atom]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]

    def operator(self, types: set[str]) -> Operator:
        """The action with those types of its parameters as conditions that tell objects apart."""
        kinds = {type_atom(kind, name) for name, kind in self.parameters.items() if kind in types}
        parts = self.needs | kinds, self.forbids, self.adds, self.deletes - self.adds  # what is added as well stays
        return Operator(self.name, tuple(self.parameters), *parts)


@frozen
class _Parts:
    """A domain or a problem as it is written: its parts, by what they begin with, and its actions."""

    source: Source
    name: str
    line: int
    groups: Mapping[str, Group]
    actions: tuple[Group, ...]

    @classmethod
    def of(cls, source: Source, whole: Group, kind: str, heads: Collection[str]) -> "_Parts":
        """The parts, each once, if they begin with these words."""
        items = whole.items
        title = items[1] if len(items) > 1 else whole
        if whole.head != "define" or not isinstance(title, Group) or title.head != kind or len(title.items) != 2:
            source.refuse(whole.line, f"it does not begin with (define ({kind} NAME)")
        lines = {kind: title.line}
        groups: dict[str, Group] = {}
        actions = list[Group]()
        for each in items[2:]:
            group = source.group(each, "a part")
            if group.head == _ACTION and _ACTION in heads:
                actions.append(group)
                continue
            if group.head not in (kind, *heads):
                unsupported(source, group, f"is not supported in a {kind}")
            source.once(lines, group.head, group.line)
            groups[group.head] = group
        return cls(source, source.word(title.items[1], "a name"), whole.line, groups, tuple(actions))

    def items(self, head: str) -> list[Expression]:
        """What is in a part; nothing if it is left out."""
        return self.groups[head].items[1:] if head in self.groups else []

    def needed(self, head: str) -> Group:
        """A part that can't be left out."""
        if head not in self.groups:
            self.source.refuse(self.line, f"the problem has no {head}")
        return self.groups[head]


@frozen
class _Domain:
    """A domain as it is written, and the lines that its constants are in."""

    name: str
    parents: Mapping[str, str]
    constants: Mapping[str, str]
    lines: Mapping[str, int]
    predicates: Mapping[str, int]
    functions: Mapping[str, int]
    actions: tuple[_Action, ...]

    @classmethod
    def of(cls, source: Source, whole: Group) -> "_Domain":
        parts = _Parts.of(source, whole, "domain", _DOMAIN)
        for each in parts.items(":requirements"):
            if source.word(each, "a requirement") not in REQUIREMENTS:
                unsupported(source, each, "is required", f"coc reads {', '.join(REQUIREMENTS)}")
        parents = read_types(source, parts.items(":types"))
        types = _types(parents)
        lines: dict[str, int] = {}
        constants = read_typed(source, parts.items(":constants"), types, lines=lines)
        predicates = {EQUALS: 2, **read_signatures(source, parts.items(":predicates"), types, "predicate")}
        functions = {COST: 0, **read_signatures(source, parts.items(":functions"), types, "function")}
        names: dict[str, int] = {}
        actions = list[_Action]()
        for group in parts.actions:
            actions.append(_action(source, group, types, predicates, functions))
            source.once(names, actions[-1].name, group.line)
        return cls(parts.name, parents, constants, lines, predicates, functions, tuple(actions))

    def problem(self, source: Source, whole: Group) -> tuple[Lifted, Facts]:
        parts = _Parts.of(source, whole, "problem", _PROBLEM)
        named = parts.needed(":domain")
        if (other := " ".join(source.words(named.items[1:], "a name"))) != self.name:
            source.refuse(named.line, f"the problem is one of {other!r:.60}, not of {self.name!r:.60}")
        source.words(parts.items(":requirements"), "a requirement")
        lines: dict[str, int] = {}
        own = read_typed(source, parts.items(":objects"), _types(self.parents), lines=lines)
        for name in own:
            if name in self.constants:
                source.refuse(lines[name], f"{name!r:.60} is a constant in line {self.lines[name]} of the domain")
        scope = Scope(source, self.predicates, self.functions, {**self.constants, **own}, "object")
        initial = _initial(scope, parts.needed(":init"))
        goal = _goal(scope, parts.needed(":goal"))
        metric = parts.groups.get(":metric")
        if metric and (len(metric.items) != 3 or str(metric.items[1]) not in ("minimize", "maximize")):
            source.refuse(metric.line, f"{str(metric)!r:.60} is not (:metric minimize VALUE)")
        kinds = {name: self._kinds(kind) for name, kind in scope.names.items()}
        used = {kind for action in self.actions for kind in action.parameters.values()}
        types = distinguishing(used, kinds.values())
        initial |= {type_atom(kind, name) for name in kinds for kind in kinds[name] & types}
        operators = (action.operator(types) for action in self.actions)
        return Lifted.of(self.name, *operators), Facts(tuple(kinds), frozenset(initial), goal)

    def _kinds(self, kind: str) -> set[str]:
        """A type and those that it is a part of."""
        found = {OBJECT}
        while kind not in found:
            found.add(kind)
            kind = self.parents.get(kind, OBJECT)
        return found


def _read_domain(path: str | os.PathLike[str]) -> _Domain:
    return _parsed_domain(Source.of(path))


@lru_cache(maxsize=16)  # the problems of a batch are of one domain
def _parsed_domain(source: Source) -> _Domain:
    return _Domain.of(*read_expression(source))


def _types(parents: Mapping[str, str]) -> set[str]:
    """The types that there are."""
    return {OBJECT, *parents, *parents.values()}


def _initial(scope: Scope, section: Group) -> set[Atom]:
    """What holds at the beginning. Numbers are left out: only costs can depend on them."""
    lines: dict[tuple[bool, Atom], int] = {}
    numbers: dict[str, tuple[str, int]] = {}
    for each in section.items[1:]:
        group = scope.source.group(each, "an atom")
        if group.head == EQUALS:
            value, number = scope.assignment(group)
            before, line = numbers.setdefault(value, (number, group.line))
            if number != before:
                scope.source.refuse(group.line, f"{value!r:.60} is {number:.60}, and {before:.60} in line {line}")
            continue
        denied = group.head == "not" and len(group.items) == 2
        atom = scope.atom(scope.source.group(group.items[1], "an atom") if denied else group)
        lines.setdefault((not denied, atom), group.line)
        if (denied, atom) in lines:
            scope.source.refuse(group.line, f"{str(group)!r:.60} contradicts line {lines[denied, atom]}")
    return {atom for holds, atom in lines if holds}


def _goal(scope: Scope, section: Group) -> tuple[Atom, ...]:
    if len(section.items) != 2:
        scope.source.refuse(section.line, "the goal is not one formula")
    goal = list[Atom]()
    for positive, atom in scope.literals(section.items[1]):
        if not positive:
            unsupported(scope.source, section, "has atoms that shall not hold")
        goal.append(atom)
    return tuple(goal)


def _action(
    source: Source,
    section: Group,
    types: Collection[str],
    predicates: Mapping[str, int],
    functions: Mapping[str, int],
) -> _Action:
    words = section.items[1:]
    if not words or len(words) % 2 == 0:
        source.refuse(section.line, "an action is (:action NAME :parameters (...) :precondition ... :effect ...)")
    body: dict[str, Expression] = dict.fromkeys(_BODY, Group(section.line, []))
    lines: dict[str, int] = {}
    for key, value in zip(words[1::2], words[2::2], strict=True):
        name = source.word(key, "a part of an action")
        if name not in _BODY:
            unsupported(source, section, f"has {name}, which coc does not know")
        source.once(lines, name, key.line)
        body[name] = value
    listed = source.group(body[":parameters"], "parameters").items
    parameters = read_typed(source, listed, types, variables=True)
    scope = Scope(source, predicates, functions, parameters, "parameter")
    sets: dict[tuple[str, bool], set[Atom]] = {}
    for name in (":precondition", ":effect"):
        for positive, atom in scope.literals(body[name], effect=name == ":effect"):
            sets.setdefault((name, positive), set()).add(atom)
    keys = product((":precondition", ":effect"), (True, False))
    parts = (frozenset(sets.get(key, ())) for key in keys)
    return _Action(source.word(words[0], "a name"), parameters, *parts)
