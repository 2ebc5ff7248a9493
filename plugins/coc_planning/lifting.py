"""From a planning task to what domains are recognised by: operators that are sets of atoms; and its views, without what
coc's plans do not depend on.

A view is loose: an action of it may be illegal in the task. So coc's plans are simulated in the task's own operators.
What a view leaves out: operators that coc has no use for; negative conditions, such as that two blocks differ;
predicates that the domain of coc does not have; and objects that actions name, or that alone are of a kind, such as a
table or the only arm, which become a part of the predicates that are about them.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice, product
from math import prod

from attrs import evolve, frozen

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
from coc_planning.recognise import Budget, Places, Recognised, recognise

_MOST_CASES = 100_000  # of a goal about all objects
_MOST_VERSIONS = 64  # of the operators of a domain
_MOST_PAIRINGS = 20
_MOST_TRIALS = 20_000
_MOST_VIEWS = 20


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


@frozen
class View:
    """A part of a task: its operators; objects, start and goal; and for each operator, the task's, and for each of that
    one's parameters which one it is, or which object.
    """

    lifted: Lifted
    facts: Facts
    actions: Mapping[str, tuple[str, Places]]

    def paired(self, ours: Lifted, whole: Budget, slack: int) -> Iterator[Recognised]:
        """Yield the ways to pair a domain of coc with operators of the task, up to `slack` other atoms; `whole` limits
        the search with others.
        """
        mine, wanted = (
            Lifted.of(lifted.name, *(evolve(each, forbids=frozenset()) for each in lifted.operators))
            for lifted in (self.lifted, ours)
        )
        ways = recognise(mine, wanted, slack, surplus=True, budget=Budget(_MOST_TRIALS, whole))
        yield from map(self._original, islice(ways, _MOST_PAIRINGS))

    def _original(self, found: Recognised) -> Recognised:
        operators = dict[str, tuple[str, Places]]()
        for name, (theirs, order) in found.operators.items():
            original, arguments = self.actions[theirs]
            operators[name] = original, tuple(order[each] if isinstance(each, int) else each for each in arguments)
        return evolve(found, operators=operators)


def views(task: Task) -> Iterator[View]:
    """Yield a task's views; UnsupportedError if its goal is no conjunction."""
    lifted, facts = lift(task, loosely=True)
    named = {
        each for one in lifted.operators for atom in one.atoms() for each in atom.arguments if not each.startswith("?")
    }
    asked = {atom.predicate for each in lifted.operators for atom in each.needs if len(atom.arguments) == 1}
    kinds = [facts.holding(name) for name in sorted(asked - lifted.changing)]
    alone = sorted({name for found in kinds if len(found) == 1 for name in found[0]} - named)  # such as the only arm
    for fixed in [[], alone, *([each] for each in alone)][:_MOST_VIEWS]:
        yield _without(lifted, facts, {*named, *fixed})


def _without(lifted: Lifted, facts: Facts, fixed: Set[str]) -> View:
    """Return the view in which some objects are a part of the predicates that are about them."""
    changed = lifted.changing
    operators, actions = list[Operator](), dict[str, tuple[str, Places]]()
    for each in lifted.operators:
        choices = [_possible(each, name, facts, changed, fixed) for name in each.parameters]
        for chosen in islice(product(*choices), _MOST_VERSIONS):
            values = {name: value for name, value in zip(each.parameters, chosen, strict=True) if value != ""}
            version = _version(each, values, facts, changed, fixed)
            if version is not None and len(operators) < _MOST_VERSIONS:
                operators.append(version)
                places: dict[str, int | str] = {**values}
                places |= {name: place for place, name in enumerate(version.parameters)}
                actions[version.name] = each.name, tuple(places[name] for name in each.parameters)
    objects = tuple(each for each in facts.objects if each not in fixed)
    initial = frozenset(_folded(atom, fixed) for atom in facts.initial)
    goal = tuple(_folded(atom, fixed) for atom in facts.goal)
    return View(Lifted.of(lifted.name, *operators), Facts(objects, initial, goal), actions)


def _possible(operator: Operator, name: str, facts: Facts, changed: Set[str], fixed: Set[str]) -> list[str]:
    """Return what a parameter may be: some fixed objects; as an empty text, any other."""
    allowed = {*facts.objects}
    for atom in operator.needs:
        if atom.arguments == (name,) and atom.predicate not in changed:
            allowed &= {each for (each,) in facts.holding(atom.predicate)}
    chosen = sorted(allowed & fixed)
    return [*([""] if allowed - fixed or not chosen else []), *chosen]


def _version(
    operator: Operator, values: Mapping[str, str], facts: Facts, changed: Set[str], fixed: Set[str]
) -> Operator | None:
    """Return an operator with objects in place of some parameters; None if it can never be used."""

    def put(atoms: Iterable[Atom]) -> set[Atom]:
        return {Atom(atom.predicate, tuple(values.get(each, each) for each in atom.arguments)) for atom in atoms}

    needs = set[Atom]()
    for atom in put(operator.needs):
        if atom.predicate == EQUALS:
            if len({*atom.arguments}) > 1:
                return None
        elif fixed >= {*atom.arguments} and atom.predicate not in changed:
            if atom not in facts.initial:
                return None
        else:
            needs.add(_folded(atom, fixed))
    if any(atom.predicate == EQUALS and len({*atom.arguments}) == 1 for atom in put(operator.forbids)):
        return None
    name = "@".join([operator.name, *(f"{name}={value}" for name, value in values.items())])
    parameters = tuple(each for each in operator.parameters if each not in values)
    adds, deletes = ({_folded(atom, fixed) for atom in put(part)} for part in (operator.adds, operator.deletes))
    return Operator(name, parameters, *map(frozenset, (needs, (), adds - (needs - deletes), deletes)))


def _folded(atom: Atom, fixed: Set[str]) -> Atom:
    """Return an atom in which some objects are a part of the predicate."""
    places = [f"{place}={each}" for place, each in enumerate(atom.arguments) if each in fixed]
    if not places:
        return atom
    return Atom("@".join([atom.predicate, *places]), tuple(each for each in atom.arguments if each not in fixed))
