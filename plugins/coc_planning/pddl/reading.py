"""Reading planning tasks in PDDL: a domain and a problem, each in a file."""

import gc
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from attrs import evolve, frozen

from coc_core.errors import UsageError
from coc_planning.pddl.declarations import read_signatures, read_typed, read_types, unsupported
from coc_planning.pddl.expressions import Expression, Group, Source, Word, read_expression
from coc_planning.pddl.formulas import Scope
from coc_planning.pddl.task import (
    COST,
    EQUALS,
    OBJECT,
    TRUE,
    Action,
    Atom,
    Connective,
    Effect,
    Formula,
    Task,
    Types,
    Value,
)

REQUIREMENTS = {
    f":{name}"
    for name in (
        *("strips", "typing", "equality", "negative-preconditions", "disjunctive-preconditions", "adl", "fluents"),
        *("existential-preconditions", "universal-preconditions", "quantified-preconditions", "conditional-effects"),
        *("action-costs", "numeric-fluents", "object-fluents", "durative-actions", "duration-inequalities"),
        *("continuous-effects", "derived-predicates", "timed-initial-literals", "preferences", "constraints"),
    )
}
"""Those of PDDL 3.1. What some of them allow is refused where it is used."""
_ACTION, _DERIVED, _METRIC = ":action", ":derived", ":metric"
_BODY = (":parameters", ":precondition", ":effect")
_DOMAIN = (":requirements", ":types", ":constants", ":predicates", ":functions", _ACTION, _DERIVED)
_PROBLEM = (":domain", ":requirements", ":objects", ":init", ":goal", _METRIC, ":length")
_TIME = "total-time"


def read_task(domain: str | os.PathLike[str], problem: str | os.PathLike[str]) -> Task:
    """Return the task in two files: a domain and a problem. UsageError if they are swapped, or have what coc does not
    know, such as durations; ArtefactError if one can't be read, is too large or no PDDL, or the domain is another's.
    """
    return task_in(Source.of(domain), Source.of(problem))


def task_in(domain: Source, problem: Source) -> Task:
    """Return the same for two texts."""
    with _without_collection():
        source, whole = read_expression(problem)
        if _is_domain(whole):
            raise UsageError(f"{source.path} is a domain, not a problem", remedy="give the domain first")
        return _parsed_domain(domain).problem(source, whole)


def read_problem(path: Path, domain_of: Callable[[Path], Path]) -> Task | None:
    """Return the same for the problem in a file, given where its domain is; None if the file itself has a domain."""
    with _without_collection():
        source, whole = read_expression(Source.of(path))
        return None if _is_domain(whole) else _parsed_domain(Source.of(domain_of(path))).problem(source, whole)


def _is_domain(whole: Group) -> bool:
    return any(isinstance(each, Group) and each.head == "domain" for each in whole.items[1:2])


@contextmanager
def _without_collection() -> Iterator[None]:
    """Collect no garbage in the block: nothing is garbage while a file is read, and looking takes most time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@frozen
class _Parts:
    """A domain or a problem as it is written: its parts, by what they begin with, and its actions and rules."""

    source: Source
    name: str
    line: int
    groups: Mapping[str, Group]
    several: Mapping[str, list[Group]]

    @classmethod
    def of(cls, source: Source, whole: Group, kind: str, heads: Collection[str]) -> "_Parts":
        """Return the parts, each once, if they begin with these words."""
        items = whole.items
        title = items[1] if len(items) > 1 else whole
        if whole.head != "define" or not isinstance(title, Group) or title.head != kind or len(title.items) != 2:
            begins = " ".join(map(str, items[:2]))
            source.refuse(whole.line, f"it does not begin with (define ({kind} NAME), but with '({begins:.60}'")
        lines = {kind: title.line}
        groups: dict[str, Group] = {}
        several: dict[str, list[Group]] = {_ACTION: [], _DERIVED: []}
        for each in items[2:]:
            group = source.group(each, "a part")
            if group.head in several and group.head in heads:
                several[group.head].append(group)
                continue
            if group.head not in (kind, *heads):
                unsupported(source, group, f"is not supported in a {kind}")
            if group.head == _METRIC and _METRIC in lines:
                unsupported(source, group, f"is a second metric, after line {lines[_METRIC]}", "leave one of them out")
            source.once(lines, group.head, group.line)
            groups[group.head] = group
        for each in groups[":requirements"].items[1:] if ":requirements" in groups else ():
            if source.word(each, "a requirement") not in REQUIREMENTS:
                unsupported(source, each, "is required", "PDDL 3.1 has no such requirement")
        return cls(source, source.word(title.items[1], "a name"), whole.line, groups, several)

    def items(self, head: str) -> list[Expression]:
        """Return what is in a part; nothing if it is left out."""
        return self.groups[head].items[1:] if head in self.groups else []

    def needed(self, head: str) -> Group:
        """Return a part that can't be left out."""
        if head not in self.groups:
            self.source.refuse(self.line, f"the problem has no {head}")
        return self.groups[head]


@frozen
class _Domain:
    """A domain as it is written, and the lines that its constants are in."""

    name: str
    scope: Scope
    lines: Mapping[str, int]
    actions: Mapping[str, Action]
    derived: tuple[tuple[Effect, ...], ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, whole: Group) -> "_Domain":
        parts = _Parts.of(source, whole, "domain", _DOMAIN)
        types = read_types(source, parts.items(":types"))
        declared = {*types}
        lines: dict[str, int] = {}
        constants = read_typed(source, parts.items(":constants"), types, lines=lines)
        anything = (OBJECT,)
        predicates: dict[str, tuple[Types, ...]] = {EQUALS: (anything, anything)}
        predicates |= read_signatures(source, parts.items(":predicates"), types, "predicate")
        functions: dict[str, tuple[Types, ...]] = {COST: (), _TIME: ()}
        functions |= read_signatures(source, parts.items(":functions"), types, "function")
        heads = frozenset(head for each in parts.several[_DERIVED] for head in _heads(each))
        scope = Scope(source, types, predicates, functions, constants, heads)
        names: dict[str, int] = {}
        actions: dict[str, Action] = {}
        for group in parts.several[_ACTION]:
            action = _action(scope, group)
            source.once(names, action.name, group.line)
            actions[action.name] = action
        derived = _layers(source, [_rule(scope, group) for group in parts.several[_DERIVED]])
        return cls(parts.name, scope, lines, actions, derived, _notes(source, types, declared))

    def problem(self, source: Source, whole: Group) -> Task:
        parts = _Parts.of(source, whole, "problem", _PROBLEM)
        named = parts.needed(":domain")
        if (other := " ".join(source.words(named.items[1:], "a name"))) != self.name:
            source.refuse(named.line, f"the problem is one of {other!r:.60}, not of {self.name!r:.60}")
        lines: dict[str, int] = {}
        types = {**self.scope.supertypes}
        own = read_typed(source, parts.items(":objects"), types, lines=lines)
        for name in own:
            if name in self.scope.objects:
                source.refuse(lines[name], f"{name!r:.60} is a constant in line {self.lines[name]} of the domain")
        objects = {**self.scope.objects, **own}
        scope = evolve(self.scope, source=source, supertypes=types, objects=objects)
        initial, numbers = _initial(scope, parts.needed(":init"))
        goal = parts.needed(":goal")
        if len(goal.items) != 2:
            source.refuse(goal.line, "the goal is not one formula")
        return Task(
            self.name,
            parts.name,
            (str(self.scope.source.path), str(source.path)),
            scope.supertypes,
            objects,
            scope.predicates,
            self.actions,
            initial,
            numbers,
            scope.formula(goal.items[1]),
            _metric(scope, parts.groups.get(_METRIC)),
            self.derived,
            self.notes + _notes(source, types, self.scope.supertypes),
        )


def _notes(source: Source, types: Collection[str], declared: Collection[str]) -> tuple[str, ...]:
    new = (name for name in types if name not in declared)
    return tuple(f"{source.path}: the type {name!r:.60} is not declared; it is taken as one of objects" for name in new)


@lru_cache(maxsize=16)  # the problems of a batch are of one domain
def _parsed_domain(source: Source) -> _Domain:
    return _Domain.of(*read_expression(source))


def _initial(scope: Scope, section: Group) -> tuple[frozenset[Atom], dict[Atom, Fraction]]:
    """Return what holds at the start, and the values of functions."""
    lines: tuple[dict[Atom, int], dict[Atom, int]] = {}, {}  # of the atoms that hold, and of those that do not
    numbers: dict[Atom, Fraction] = {}
    assigned: dict[Atom, int] = {}
    for each in section.items[1:]:
        group = scope.source.group(each, "an atom")
        if group.head == EQUALS:
            function, number = scope.assignment(group)
            before, line = numbers.setdefault(function, number), assigned.setdefault(function, group.line)
            if number != before:
                text = f"{str(function)!r:.60} is {group.items[2]!s:.60}, and {float(before):g} in line {line}"
                scope.source.refuse(group.line, text)
            continue
        denied = group.head == "not" and len(group.items) == 2
        atom = scope.changed(scope.source.group(group.items[1], "an atom") if denied else group)
        lines[denied].setdefault(atom, group.line)
        if atom in lines[not denied]:
            scope.source.refuse(group.line, f"{str(group)!r:.60} contradicts line {lines[not denied][atom]}")
    return frozenset(lines[0]), numbers


def _metric(scope: Scope, section: Group | None) -> tuple[str, Value] | None:
    if section is None:
        return None
    if len(section.items) != 3 or str(section.items[1]) not in ("minimize", "maximize"):
        scope.source.refuse(section.line, f"{str(section)!r:.60} is not (:metric minimize VALUE)")
    return str(section.items[1]), scope.value(section.items[2])


def _action(scope: Scope, section: Group) -> Action:
    source, words = scope.source, section.items[1:]
    if not words or len(words) % 2 == 0:
        source.refuse(section.line, "an action is (:action NAME :parameters (...) :precondition ... :effect ...)")
    body: dict[str, Expression] = {}
    lines: dict[str, int] = {}
    for key, value in zip(words[1::2], words[2::2], strict=True):
        name = source.word(key, "a part of an action")
        if name not in _BODY:
            unsupported(source, section, f"has {name}, which coc does not know")
        source.once(lines, name, key.line)
        body[name] = value
    inner, parameters = scope.bind(body.get(":parameters", Group(section.line, [])))
    precondition = inner.formula(body[":precondition"]) if ":precondition" in body else TRUE
    effects: tuple[Effect, ...] = tuple(inner.effects(body[":effect"])) if ":effect" in body else ()
    return Action(source.word(words[0], "a name"), parameters, precondition, effects)


def _heads(section: Group) -> list[str]:
    """Return the predicate that a rule is about, if it has one."""
    return [each.head for each in section.items[1:2] if isinstance(each, Group)]


def _rule(scope: Scope, section: Group) -> Effect:
    """Return a rule `(:derived (PREDICATE VARIABLE ...) CONDITION)`, as an effect without an action."""
    if len(section.items) != 3 or not _heads(section):
        scope.source.refuse(section.line, f"{str(section)!r:.60} is not (:derived (PREDICATE VARIABLE ...) CONDITION)")
    head = scope.source.group(section.items[1], "an atom")
    inner, variables = scope.bind(Group(head.line, head.items[1:]))
    atom = inner.atom(Group(head.line, [head.items[0], *(Word(head.line, name) for name in variables)]))
    return Effect(variables, inner.formula(section.items[2]), (atom,), (), (), section.line)


def _layers(source: Source, rules: Sequence[Effect]) -> tuple[tuple[Effect, ...], ...]:
    """Return the rules in groups, so that what shall not hold for a rule is known before its group; ArtefactError if a
    predicate depends on its own opposite.
    """
    level = {rule.adds[0].predicate: 0 for rule in rules}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            name = rule.adds[0].predicate
            needed = [level[other] + opposite for other, opposite in _needed(rule.condition) if other in level]
            if max(needed, default=0) > level[name]:
                level[name], changed = max(needed), True
            if level[name] > len(level):
                source.refuse(rule.line, f"{name!r:.60} depends on its own opposite")
    groups = sorted({*level.values()})
    return tuple(tuple(each for each in rules if level[each.adds[0].predicate] == group) for group in groups)


def _needed(formula: Formula, opposite: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the predicates in a formula, and whether it needs the opposite."""
    if isinstance(formula, Atom):
        yield formula.predicate, opposite
    for place, each in enumerate(formula.parts):
        flips = not place and isinstance(formula, Connective) and formula.kind in ("not", "imply")
        yield from _needed(each, opposite != flips)
