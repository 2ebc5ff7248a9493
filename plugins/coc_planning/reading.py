"""Reading planning problems in PDDL: a domain and a problem, each in a file."""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NoReturn

from attrs import frozen

from coc_planning.expressions import Expression, Group, Source, Word, read_expression
from coc_planning.lifted import EQUALS, Atom, Facts, Lifted, Operator, UnsupportedError, distinguishing, type_atom

REQUIREMENTS = (":strips", ":typing", ":negative-preconditions", ":equality", ":action-costs")
_OBJECT = "object"
_COST = "total-cost"


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
class _Domain:
    """A domain as it is written."""

    name: str
    parents: Mapping[str, str]
    constants: Mapping[str, str]
    predicates: Mapping[str, int]
    actions: tuple[_Action, ...]

    @classmethod
    def of(cls, source: Source, whole: Group) -> "_Domain":
        name, sections = _sections(source, whole, "domain")
        parents: dict[str, str] = {}
        constants: dict[str, str] = {}
        predicates: dict[str, int] = {EQUALS: 2}
        actions = list[_Action]()
        for section in sections:
            match section.head:
                case ":requirements":
                    for each in section.items[1:]:
                        if source.word(each, "a requirement") not in REQUIREMENTS:
                            _unsupported(source, each, "is required", f"coc reads {', '.join(REQUIREMENTS)}")
                case ":types":
                    parents |= _typed(source, section.items[1:])
                case ":constants":
                    constants |= _typed(source, section.items[1:])
                case ":predicates":
                    for each in section.items[1:]:
                        group = source.group(each, "a predicate")
                        predicates[group.head] = len(_typed(source, group.items[1:]))
                case ":action":
                    actions.append(_action(source, section, predicates))
                case ":functions":
                    pass  # what they are for is refused where it is used, unless it is the cost
                case _:
                    _unsupported(source, section, "is not supported in a domain")
        return cls(name, parents, constants, predicates, tuple(actions))

    def problem(self, source: Source, whole: Group) -> tuple[Lifted, Facts]:
        _, sections = _sections(source, whole, "problem")
        objects = dict(self.constants)
        initial = set[Atom]()
        goal = list[Atom]()
        found = {section.head: section for section in sections}
        for name in (":domain", ":objects", ":init", ":goal"):  # in the order in which they are needed
            section = found.pop(name, None)
            if section is None:
                if name != ":objects":
                    source.refuse(whole.line, f"the problem has no {name}")
                continue
            match name:
                case ":domain":
                    if (other := " ".join(source.words(section.items[1:], "a name"))) != self.name:
                        source.refuse(section.line, f"the problem is one of {other!r:.60}, not of {self.name!r:.60}")
                case ":objects":
                    objects |= _typed(source, section.items[1:])
                case ":init":
                    for each in section.items[1:]:
                        group = source.group(each, "an atom")
                        if group.head != EQUALS and group.head != "not":
                            initial.add(_atom(source, group, self.predicates, objects, "object"))
                        elif group.head == EQUALS and _COST not in str(group):
                            _unsupported(source, group, "is a number")
                case _:
                    if len(section.items) != 2:
                        source.refuse(section.line, "the goal is not one formula")
                    for positive, atom in _literals(source, section.items[1], self.predicates, objects, "object"):
                        if not positive:
                            _unsupported(source, section, "has atoms that shall not hold")
                        goal.append(atom)
        for section in found.values():
            if section.head not in (":metric", ":requirements"):
                _unsupported(source, section, "is not supported in a problem")
        kinds = {name: self._kinds(kind) for name, kind in objects.items()}
        used = {kind for action in self.actions for kind in action.parameters.values()}
        types = distinguishing(used, kinds.values())
        initial |= {type_atom(kind, name) for name in objects for kind in kinds[name] & types}
        operators = (action.operator(types) for action in self.actions)
        return Lifted.of(self.name, *operators), Facts(tuple(objects), frozenset(initial), tuple(goal))

    def _kinds(self, kind: str) -> set[str]:
        """A type and those that it is a part of."""
        found = {_OBJECT}
        while kind not in found:
            found.add(kind)
            kind = self.parents.get(kind, _OBJECT)
        return found


def _read_domain(path: str | os.PathLike[str]) -> _Domain:
    return _parsed_domain(Source.of(path))


@lru_cache(maxsize=16)  # the problems of a batch are of one domain
def _parsed_domain(source: Source) -> _Domain:
    return _Domain.of(*read_expression(source))


def _sections(source: Source, whole: Group, kind: str) -> tuple[str, list[Group]]:
    """The name of a domain or problem, and what follows."""
    items = whole.items
    title = items[1] if len(items) > 1 else whole
    if whole.head != "define" or not isinstance(title, Group) or title.head != kind or len(title.items) != 2:
        source.refuse(whole.line, f"it does not begin with (define ({kind} NAME)")
    return source.word(title.items[1], "a name"), [source.group(each, "a part") for each in items[2:]]


def _typed(source: Source, items: list[Expression]) -> dict[str, str]:
    """The type of each word in a list such as `a b - block c`, the type `object` where none is written."""
    found: dict[str, str] = {}
    pending = list[str]()
    rest = iter(items)
    for each in rest:
        if isinstance(each, Group):
            _unsupported(source, each, "is not a name")
        if each.text == "-":
            kind = next(rest, None)
            if not isinstance(kind, Word):
                _unsupported(source, kind or each, "is not the name of a type")
            found |= dict.fromkeys(pending, kind.text)
            pending.clear()
        elif each.text in found or each.text in pending:
            source.refuse(each.line, f"{each.text!r:.60} is there twice")
        else:
            pending.append(each.text)
    return found | dict.fromkeys(pending, _OBJECT)


def _action(source: Source, section: Group, predicates: Mapping[str, int]) -> _Action:
    words = section.items[1:]
    if not words or len(words) % 2 == 0:
        source.refuse(section.line, "an action is (:action NAME :parameters (...) :precondition ... :effect ...)")
    body = dict(zip(source.words(words[1::2], "a part of an action"), words[2::2], strict=True))
    parameters = _typed(source, source.group(body.pop(":parameters", Group(section.line, [])), "parameters").items)
    empty = Group(section.line, [])
    sets: dict[tuple[str, bool], set[Atom]] = {}
    for name in (":precondition", ":effect"):
        for positive, atom in _literals(source, body.pop(name, empty), predicates, parameters, "parameter"):
            sets.setdefault((name, positive), set()).add(atom)
    if body:
        _unsupported(source, section, f"has {next(iter(body))}, which coc does not know")
    keys = product((":precondition", ":effect"), (True, False))
    parts = (frozenset(sets.get(key, ())) for key in keys)
    return _Action(source.word(words[0], "a name"), parameters, *parts)


def _literals(
    source: Source, formula: Expression, predicates: Mapping[str, int], names: Mapping[str, str], kind: str
) -> Iterator[tuple[bool, Atom]]:
    """The atoms of a conjunction, and whether they are positive. The cost of an action is left out."""
    group = source.group(formula, "a formula")
    match group.head:
        case "and":
            for each in group.items[1:]:
                yield from _literals(source, each, predicates, names, kind)
        case "not" if len(group.items) == 2:
            yield False, _atom(source, source.group(group.items[1], "an atom"), predicates, names, kind)
        case "increase" if _COST in str(group):
            pass
        case _ if group.items:
            yield True, _atom(source, group, predicates, names, kind)


def _atom(source: Source, group: Group, predicates: Mapping[str, int], names: Mapping[str, str], kind: str) -> Atom:
    if group.head not in predicates or any(isinstance(each, Group) for each in group.items):
        if group.head in predicates or group.head in _FORMULAS:
            _unsupported(source, group, "is not an atom", "coc knows conjunctions of atoms")
        source.refuse(group.line, f"there is no predicate {group.head!r:.60}")
    arguments = source.words(group.items[1:], "a name")
    for each in arguments:
        if each not in names:
            if kind == "parameter" and not each.startswith("?"):
                _unsupported(source, group, "names an object in an action")
            source.refuse(group.line, f"there is no {kind} {each!r:.60}")
    if len(arguments) != predicates[group.head]:
        source.refuse(group.line, f"{group.head!r:.60} has {predicates[group.head]} arguments, not {len(arguments)}")
    return Atom(group.head, tuple(sorted(arguments) if group.head == EQUALS else arguments))


_FORMULAS = {"or", "not", "imply", "forall", "exists", "when", "increase", "decrease", "assign", "<", ">", "<=", ">="}
"""What may stand where an atom does, and coc does not know."""


def _unsupported(source: Source, expression: Expression, what: str, remedy: str = "") -> NoReturn:
    raise UnsupportedError(f"{source.path}:{expression.line}: {str(expression)!r:.80} {what}", remedy=remedy)
