"""Reading planning problems: from files in PDDL, or as unified-planning has them."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import read_bytes
from coc_core.text import quoted
from coc_planning.lifted import Atom, Facts, Lifted, Operator, UnsupportedError

_LARGEST = 1 << 20  # bytes
_REQUIREMENTS = (":strips", ":typing", ":negative-preconditions", ":equality", ":action-costs")
_STATED = re.compile(r"\(\s*:requirements\b([^()]*)\)", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n]*")
_EQUALS = "="


def library(module: str) -> Any:
    """A module of unified-planning; UsageError if it is not installed."""
    try:
        return import_module(f"unified_planning.{module}")
    except ModuleNotFoundError:
        raise UsageError("PDDL needs unified-planning", remedy="pip install 'chain-of-computation[planning]'") from None


def read_pddl(domain: str | os.PathLike[str], problem: str | os.PathLike[str]) -> Any:
    """The problem in two files, as unified-planning has it.

    Raises:
        UsageError: unified-planning is not installed.
        UnsupportedError: The domain requires what coc does not know.
        ArtefactError: A file can't be read, is too large, or is not PDDL.
    """
    reader = library("io").PDDLReader
    texts = [_text(Path(path)) for path in (domain, problem)]
    _check_requirements(Path(domain), texts[0])
    _parsed(Path(domain), lambda: reader().parse_problem_string(texts[0]))
    return _parsed(Path(problem), lambda: reader().parse_problem_string(*texts))


def _text(path: Path) -> str:
    text = read_bytes(path, _LARGEST).decode("utf-8", "replace")
    if not _COMMENT.sub("", text).strip():
        raise ArtefactError(f"{path} is empty")
    return text


def _check_requirements(path: Path, text: str) -> None:
    for stated in _STATED.findall(_COMMENT.sub("", text)):
        for name in stated.lower().split():
            if name not in _REQUIREMENTS:
                raise UnsupportedError(
                    f"{path} requires {quoted(name)}", remedy=f"coc reads {', '.join(_REQUIREMENTS)}"
                )


def _parsed(path: Path, parse: Callable[[], Any]) -> Any:
    try:
        return parse()
    except Exception as error:  # the library raises whatever it comes upon
        line = getattr(error, "lineno", None)
        where = f"{path}:{line}" if isinstance(line, int) else str(path)
        raise ArtefactError(f"{where} is not PDDL that can be read: {' '.join(str(error).split()):.300}") from None


def lifted(problem: Any) -> tuple[Lifted, Facts]:
    """The domain and the problem that an object of unified-planning holds.

    Raises:
        UnsupportedError: It has something that coc does not know, such as numbers or conditional effects.
    """
    try:
        types = _types(problem)
        operators = tuple(_operator(action, types) for action in problem.actions)
        objects = {each.name: each for each in problem.all_objects}
        initial = {_atom(fluent) for fluent, value in problem.initial_values.items() if _true(value)}
        initial |= {Atom(_type(kind), (name,)) for name, each in objects.items() for kind in _kinds(each.type) & types}
        goal = tuple(_atom(each) for goal in problem.goals for each in _conjuncts(goal))
    except AttributeError as error:
        raise UnsupportedError(f"the problem is no classical one: {error}") from None
    return Lifted.of(problem.name or "", *operators), Facts(tuple(objects), frozenset(initial), goal)


def _types(problem: Any) -> set[str]:
    """The types that tell objects apart; a type that all objects have does not."""
    objects = [_kinds(each.type) for each in problem.all_objects]
    used = {parameter.type.name for action in problem.actions for parameter in action.parameters}
    return {name for name in used if not all(name in kinds for kinds in objects)}


def _kinds(kind: Any) -> set[str]:
    """The names of a type and of those that it is a part of."""
    found = set()
    while kind is not None:
        found.add(kind.name)
        kind = kind.father
    return found


def _type(name: str) -> str:
    return f"type:{name}"


def _operator(action: Any, types: set[str]) -> Operator:
    needs, forbids, adds, deletes = set[Atom](), set[Atom](), set[Atom](), set[Atom]()
    for parameter in action.parameters:
        if parameter.type.name in types:
            needs.add(Atom(_type(parameter.type.name), (parameter.name,)))
    for condition in action.preconditions:
        for each in _conjuncts(condition):
            (forbids if each.is_not() else needs).add(_atom(each.arg(0) if each.is_not() else each))
    for effect in action.effects:
        if effect.is_conditional() or effect.is_forall() or not effect.is_assignment():
            raise UnsupportedError(f"the effect of {action.name!r} on {effect.fluent} is conditional or numeric")
        (adds if _true(effect.value) else deletes).add(_atom(effect.fluent))
    parameters = tuple(parameter.name for parameter in action.parameters)
    # A deletion of what is added as well changes nothing.
    return Operator(action.name, parameters, *map(frozenset, (needs, forbids, adds, deletes - adds)))


def _conjuncts(expression: Any) -> Iterator[Any]:
    if expression.is_and():
        for each in expression.args:
            yield from _conjuncts(each)
    elif not expression.is_true():
        yield expression


def _atom(expression: Any) -> Atom:
    if expression.is_equals():
        return Atom(_EQUALS, tuple(sorted(_names(expression.args))))
    if not expression.is_fluent_exp():
        raise UnsupportedError(f"{expression!s:.80} is no atom", remedy="coc knows conjunctions of atoms")
    return Atom(expression.fluent().name, tuple(_names(expression.args)))


def _names(arguments: Iterable[Any]) -> Iterator[str]:
    for each in arguments:
        if each.is_parameter_exp():
            yield each.parameter().name
        elif each.is_object_exp():
            yield each.object().name
        else:
            raise UnsupportedError(f"{each!s:.80} is no object and no variable")


def _true(value: Any) -> bool:
    if not value.is_bool_constant():
        raise UnsupportedError(f"the value {value!s:.80} is not true or false")
    return bool(value.is_true())
