"""River crossing: people step into the boat one by one or in pairs, and `row` ends a crossing if its rules were kept.

In PDDL, nobody can ask who else is on a bank. So two numbers are kept: of pairs that are split, and of agents on the
left bank. An actor without their agent is on a bank with another agent if and only if some pair is split and there are
agents on both banks. The crew of a crossing is either actors alone, or pairs and agents.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, PlanningModel, Reading
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
    "take-pair": slice(0, 2),
    "take-agent-from-actor": slice(0, 1),
    "take-agent-to-actor": slice(0, 1),
    "take-actor-from-agent": slice(1, 2),
    "take-actor-to-agent": slice(1, 2),
}
"""Which arguments of each step are those who cross."""


class RiverModel(PlanningModel):
    """A crossing of coc's is an action for each pair or single person in the boat, and `row` at its end."""

    domain = "river-crossing"

    def lifted(self, problem: Any) -> Lifted:
        return _LIFTED

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (_LIFTED,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        count, boat = problem.pairs, problem.boat
        numbers = [_number(each) for each in range(max(count, boat) + 1)]
        pairs = [(f"agent{each}", f"actor{each}") for each in range(1, count + 1)]
        people = [person for pair in pairs for person in pair]
        initial = {Atom("boat", ("left",)), Atom("only-actors", ()), Atom("no-actor-alone", ())}
        initial |= {Atom("opposite", pair) for pair in _OTHER.items()}
        initial |= {Atom("pair", pair) for pair in pairs} | {Atom("at", (person, "left")) for person in people}
        initial |= {Atom("next", pair) for pair in pairwise(numbers)}
        initial |= {Atom("split", ("n0",)), Atom("agents", (_number(count),))}
        initial |= {Atom("seats", (_number(boat),)), Atom("capacity", (_number(boat),))}
        initial |= {Atom("taken", (number,)) for number in numbers[:boat]}
        for fewer, more in pairwise(numbers[: count + 1]):
            initial |= {Atom("agent-leaves", ("left", more, fewer)), Atom("agent-leaves", ("right", fewer, more))}
        for split in range(count + 1):
            together = range(count + 1) if not split else (0, count)
            initial |= {Atom("fine", (_number(split), _number(agents))) for agents in together}
        goal = (*(Atom("at", (person, "right")) for person in people), Atom("boat", ("right",)))
        return Facts((*people, *_OTHER, *numbers), frozenset(initial), goal)

    def writer(self, problem: Any) -> Callable[[LazyScene, str], Sequence[Action]]:
        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            found = _MOVE.fullmatch(move)
            assert found is not None
            crew = {f"{_KINDS[name[0]]}{name[1:]}" for name in found[1].split(", ")}
            groups = {tuple(person for person in _pair(each) if person in crew) for each in crew}
            return list(_crossing(scene(), sorted(groups), found[2], problem.boat))

        return write

    def reader(self, problem: Any) -> Callable[[LazyScene, Action], str | None]:
        taken: list[Action] = []

        def read(scene: LazyScene, action: Action) -> str | None:
            name, arguments = action
            if name != "row":
                if name not in _STEPS or len(arguments) < 2 or _pair(arguments[0]) != arguments[:2]:
                    raise ValueError(f"it is neither row nor one of {', '.join(_STEPS)}, of an agent and their actor")
                taken.append(action)
                return None
            if len(arguments) != 6 or arguments[1] not in _OTHER:
                raise ValueError("it is not (row FROM TO SPLIT AGENTS SEATS CAPACITY)")
            steps = [*taken, action]
            taken.clear()
            groups = [each[_STEPS[name]] for name, each in steps[:-1]]
            if not groups or steps != list(_crossing(scene(), groups, arguments[1], problem.boat)):
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
        names = dict(zip(map(_number, range(len(numbers))), numbers, strict=True))
        names |= {"left": bank, "right": facts.pairs("opposite").get(bank, "")}
        for number, (agent, actor) in enumerate(pairs, 1):
            names |= {f"agent{number}": agent, f"actor{number}": actor}
        everybody = {Atom("at", (person, names["right"])) for pair in pairs for person in pair}
        if {*facts.goal} - {Atom("boat", (names["right"],))} != everybody or capacity not in numbers:
            raise UnsupportedError("river-crossing brings everybody to the other bank, and this problem is another one")
        return Reading(f"pairs={len(pairs)} boat={numbers.index(capacity)}", names)


def _number(value: int) -> str:
    return f"n{value}"


def _pair(person: str) -> tuple[str, str]:
    return f"agent{person[5:]}", f"actor{person[5:]}"


def _crossing(scene: Scene, groups: Iterable[tuple[str, ...]], to: str, boat: int) -> Iterator[Action]:
    """Yield the actions in which these pairs and single people, in this order, cross to a bank."""
    places = {
        f"{_KINDS[item.name[0]]}{item.name[1:]}": column.label.removesuffix(" bank")
        for column in scene.columns
        for item in column.items
        if item.name != "boat"
    }
    source, seats = _OTHER[to], boat

    def agents() -> int:
        return sum(place == "left" for person, place in places.items() if person.startswith("agent"))

    def split() -> int:
        return sum(places[person] != places[_pair(person)[1]] for person in places if person.startswith("agent"))

    for group in groups:
        agent, actor = _pair(group[0])
        if places.get(agent) is None or any(places[person] != source for person in group):
            raise ValueError(f"{' '.join(group)} can't cross from the {source} bank")
        before, together = (agents(), split()), places[agent] == places[actor]
        places.update(dict.fromkeys(group, to))
        changes = list(range(seats, seats - len(group) - 1, -1))
        seats -= len(group)
        if len(group) == 1:
            changes = [before[1], split(), *changes]
        if group[0] == agent:
            changes = [before[0], agents(), *changes]
        yield _step(group, together=together), (agent, actor, source, to, *map(_number, changes))
    yield "row", (source, to, *map(_number, (split(), agents(), seats, boat)))


def _step(group: tuple[str, ...], *, together: bool) -> str:
    """Return the operator with which a pair, or one of a pair that was together or not, crosses."""
    if len(group) == 2:
        return "take-pair"
    who, whom = ("agent", "actor") if group[0].startswith("agent") else ("actor", "agent")
    return f"take-{who}-{'from' if together else 'to'}-{whom}"
