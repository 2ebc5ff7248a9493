"""From a planning task to what domains are recognised by: operators that are sets of atoms."""

from collections.abc import Iterable, Iterator

from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator, distinguishing, type_atom
from coc_planning.pddl.task import EQUALS, Action, Atom, Connective, Formula, Quantified, Task, conjuncts


def lift(task: Task, *, loosely: bool = False) -> tuple[Lifted, Facts]:
    """The domain and the problem, without the costs of actions.

    Args:
        task: The task.
        loosely: Whether operators that can't be had are left out, and operators may name objects.

    Raises:
        UnsupportedError: A condition is not a conjunction of atoms, or an effect is a conditional one.
    """
    kinds = {name: {above for each in types for above in task.supertypes[each]} for name, types in task.objects.items()}
    used = {kind for action in task.actions.values() for types in action.parameters.values() for kind in types}
    types = distinguishing(used, list(kinds.values()))
    operators = list[Operator]()
    for action in task.actions.values():
        try:
            operators.append(_operator(task, action, types))
        except UnsupportedError:
            if not loosely:
                raise
    if not loosely:
        _check_variables(task, operators)
    initial = task.initial | {type_atom(kind, name) for name in kinds for kind in kinds[name] & types}
    for each in conjuncts(task.goal):
        if isinstance(each, Connective) and each.kind == "not":
            raise UnsupportedError(f"{_place(task.files[1], each.line)}: the goal has atoms that shall not hold")
    goal = tuple(atom for _, atom in _literals(task.files[1], task.goal))
    return Lifted.of(task.domain, *operators), Facts(tuple(task.objects), initial, goal)


def _operator(task: Task, action: Action, types: set[str]) -> Operator:
    """The action with those types of its parameters as conditions that tell objects apart."""
    needs, forbids, adds, deletes = set[Atom](), set[Atom](), set[Atom](), set[Atom]()
    for name, kinds in action.parameters.items():
        if len(kinds) > 1:
            raise UnsupportedError(f"{task.files[0]}: the parameter {name} of {action.name!r:.60} has several types")
        needs |= {type_atom(kind, name) for kind in kinds if kind in types}
    for positive, atom in _literals(task.files[0], action.precondition):
        (needs if positive else forbids).add(atom)
    for effect in action.effects:
        if effect.variables or [*conjuncts(effect.condition)]:
            what = f"the effect of {action.name!r:.60} on {', '.join(map(str, effect.adds + effect.deletes)):.80}"
            raise UnsupportedError(f"{_place(task.files[0], effect.line)}: {what} is conditional")
        adds.update(effect.adds)
        deletes.update(effect.deletes)
    # A deletion of what is added as well changes nothing.
    return Operator(action.name, tuple(action.parameters), *map(frozenset, (needs, forbids, adds, deletes - adds)))


def _check_variables(task: Task, operators: Iterable[Operator]) -> None:
    """UnsupportedError if an operator names an object."""
    for each in operators:
        for atom in each.atoms():
            if not {*atom.arguments} <= {*each.parameters}:
                raise UnsupportedError(f"{task.files[0]}: the action {each.name!r:.60} names an object in {atom}")


def _literals(file: str, formula: Formula) -> Iterator[tuple[bool, Atom]]:
    """The atoms of a conjunction, and whether they are positive."""
    for each in conjuncts(formula):
        match each:
            case Atom():
                yield True, _ordered(each)
            case Connective(kind="not", parts=(Atom() as atom,)):
                yield False, _ordered(atom)
            case Connective(line=line) | Quantified(line=line):
                text = f"{_place(file, line)}: {str(each)!r:.80} is not an atom"
                raise UnsupportedError(text, remedy="coc knows conjunctions of atoms")


def _ordered(atom: Atom) -> Atom:
    return Atom(EQUALS, tuple(sorted(atom.arguments))) if atom.predicate == EQUALS else atom


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if line else file
