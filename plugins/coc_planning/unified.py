"""Planning problems as unified-planning has them, as tasks."""

from collections.abc import Iterable, Mapping
from typing import Any

from coc_core.errors import UnsupportedError
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
    Quantified,
    Task,
)

_FILES = ("the domain", "the problem")
_CONNECTIVES = {"is_and": "and", "is_or": "or", "is_not": "not", "is_implies": "imply"}


def task_of(problem: Any) -> Task:
    """The task that an object of unified-planning holds. Costs are left out.

    Raises:
        UnsupportedError: It has something that coc does not know, such as numbers.
    """
    try:
        initial = {_atom(fluent, {}) for fluent, value in _values(problem).items() if _true(fluent, value)}
        goal = [_formula(each, {}) for each in problem.goals]
        return Task(
            problem.name or "",
            problem.name or "",
            _FILES,
            {OBJECT: frozenset([OBJECT])} | {each.name: frozenset(_kinds(each)) for each in problem.user_types},
            {each.name: (each.type.name,) for each in problem.all_objects},
            {EQUALS: ((OBJECT,), (OBJECT,))}
            | {each.name: tuple((one.type.name,) for one in each.signature) for each in problem.fluents},
            {each.name: _action(each) for each in problem.actions},
            frozenset(initial),
            {},
            Connective("and", tuple(goal)),
            None,
        )
    except AttributeError as error:
        raise UnsupportedError(f"the problem is not a classical one: {error}") from None


def _values(problem: Any) -> Any:
    """The initial values; those that are false by default are left out where all defaults are false."""
    if all(default.is_false() for default in problem.fluents_defaults.values()):
        return problem.explicit_initial_values
    return problem.initial_values


def _kinds(kind: Any) -> set[str]:
    """The names of a type and of those that it is a part of."""
    found = {OBJECT}
    while kind is not None:
        found.add(kind.name)
        kind = kind.father
    return found


def _action(action: Any) -> Action:
    names = {each: f"?{each.name}" for each in action.parameters}
    parameters = {names[each]: (each.type.name,) for each in action.parameters}
    condition = Connective("and", tuple(_formula(each, names) for each in action.preconditions))
    effects = [each for each in action.effects if _changes(each.fluent)]
    return Action(action.name, parameters, condition, tuple(_effect(action, each, names) for each in effects))


def _changes(fluent: Any) -> bool:
    """Whether it is something else than the cost of a plan."""
    return not fluent.is_fluent_exp() or fluent.fluent().name.replace("_", "-") != COST


def _effect(action: Any, effect: Any, names: Mapping[Any, str]) -> Effect:
    if not effect.is_assignment():
        raise UnsupportedError(f"the effect of {action.name!r:.60} on {effect.fluent!s:.80} is numeric")
    names, variables = _bound(effect.forall, names)
    condition = TRUE if effect.condition.is_true() else _formula(effect.condition, names)
    atom = (_atom(effect.fluent, names),)
    true = _true(effect.fluent, effect.value)
    return Effect(variables, condition, atom if true else (), () if true else atom, ())


def _bound(variables: Iterable[Any], names: Mapping[Any, str]) -> tuple[dict[Any, str], dict[str, tuple[str, ...]]]:
    """The names of variables, with those of a quantifier; and the latter with their types."""
    found, own = dict(names), dict[str, tuple[str, ...]]()
    for each in variables:
        name = f"?{each.name}"
        while name in found.values():
            name += "'"
        found[each], own[name] = name, (each.type.name,)
    return found, own


def _formula(expression: Any, names: Mapping[Any, str]) -> Formula:
    for method, kind in _CONNECTIVES.items():
        if getattr(expression, method)():
            return Connective(kind, tuple(_formula(each, names) for each in expression.args))  # type: ignore[arg-type]
    if expression.is_true() or expression.is_false():
        return TRUE if expression.is_true() else Connective("or", ())
    if expression.is_forall() or expression.is_exists():
        inner, own = _bound(expression.variables(), names)
        return Quantified("forall" if expression.is_forall() else "exists", own, _formula(expression.arg(0), inner))
    return _atom(expression, names)


def _atom(expression: Any, names: Mapping[Any, str]) -> Atom:
    if not expression.is_equals() and not (expression.is_fluent_exp() and expression.type.is_bool_type()):
        raise UnsupportedError(f"{expression!s:.80} is not an atom", remedy="coc knows formulas of atoms, and costs")
    predicate = EQUALS if expression.is_equals() else expression.fluent().name
    return Atom(predicate, tuple(_name(each, names) for each in expression.args))


def _name(argument: Any, names: Mapping[Any, str]) -> str:
    if argument.is_object_exp():
        return str(argument.object().name)
    if argument.is_parameter_exp() or argument.is_variable_exp():
        return names[argument.parameter() if argument.is_parameter_exp() else argument.variable()]
    raise UnsupportedError(f"{argument!s:.80} is neither an object nor a variable")


def _true(fluent: Any, value: Any) -> bool:
    if not value.is_bool_constant() and _changes(fluent) and not value.is_constant():
        raise UnsupportedError(f"the value {value!s:.80} is not true or false")
    return bool(value.is_true())
