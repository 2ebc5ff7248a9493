"""From a planning task to what domains are recognised by: operators that are sets of atoms."""

from collections.abc import Iterator
from itertools import product
from math import prod

from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.pddl.simulation import Simulation
from coc_planning.pddl.task import (
    EQUALS,
    Action,
    Atom,
    Connective,
    Formula,
    Quantified,
    Task,
    atoms_of,
    conjuncts,
    with_values,
)

_MOST_CASES = 100_000  # of a goal about all objects


def lift(task: Task, *, loosely: bool = False) -> tuple[Lifted, Facts]:
    """Return the domain and the problem, without the costs of actions. UnsupportedError if a condition is not a
    conjunction of atoms, or an effect is a conditional one; `loosely`, what can't be had is left out instead, with what
    the goal forbids, and operators may name objects.
    """
    kinds = {name: {above for each in types for above in task.supertypes[each]} for name, types in task.objects.items()}
    used = {kind for action in task.actions.values() for types in action.parameters.values() for kind in types}
    types = {kind for kind in used if not all(kind in each for each in kinds.values())}  # they tell objects apart
    operators = [_operator(task, action, types, loosely) for action in task.actions.values()]
    if not loosely:
        for operator in operators:
            for atom in operator.atoms():
                if not {*atom.arguments} <= {*operator.parameters}:
                    text = f"{task.files[0]}: the action {operator.name!r:.60} names an object in {atom}"
                    raise UnsupportedError(text)
        for rule in (each for group in task.derived for each in group):
            raise UnsupportedError(f"{_place(task.files[0], rule.line)}: a rule derives {rule.adds[0]}")
    initial = task.initial | {Atom(f"type:{kind}", (name,)) for name in kinds for kind in kinds[name] & types}
    wanted = Connective("and", tuple(_wanted(task, task.goal)))
    for each in conjuncts(wanted):
        if isinstance(each, Connective) and each.kind == "not" and not loosely:
            raise UnsupportedError(f"{_place(task.files[1], each.line)}: the goal has atoms that shall not hold")
    goal = dict.fromkeys(atom for positive, atom in _literals(task.files[1], wanted) if positive)
    return Lifted.of(task.domain, *operators), Facts(tuple(task.objects), initial, tuple(goal))


def _wanted(task: Task, goal: Formula) -> Iterator[Formula]:
    """Yield the formulas of a goal: what is for all objects is for each, and what never changes is decided."""
    effects = (one for several in (*(each.effects for each in task.actions.values()), *task.derived) for one in several)
    changed = {atom.predicate for each in effects for atom in each.adds + each.deletes}
    start, waiting = Simulation(task), [goal]

    def fixed(formula: Formula) -> bool:
        return all(atom.predicate not in changed for atom in atoms_of(formula))

    while waiting:
        match waiting.pop():
            case Connective(kind="and", parts=parts):
                waiting += reversed(parts)
            case Quantified(kind="forall", variables=variables, body=body, line=line):
                cases = [task.of(types) for types in variables.values()]
                if prod(map(len, cases)) > _MOST_CASES:
                    raise UnsupportedError(f"{_place(task.files[1], line)}: the goal is about too many objects")
                names = (dict(zip(variables, each, strict=True)) for each in product(*cases))
                waiting += reversed([with_values(body, each) for each in names])
            case Connective(kind="imply", parts=(condition, result)) if fixed(condition):
                waiting += [result] if start.holds(condition, {}) else []
            case formula if not (fixed(formula) and start.holds(formula, {})):
                yield formula


def _operator(task: Task, action: Action, types: set[str], loosely: bool) -> Operator:
    """Return the action with those types of its parameters as conditions that tell objects apart."""
    needs, forbids, adds, deletes = set[Atom](), set[Atom](), set[Atom](), set[Atom]()
    for name, kinds in action.parameters.items():
        if len(kinds) > 1 and not loosely:
            raise UnsupportedError(f"{task.files[0]}: the parameter {name} of {action.name!r:.60} has several types")
        needs |= {Atom(f"type:{kind}", (name,)) for kind in kinds if kind in types and len(kinds) == 1}
    for positive, atom in _literals(task.files[0], action.precondition, loosely):
        (needs if positive else forbids).add(atom)
    for effect in action.effects:
        if effect.variables or [*conjuncts(effect.condition)]:
            if loosely:
                continue
            what = f"the effect of {action.name!r:.60} on {', '.join(map(str, effect.adds + effect.deletes)):.80}"
            raise UnsupportedError(f"{_place(task.files[0], effect.line)}: {what} is conditional")
        adds.update(effect.adds)
        deletes.update(effect.deletes)
    # A deletion of what is added as well changes nothing.
    return Operator(action.name, tuple(action.parameters), *map(frozenset, (needs, forbids, adds, deletes - adds)))


def _literals(file: str, formula: Formula, loosely: bool = False) -> Iterator[tuple[bool, Atom]]:
    """Yield the atoms of a conjunction, and whether they are positive."""
    for each in conjuncts(formula):
        match each:
            case Atom():
                yield True, _ordered(each)
            case Connective(kind="not", parts=(Atom() as atom,)):
                yield False, _ordered(atom)
            case Connective(line=line) | Quantified(line=line) if not loosely:
                text = f"{_place(file, line)}: {str(each)!r:.80} is not an atom"
                raise UnsupportedError(text, remedy="coc knows conjunctions of atoms")


def _ordered(atom: Atom) -> Atom:
    return Atom(EQUALS, tuple(sorted(atom.arguments))) if atom.predicate == EQUALS else atom


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if line else file
