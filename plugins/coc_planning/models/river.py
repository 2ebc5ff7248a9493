"""River crossing: people step into the boat one by one or in pairs, and `row` ends a crossing if its rules were kept.

In PDDL, nobody can ask who else is on a bank. So two numbers are kept: of pairs that are split, and of agents on the
left bank. An actor without their agent is on a bank with another agent if and only if some pair is split and there are
agents on both banks. The crew of a crossing is either actors alone, or pairs and agents.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator, matches
from coc_planning.models.base import Action, LazyScene, PlanningModel, Reader, Reading, Writer, renamed
from coc_planning.pddl.task import Atom

_CROSSING = "(boat ?from) (opposite ?from ?to) (pair ?agent ?actor)"
_AGENTS = "(agents ?a) (agent-leaves ?from ?a ?b)"
_SPLIT = "(split ?n) (next ?n ?m)"
_JOINED = "(split ?n) (next ?m ?n)"
_SEAT = "(seats ?s) (next ?t ?s)"


def _agent(name: str, place: str, change: str) -> Operator:
    """Return an agent crosses alone, whose actor is on that bank."""
    return Operator.of(
        f"{name} ?agent ?actor ?from ?to ?a ?b ?n ?m ?s ?t",
        f"{_CROSSING} (at ?agent ?from) (at ?actor {place}) {_AGENTS} {change} {_SEAT} (no-actor-alone)",
        "(at ?agent ?to) (agents ?b) (split ?m) (seats ?t)",
        "(at ?agent ?from) (agents ?a) (split ?n) (seats ?s) (only-actors)",
    )


def _actor(name: str, place: str, change: str) -> Operator:
    """Return an actor crosses alone, whose agent is on that bank."""
    return Operator.of(
        f"{name} ?agent ?actor ?from ?to ?n ?m ?s ?t",
        f"{_CROSSING} (at ?actor ?from) (at ?agent {place}) {change} {_SEAT} (only-actors)",
        "(at ?actor ?to) (split ?m) (seats ?t)",
        "(at ?actor ?from) (split ?n) (seats ?s) (no-actor-alone)",
    )


_LIFTED = Lifted.of(
    "river-crossing",
    Operator.of(
        "take-pair ?agent ?actor ?from ?to ?a ?b ?s ?t ?u",
        f"{_CROSSING} (at ?agent ?from) (at ?actor ?from) {_AGENTS} {_SEAT} (next ?u ?t) (no-actor-alone)",
        "(at ?agent ?to) (at ?actor ?to) (agents ?b) (seats ?u)",
        "(at ?agent ?from) (at ?actor ?from) (agents ?a) (seats ?s) (only-actors)",
    ),
    _agent("take-agent-from-actor", "?from", _SPLIT),
    _agent("take-agent-to-actor", "?to", _JOINED),
    _actor("take-actor-from-agent", "?from", _SPLIT),
    _actor("take-actor-to-agent", "?to", _JOINED),
    Operator.of(
        "row ?from ?to ?n ?a ?s ?c",
        "(boat ?from) (opposite ?from ?to) (split ?n) (agents ?a) (fine ?n ?a) (seats ?s) (taken ?s) (capacity ?c)",
        "(boat ?to) (seats ?c) (only-actors) (no-actor-alone)",
        "(boat ?from) (seats ?s)",
    ),
)
_MOVE = re.compile(r"Row \[(.*)\] to the (left|right) bank")
_OTHER = {"left": "right", "right": "left"}
_KINDS = {"A": "agent", "a": "actor"}
_SHORT = {kind: letter for letter, kind in _KINDS.items()}
_STEPS = {
    each.name: [place for place, name in enumerate(each.parameters) if Atom("at", (name, "?to")) in each.adds]
    for each in _LIFTED.operators
}
"""Which arguments of each action are those who cross."""


class RiverModel(PlanningModel):
    """A crossing of coc's is an action for each pair or single person in the boat, and `row` at its end."""

    domain = "river-crossing"
    forms = (_LIFTED,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        holding = self._holding(problem, scene)
        people = [person for pair in sorted(holding["pair"], key=lambda pair: int(pair[0][5:])) for person in pair]
        goal = (*(Atom("at", (person, "right")) for person in people), Atom("boat", ("right",)))
        initial = frozenset(Atom(name, each) for name, several in holding.items() for each in several)
        return Facts((*people, *_OTHER, *_numbers(problem)), initial, goal)

    def _holding(self, problem: Any, scene: Scene) -> dict[str, set[tuple[str, ...]]]:
        """Return the arguments of the atoms that hold in a scene, by predicate."""
        count, numbers = problem.pairs, _numbers(problem)
        places = {item.name: column.label.split(" ")[0] for column in scene.columns for item in column.items}
        boat, at = places.pop("boat"), {f"{_KINDS[name[0]]}{name[1:]}": bank for name, bank in places.items()}
        pairs = [_pair(person) for person in at if person.startswith("agent")]
        steps = [*pairwise(numbers[: count + 1])]
        return {
            "boat": {(boat,)},
            "opposite": {*_OTHER.items()},
            "pair": {*pairs},
            "at": {*at.items()},
            "next": {*pairwise(numbers)},
            "split": {(numbers[sum(at[agent] != at[actor] for agent, actor in pairs)],)},
            "agents": {(numbers[sum(at[agent] == "left" for agent, _ in pairs)],)},
            "agent-leaves": {("left", more, fewer) for fewer, more in steps} | {("right", *step) for step in steps},
            "fine": {("n0", number) for number in numbers[: count + 1]}
            | {(number, alone) for number in numbers[: count + 1] for alone in ("n0", numbers[count])},
            "seats": {(numbers[problem.boat],)},
            "capacity": {(numbers[problem.boat],)},
            "taken": {(number,) for number in numbers[: problem.boat]},
            "only-actors": {()},
            "no-actor-alone": {()},
        }

    def writer(self, problem: Any) -> Writer:
        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            found = _MOVE.fullmatch(move)
            assert found is not None
            crew = {f"{_KINDS[name[0]]}{name[1:]}" for name in found[1].split(", ")}
            groups = {tuple(person for person in _pair(each) if person in crew) for each in crew}
            return list(_crossing(self._holding(problem, scene()), sorted(groups), found[2]))

        return write

    def reader(self, problem: Any) -> Reader:
        taken: list[Action] = []

        def read(scene: LazyScene, action: Action) -> str | None:
            name, arguments = action
            if name != "row":
                if name not in _STEPS or len(arguments) < 2 or _pair(arguments[0]) != arguments[:2]:
                    names = ", ".join([*_STEPS][:-1])
                    raise ValueError(f"it is neither row nor one of {names}, of an agent and their actor")
                taken.append(action)
                return None
            if len(arguments) != 6 or arguments[1] not in _OTHER:
                raise ValueError("it is not (row FROM TO SPLIT AGENTS SEATS CAPACITY)")
            steps = [*taken, action]
            taken.clear()
            groups = [tuple(each[place] for place in _STEPS[name]) for name, each in steps[:-1]]
            if not groups or steps != list(_crossing(self._holding(problem, scene()), groups, arguments[1])):
                raise ValueError("the steps before it do not make a crossing")
            crew = sorted((int(person[5:]), _SHORT[person[:5]]) for group in groups for person in group)
            return f"Row [{', '.join(f'{kind}{number}' for number, kind in crew)}] to the {arguments[1]} bank"

        return read

    def read(self, facts: Facts) -> Reading:
        pairs, following = facts.holding("pair"), facts.pairs("next")
        numbers = [number for number in following if number not in following.values()]
        while numbers and numbers[-1] in following and len(numbers) <= len(following):
            numbers.append(following[numbers[-1]])
        bank = next((bank for (bank,) in facts.holding("boat")), "")
        capacity = next((number for (number,) in facts.holding("capacity")), "")
        names = {f"n{value}": number for value, number in enumerate(numbers)}
        names |= {"left": bank, "right": facts.pairs("opposite").get(bank, "")}
        for number, (agent, actor) in enumerate(pairs, 1):
            names |= {f"agent{number}": agent, f"actor{number}": actor}
        everybody = {Atom("at", (person, names["right"])) for pair in pairs for person in pair}
        if {*facts.goal} - {Atom("boat", (names["right"],))} != everybody or capacity not in numbers:
            raise UnsupportedError("river-crossing brings everybody to the other bank, and this problem is another one")
        return Reading(f"pairs={len(pairs)} boat={numbers.index(capacity)}", names)


def _numbers(problem: Any) -> list[str]:
    return [f"n{value}" for value in range(max(problem.pairs, problem.boat) + 1)]


def _pair(person: str) -> tuple[str, str]:
    return f"agent{person[5:]}", f"actor{person[5:]}"


def _crossing(
    state: Mapping[str, set[tuple[str, ...]]], groups: Iterable[tuple[str, ...]], to: str
) -> Iterator[Action]:
    """Yield the actions in which these pairs and single people, in this order, cross to a bank."""
    for group in (*groups, ()):
        for operator in _LIFTED.operators:
            known = dict(zip(operator.parameters, _pair(group[0]), strict=False)) if group else {}
            crossing = tuple(known.get(operator.parameters[place]) for place in _STEPS[operator.name])
            needs = sorted(operator.needs, key=lambda atom: len(state[atom.predicate]))
            found = next(matches(needs, state, {"?to": to, **known}), None) if crossing == group else None
            if found is not None:
                yield operator.name, tuple(found[name] for name in operator.parameters)
                for atom in renamed(operator.deletes, found):
                    state[atom.predicate].discard(atom.arguments)
                for atom in renamed(operator.adds, found):
                    state[atom.predicate].add(atom.arguments)
                break
        else:
            raise ValueError(f"{' '.join(group)} can't cross from the {_OTHER[to]} bank")
