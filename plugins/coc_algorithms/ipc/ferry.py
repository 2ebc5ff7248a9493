"""Ferry: a ferry that holds one car brings cars to where they belong.

From where it has left a car it takes the next one that has to go, and sails on empty only if there is none.
"""

from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Sail, Board, Debark = operators("""
sail ?start ?end - location: (at-ferry ?start) -> (at-ferry ?end) (not (at-ferry ?start))
board ?car ?location: (at ?car ?location) (at-ferry ?location) (empty-ferry)
    -> (on ?car) (not (at ?car ?location)) (not (empty-ferry))
debark ?car ?location: (on ?car) (at-ferry ?location) -> (at ?car ?location) (empty-ferry) (not (on ?car))
""")


class Car(Record):
    """A car that has to go, where it belongs, and the next one at the same place."""

    to: "Location"
    next: "Car | None" = None


class Location(Record):
    """A place: the cars that have to go from there, and the next such place."""

    cars: Car | None = None
    next: "Location | None" = None


@procedure
def deliver(at: Location, held: Car | None, places: Location | None, end: Location | None) -> Steps[None]:
    """Bring the car on the ferry, and then those at all these places, to where they belong."""
    if held:
        car = yield read(held)
        if at != car.to:
            yield Sail(at, car.to)
        yield Debark(held, car.to)
        at = car.to
    for place in chain(places, "next"):
        while (yield read(place)).cars:
            if at != place:
                yield Sail(at, place)
            at = yield carry(place)
    if end and at != end:
        yield Sail(at, end)


@procedure
def carry(place: Location) -> Steps[Location]:
    """Bring a car from where the ferry is, then one from there, and so on. Returns where there was none."""
    here = yield read(place)
    if not here.cars:
        return place
    car = yield read(here.cars)
    yield Board(here.cars, place)
    yield Sail(place, car.to)
    yield Debark(here.cars, car.to)
    yield write(place, cars=car.next)
    return (yield carry(car.to))


class Ferry(PlanningProgram):
    """n cars, which a ferry brings to where they belong, one at a time."""

    name = "ferry"
    main = deliver
    operators = (Sail, Board, Debark)
    classes = {"car": Car, "location": Location}
    exactly_one = ("(at-ferry _)", "(at ?car _) (on ?car)", "(on _) (empty-ferry)")
    picture = Drawing(
        "location",
        {"at": "{0} in {1}", "at-ferry": "ferry in {0}", "on": "{0} in ferry"},
        carriers="ferry",
        implied="empty-ferry",
    )
    goals = "(at ?car _) (at-ferry _) (empty-ferry)"

    def build(self, world: World) -> Call:
        start, goal = world.start, world.goal
        here = start.one("at-ferry", Location)
        for car in world[Car]:
            car.to = goal.one("at", car, Location) or start.one("at", car, Location) or here
        for place in world[Location]:
            place.cars = linked(car for car in start.all("at", Car, place) if car.to != place)
        busy = linked(place for place in world[Location] if place.cars)
        return deliver(here, start.one("on", Car), busy, goal.one("at-ferry", Location))

    def draw(self, n: int, rng: Random) -> Drawn:
        cars, places = named("c", n), named("l", rng.randint(1, n // 2 + 3))
        held = rng.choice(cars) if rng.random() < 0.25 else None
        start = [f"at {car} {rng.choice(places)}" for car in cars if car != held]
        start += [f"at-ferry {rng.choice(places)}", f"on {held}" if held else "empty-ferry"]
        goal = [f"at {car} {rng.choice(places)}" for car in cars if rng.random() < 0.9]
        goal += [f"at-ferry {rng.choice(places)}"] * (rng.random() < 0.25)
        return {"car": cars, "location": places}, start, goal
