"""Miconic: a lift takes passengers from their floors to others.

It goes down to the lowest floor with anything to do, then up to the highest one, and back down. On the way up
everybody gets in, and all get out where they want to.
"""

from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Up, Down, Board, BoardOnce, Depart = operators("""
up ?start ?end - floor: (lift-at ?start) (above ?start ?end) -> (lift-at ?end) (not (lift-at ?start))
down ?start ?end - floor: (lift-at ?start) (above ?end ?start) -> (lift-at ?end) (not (lift-at ?start))
board ?floor ?passenger: (lift-at ?floor) (origin ?passenger ?floor) -> (boarded ?passenger)
board ?floor ?passenger: (lift-at ?floor) (origin ?passenger ?floor)
    -> (boarded ?passenger) (not (origin ?passenger ?floor))
depart ?floor ?passenger: (lift-at ?floor) (destin ?passenger ?floor) (boarded ?passenger)
    -> (served ?passenger) (not (boarded ?passenger))
""")


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
def serve(start: Floor, lowest: Floor, end: Floor | None) -> Steps[None]:
    """Serve all passengers."""
    if start != lowest:
        yield Down(start, lowest)
    at = yield ride(lowest, lowest)
    if end and at != end:
        if at != lowest:
            yield Down(at, lowest)
        if end != lowest:
            yield Up(lowest, end)


@procedure
def ride(at: Floor, floor: Floor) -> Steps[Floor]:
    """Ride up to a floor and on from there, then back down to it. Returns where the lift is."""
    here = yield read(floor)
    if here.waiting or here.coming:
        if at != floor:
            yield Up(at, floor)
        yield stop(floor)
        at = floor
    up = (yield read(floor)).up
    if up:
        at = yield ride(at, up)
    if (yield read(floor)).coming:
        yield Down(at, floor)
        yield stop(floor)
        return floor
    return at


@procedure
def stop(floor: Floor) -> Steps[None]:
    """At a floor, let in all who wait, then out all who go there."""
    waiting = (yield read(floor)).waiting
    yield write(floor, waiting=None)
    for passenger in chain(waiting, "next"):
        yield Board(floor, passenger)
        goal = yield read(passenger.to)
        yield write(goal, coming=passenger)
        yield write(passenger, next=goal.coming)
    coming = (yield read(floor)).coming
    yield write(floor, coming=None)
    for passenger in chain(coming, "next"):
        yield Depart(floor, passenger)


class Miconic(PlanningProgram):
    """n passengers, whom a lift takes to other floors."""

    name = "miconic"
    main = serve
    operators = (Board, Depart, Up, Down)
    variants = ((BoardOnce, Depart, Up, Down),)
    classes = {"passenger": Passenger, "floor": Floor}
    exactly_one = ("(lift-at _)", "(destin ?passenger _)")
    at_most_one = ("(origin ?passenger _)",)
    picture = Drawing(
        "floor",
        {"origin": "{0} in {1}", "served": "{0} in -", "boarded": "{0} in lift", "lift-at": "lift in {0}"},
        carriers="lift",
        kind="shaft",
    )
    goals = "(served ?passenger) (lift-at _)"

    def build(self, world: World) -> Call:
        start, here, end = world.start, world.start.one("lift-at", Floor), world.goal.one("lift-at", Floor)
        floors = sorted(world[Floor], key=lambda floor: len(start.all("above", Floor, floor)))
        if any({*start.all("above", Floor, floor)} != {*floors[:level]} for level, floor in enumerate(floors)):
            raise ValueError("(above ...) does not order all floors, from the lowest up")
        served = {*world.left("served", Passenger)}
        inside = {passenger for passenger in served if start.holds("boarded", passenger)}
        outside = served - inside
        for floor in floors:
            floor.waiting = linked(each for each in start.all("origin", Passenger, floor) if each in outside)
            floor.coming = linked(each for each in start.all("destin", Passenger, floor) if each in inside)
        for passenger in world[Passenger]:
            passenger.to = start.one("destin", passenger, Floor)
        ends = {here, end, *(passenger.to for passenger in served)}
        stops = linked((floor for floor in floors if floor.waiting or floor in ends), "up")
        return serve(here, stops, end)

    def impossible(self, world: World) -> str | None:
        start = world.start
        for passenger in world.left("served", Passenger):
            if not start.holds("boarded", passenger) and not start.all("origin", passenger, Floor):
                return f"{world.name(passenger)} is nowhere"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        passengers, floors = named("p", n), named("f", rng.randint(1, n + 3))
        start = [f"above {lower} {upper}" for number, upper in enumerate(floors) for lower in floors[:number]]
        start += [f"{each} {name} {rng.choice(floors)}" for name in passengers for each in ("origin", "destin")]
        start += [f"boarded {name}" for name in passengers if rng.random() < 0.1]
        goal = [f"served {name}" for name in passengers if rng.random() < 0.9]
        goal += [f"lift-at {rng.choice(floors)}"] * (rng.random() < 0.25)
        return {"passenger": passengers, "floor": floors}, [*start, f"lift-at {rng.choice(floors)}"], goal
