"""Ferry: a ferry that holds one car brings cars to where they belong.

From where it has left a car it takes the next one that has to go, and sails on empty only if there is none.
"""

import random
from collections.abc import Sequence
from functools import cached_property

from coc_algorithms.ipc.stated import Placed, Stated, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Sail = action(
    "sail ?start ?end", "(location ?start) (location ?end) (at-ferry ?start)", "(at-ferry ?end)", "(at-ferry ?start)"
)
Board = action(
    "board ?car ?place",
    "(car ?car) (location ?place) (at ?car ?place) (at-ferry ?place) (empty-ferry)",
    adds="(on ?car)",
    deletes="(at ?car ?place) (empty-ferry)",
)
Debark = action(
    "debark ?car ?place",
    "(car ?car) (location ?place) (on ?car) (at-ferry ?place)",
    adds="(at ?car ?place) (empty-ferry)",
    deletes="(on ?car)",
)


class Car(Record):
    """A car that has to go, where it belongs, and the next one at the same place."""

    to: "Location"
    next: "Car | None" = None


class Location(Record):
    """A place: the cars that have to go from there, and the next such place."""

    cars: Car | None = None
    next: "Location | None" = None


@procedure
def deliver(here: Location, held: Car | None, places: Location | None, end: Location | None) -> Steps[None]:
    """Bring the car on the ferry, and then those at all these places, to where they belong."""
    at = here
    if held:
        at = yield release(here, held)
    for place in chain(places, "next"):
        at = yield clear(at, place)
    if end and at != end:
        yield Sail(at.number, end.number)


@procedure
def release(here: Location, held: Car) -> Steps[Location]:
    """Bring the car on the ferry to where it belongs. Returns where that is."""
    car: Car = yield read(held)
    if here != car.to:
        yield Sail(here.number, car.to.number)
    yield Debark(held.number, car.to.number)
    return car.to


@procedure
def clear(at: Location, place: Location) -> Steps[Location]:
    """Bring all cars of a place to where they belong. Returns where the ferry is then."""
    here = yield read(place)
    if not here.cars:
        return at
    if at != place:
        yield Sail(at.number, place.number)
    last = yield carry(place)
    end: Location = yield clear(last, place)
    return end


@procedure
def carry(place: Location) -> Steps[Location]:
    """Bring a car from where the ferry is, then one from there, and so on. Returns where there was none."""
    here = yield read(place)
    if not here.cars:
        return place
    car = yield read(here.cars)
    yield Board(here.cars.number, place.number)
    yield Sail(place.number, car.to.number)
    yield Debark(here.cars.number, car.to.number)
    yield write(place, cars=car.next)
    end: Location = yield carry(car.to)
    return end


class Crossing(Placed):
    """A problem of the ferry."""

    functions = {"at": 1, "at-ferry": 0, "on": 0}

    def check(self) -> None:
        self.the("at-ferry")
        for car in self.of("car"):
            if (car == self.held) == (car in self.place_of):
                raise ValueError(f"{car} is {'on the ferry and at a place' if car == self.held else 'nowhere'}")
        if (self.held is None) != (("empty-ferry",) in {(atom.predicate,) for atom in self.start}):
            raise ValueError("(empty-ferry) has to hold just if no car is on the ferry")
        if staying := self.only("on", goal=True):
            raise ValueError(f"the goal (on {staying}) leaves a car on the ferry; bring it to a place")

    @cached_property
    def held(self) -> str | None:
        """The car on the ferry."""
        return self.only("on")


class Ferry(Stated[Crossing]):
    """n cars, which a ferry brings to where they belong, one at a time."""

    name = "ferry"
    task = Crossing
    classes = {"car": Car, "location": Location}
    counted = "car"
    operators = (Sail, Board, Debark)
    main = deliver

    def _problem(self, n: int, rng: random.Random) -> Crossing:
        places = [f"l{number}" for number in range(1, rng.randint(1, n // 2 + 3) + 1)]
        cars = [f"c{number}" for number in range(1, n + 1)]
        usual = rng.random() < 0.5
        held = None if usual or rng.random() < 0.5 else rng.choice(cars)
        start = [f"car {name}" for name in cars] + [f"location {name}" for name in places]
        start += [f"at {name} {rng.choice(places)}" for name in cars if name != held]
        start += [f"at-ferry {rng.choice(places)}", f"on {held}" if held else "empty-ferry"]
        goal = [f"at {name} {rng.choice(places)}" for name in cars if usual or rng.random() < 0.8]
        return Crossing.of_texts(start, goal + [f"at-ferry {rng.choice(places)}"] * (not usual and rng.random() < 0.5))

    def begin(self, problem: Crossing) -> tuple[Call, Sequence[Record]]:
        places = {name: Location() for name in problem.of("location")}
        here, held, end = problem.the("at-ferry"), problem.held, problem.only("at-ferry", goal=True)
        start = {name: problem.place_of.get(name, here) for name in problem.of("car")}
        cars = {name: Car(to=places[problem.wanted.get(name, place)]) for name, place in start.items()}
        for name, place in places.items():
            going = (cars[car] for car in cars if car != held and start[car] == name and cars[car].to != place)
            place.cars = linked(going)
        first = linked(place for place in places.values() if place.cars)
        call = deliver(places[here], held and cars[held], first, end and places[end])
        return call, [*cars.values(), *places.values()]
