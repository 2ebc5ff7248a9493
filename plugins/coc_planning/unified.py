"""Planning problems as unified-planning has them."""

from collections.abc import Iterable, Iterator
from typing import Any

from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator, distinguishing, type_atom
from coc_planning.pddl.task import EQUALS, Atom


def lifted(problem: Any) -> tuple[Lifted, Facts]:
    """The domain and the problem that an object of unified-planning holds.

    Raises:
        UnsupportedError: It has something that coc does not know, such as numbers or conditional effects.
    """
    try:
        types = _types(problem)
        operators = tuple(_operator(action, types) for action in problem.actions)
        objects = {each.name: each for each in problem.all_objects}
        initial = {_atom(fluent) for fluent, value in _values(problem).items() if _true(value)}
        initial |= {type_atom(kind, name) for name, each in objects.items() for kind in _kinds(each.type) & types}
        goal = tuple(_atom(each) for goal in problem.goals for each in _conjuncts(goal))
    except AttributeError as error:
        raise UnsupportedError(f"the problem is not a classical one: {error}") from None
    return Lifted.of(problem.name or "", *operators), Facts(tuple(objects), frozenset(initial), goal)


def _values(problem: Any) -> Any:
    """The initial values; those that are false by default are left out where all defaults are false."""
    if all(default.is_false() for default in problem.fluents_defaults.values()):
        return problem.explicit_initial_values
    return problem.initial_values


def _types(problem: Any) -> set[str]:
    """The types that tell objects apart; a type that all objects have does not."""
    objects = [_kinds(each.type) for each in problem.all_objects]
    used = {parameter.type.name for action in problem.actions for parameter in action.parameters}
    return distinguishing(used, objects)


def _kinds(kind: Any) -> set[str]:
    """The names of a type and of those that it is a part of."""
    found = set()
    while kind is not None:
        found.add(kind.name)
        kind = kind.father
    return found


def _operator(action: Any, types: set[str]) -> Operator:
    needs, forbids, adds, deletes = set[Atom](), set[Atom](), set[Atom](), set[Atom]()
    for parameter in action.parameters:
        if parameter.type.name in types:
            needs.add(type_atom(parameter.type.name, parameter.name))
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
        return Atom(EQUALS, tuple(sorted(_names(expression.args))))
    if not expression.is_fluent_exp():
        raise UnsupportedError(f"{expression!s:.80} is not an atom", remedy="coc knows conjunctions of atoms")
    return Atom(expression.fluent().name, tuple(_names(expression.args)))


def _names(arguments: Iterable[Any]) -> Iterator[str]:
    for each in arguments:
        if each.is_parameter_exp():
            yield each.parameter().name
        elif each.is_object_exp():
            yield each.object().name
        else:
            raise UnsupportedError(f"{each!s:.80} is neither an object nor a variable")


def _true(value: Any) -> bool:
    if not value.is_bool_constant():
        raise UnsupportedError(f"the value {value!s:.80} is not true or false")
    return bool(value.is_true())
