"""Miconic: a lift takes passengers from their floors to others.

It goes to the lowest floor with anything to do, then up to the highest one, and back down. On the way up everybody gets
in, and all get out where they want to.
"""

import random
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from coc_algorithms.ipc.stated import Stated, Task, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

_FLOORS = "(floor ?start) (floor ?end) (lift-at ?start)"
_HERE = "(floor ?floor) (passenger ?passenger) (lift-at ?floor)"
Up = action("up ?start ?end", f"{_FLOORS} (above ?start ?end)", "(lift-at ?end)", "(lift-at ?start)")
Down = action("down ?start ?end", f"{_FLOORS} (above ?end ?start)", "(lift-at ?end)", "(lift-at ?start)")
Board = action("board ?floor ?passenger", f"{_HERE} (origin ?passenger ?floor)", "(boarded ?passenger)", deletes="")
Depart = action(
    "depart ?floor ?passenger",
    f"{_HERE} (destin ?passenger ?floor) (boarded ?passenger)",
    adds="(served ?passenger)",
    deletes="(boarded ?passenger)",
)


class Passenger(Record):
    """Somebody who is to be served, the floor to go to, and the next one who waits, or who goes to the same floor."""

    to: "Floor"
    next: "Passenger | None" = None


class Floor(Record):
    """A floor: who waits there, who is in the lift and goes there, and the next floor above with anything to do."""

    waiting: Passenger | None = None
    coming: Passenger | None = None
    up: "Floor | None" = None


@procedure
def serve(start: Floor, way: Literal["up", "down"] | None, lowest: Floor, end: Floor | None) -> Steps[None]:
    """Serve all passengers. From the start, the lowest floor lies up or down, or is the same."""
    if way == "up":
        yield Up(start.number, lowest.number)
    elif way == "down":
        yield Down(start.number, lowest.number)
    yield stop(lowest)
    first = yield read(lowest)
    last: Floor = lowest
    if first.up:
        last = yield ride(lowest, first.up)
    first = yield read(lowest)
    if first.coming or end:
        if last != lowest:
            yield Down(last.number, lowest.number)
        yield empty(lowest)
        if end and end != lowest:
            yield Up(lowest.number, end.number)


@procedure
def ride(at: Floor, floor: Floor) -> Steps[Floor]:
    """Ride up to a floor and on from there, then back down to it. Returns where the lift is."""
    here = yield read(floor)
    stops = here.waiting or here.coming
    if stops:
        yield Up(at.number, floor.number)
        yield stop(floor)
    last: Floor = floor if stops else at
    here = yield read(floor)
    if here.up:
        last = yield ride(last, here.up)
    here = yield read(floor)
    if here.coming:
        yield Down(last.number, floor.number)
        yield empty(floor)
        last = floor
    return last


@procedure
def stop(floor: Floor) -> Steps[None]:
    """At a floor, let in all who wait, then out all who go there."""
    here = yield read(floor)
    yield write(floor, waiting=None)
    for passenger in chain(here.waiting, "next"):
        yield Board(floor.number, passenger.number)
        goal = yield read(passenger.to)
        yield write(goal, coming=passenger)
        yield write(passenger, next=goal.coming)
    yield empty(floor)


@procedure
def empty(floor: Floor) -> Steps[None]:
    """Let everybody out who goes to a floor."""
    here = yield read(floor)
    yield write(floor, coming=None)
    for passenger in chain(here.coming, "next"):
        yield Depart(floor.number, passenger.number)


class Lift(Task):
    """A problem of the lift."""

    functions = {"lift-at": 0, "origin": 1, "destin": 1}

    def check(self) -> None:
        assert (self.the("lift-at"), self.ways) is not None
        for lower, upper in self.holding("above"):
            if self.levels[lower] >= self.levels[upper]:
                raise ValueError(f"(above {lower} {upper}) and others have no order of the floors from the lowest up")
        floors = len(self.of("floor"))
        if len({*self.holding("above")}) != floors * (floors - 1) // 2:
            raise ValueError("some floor is neither above another one nor below it")
        if left := self.holding("boarded", self.goal):
            raise ValueError(f"the goal (boarded {left[0][0]}) leaves somebody in the lift; let them out")

    @cached_property
    def levels(self) -> dict[str, int]:
        """The number of floors below each floor."""
        uppers = [upper for _, upper in self.holding("above")]
        counts = dict.fromkeys(self.of("floor"), 0)
        for upper in uppers:
            counts[upper] += 1
        return counts

    @cached_property
    def ways(self) -> dict[str, tuple[str | None, str]]:
        """Where each passenger waits who is to be served, None for in the lift, and where they go."""
        start, end = (self.mapping(name, total="passenger") for name in ("origin", "destin"))
        inside, wanted = self.every("boarded"), {*self.left("served")}
        return {name: (None if name in inside else start[name], end[name]) for name in start if name in wanted}


class Miconic(Stated[Lift]):
    """n passengers, whom a lift takes to other floors."""

    name = "miconic"
    task = Lift
    classes = {"passenger": Passenger, "floor": Floor}
    counted = "passenger"
    operators = (Board, Depart, Up, Down)
    main = serve

    def _problem(self, n: int, rng: random.Random) -> Lift:
        floors = [f"f{number}" for number in range(1, rng.randint(2, n + 4))]
        passengers = [f"p{number}" for number in range(1, n + 1)]
        usual = rng.random() < 0.5
        start = [f"passenger {name}" for name in passengers] + [f"floor {name}" for name in floors]
        start += [f"above {lower} {upper}" for number, upper in enumerate(floors) for lower in floors[:number]]
        start += [f"{each} {name} {rng.choice(floors)}" for name in passengers for each in ("origin", "destin")]
        start += [f"boarded {name}" for name in passengers if not usual and rng.random() < 0.2]
        goal = [f"served {name}" for name in passengers if usual or rng.random() < 0.9]
        goal += [f"lift-at {rng.choice(floors)}"] * (not usual)
        return Lift.of_texts([*start, f"lift-at {rng.choice(floors)}"], goal)

    def begin(self, problem: Lift) -> tuple[Call, Sequence[Record]]:
        floors = {name: Floor() for name in problem.of("floor")}
        here, end = problem.the("lift-at"), problem.only("lift-at", goal=True)
        passengers = {
            name: Passenger(to=floors[problem.ways.get(name, (None, here))[1]]) for name in problem.of("passenger")
        }
        for name, floor in floors.items():
            floor.waiting = linked(passengers[each] for each, (start, _) in problem.ways.items() if start == name)
            inside = (each for each, (start, to) in problem.ways.items() if start is None and to == name)
            floor.coming = linked(map(passengers.__getitem__, inside))
        used = {floor for way in problem.ways.values() for floor in way if floor} | ({end} if end else set())
        order = sorted(used, key=problem.levels.__getitem__) or [here]
        linked((floors[name] for name in order), "up")
        level = problem.levels
        way = None if order[0] == here else "up" if level[order[0]] > level[here] else "down"
        call = serve(floors[here], way, floors[order[0]], end and floors[end])
        return call, [*passengers.values(), *floors.values()]
