"""Logistics: packages are brought to places by trucks within cities, and by airplanes between airports.

Each truck collects all packages of its city that are not where they belong. An airplane goes through the cities once to
take what belongs to others, and back to bring it. Then each truck delivers.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from coc_algorithms.ipc.stated import Placed, Stated, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

_TRUCK = "(package ?package) (truck ?truck) (location ?place)"
_PLANE = "(package ?package) (airplane ?plane) (location ?place)"
_IN_TRUCK, _IN_PLANE, _HERE = "(in ?package ?truck)", "(in ?package ?plane)", "(at ?package ?place)"
LoadTruck = action(
    "load-truck ?package ?truck ?place", f"{_TRUCK} (at ?truck ?place) {_HERE}", _IN_TRUCK, deletes=_HERE
)
UnloadTruck = action(
    "unload-truck ?package ?truck ?place", f"{_TRUCK} (at ?truck ?place) {_IN_TRUCK}", _HERE, deletes=_IN_TRUCK
)
LoadAirplane = action(
    "load-airplane ?package ?plane ?place", f"{_PLANE} (at ?plane ?place) {_HERE}", _IN_PLANE, deletes=_HERE
)
UnloadAirplane = action(
    "unload-airplane ?package ?plane ?place", f"{_PLANE} (at ?plane ?place) {_IN_PLANE}", _HERE, deletes=_IN_PLANE
)
DriveTruck = action(
    "drive-truck ?truck ?start ?end ?city",
    "(truck ?truck) (location ?start) (location ?end) (city ?city)"
    " (at ?truck ?start) (in-city ?start ?city) (in-city ?end ?city)",
    adds="(at ?truck ?end)",
    deletes="(at ?truck ?start)",
)
FlyAirplane = action(
    "fly-airplane ?plane ?start ?end",
    "(airplane ?plane) (airport ?start) (airport ?end) (at ?plane ?start)",
    adds="(at ?plane ?end)",
    deletes="(at ?plane ?start)",
)


class Package(Record):
    """A package that has to go; whether it belongs in another city; and the next one at the same place."""

    abroad: bool = False
    next: "Package | None" = None


class Order(Record):
    """A package, whether it comes from another city, and the next one for the same place, or in the same vehicle."""

    package: Package
    abroad: bool = False
    next: "Order | None" = None


class Location(Record):
    """A place: the packages that leave it, those that belong there, and the next one in the city."""

    leaving: Package | None = None
    wanted: Order | None = None
    next: "Location | None" = None


class City(Record):
    """A city: its truck, its airport, which is the first one of its places, and the next city."""

    truck: "Truck"
    airport: Location
    next: "City | None" = None


class Truck(Record):
    """A truck: where it is, what it carries at the start, where it is wanted in the end, and the next one."""

    city: City
    place: Location
    load: Order | None = None
    wanted: Location | None = None
    next: "Truck | None" = None


class Airplane(Record):
    """An airplane, likewise."""

    place: Location
    load: Order | None = None
    wanted: Location | None = None
    next: "Airplane | None" = None


@procedure
def deliver(cities: City | None, trucks: Truck, planes: Airplane) -> Steps[None]:
    """Solve a problem. The first airplane brings all packages that go to other cities."""
    yield unload(trucks, planes)
    for city in chain(cities, "next"):
        yield collect(city.truck, city.airport)
    if cities:
        yield tour(cities, planes)
    for city in chain(cities, "next"):
        yield bring(city.truck, city.airport)
    yield park(trucks, planes)


@procedure
def unload(trucks: Truck, planes: Airplane) -> Steps[None]:
    """Unload what trucks and airplanes carry at the start."""
    for truck in chain(trucks, "next"):
        for order in chain(truck.load, "next"):
            yield UnloadTruck(order.package.number, truck.number, truck.place.number)
    for plane in chain(planes, "next"):
        for order in chain(plane.load, "next"):
            yield UnloadAirplane(order.package.number, plane.number, plane.place.number)


@procedure
def drive(truck: Truck, to: Location) -> Steps[None]:
    """Drive a truck to a place in its city, unless it is there."""
    seen = yield read(truck)
    if seen.place != to:
        yield DriveTruck(truck.number, seen.place.number, to.number, seen.city.number)
        yield write(truck, place=to)


@procedure
def fly(plane: Airplane, to: Location) -> Steps[None]:
    """Fly an airplane to an airport, unless it is there."""
    seen = yield read(plane)
    if seen.place != to:
        yield FlyAirplane(plane.number, seen.place.number, to.number)
        yield write(plane, place=to)


@procedure
def collect(truck: Truck, airport: Location) -> Steps[None]:
    """Load what leaves the places of a city, and unload at the airport what goes on from there."""
    first = yield read(airport)
    for place in chain(first.next, "next"):
        if place.leaving:
            yield drive(truck, place)
        for package in chain(place.leaving, "next"):
            yield LoadTruck(package.number, truck.number, place.number)
    yield change(truck, airport)


@procedure
def change(truck: Truck, airport: Location) -> Steps[None]:
    """Unload at the airport what goes on from there or belongs there, and load what goes to other places."""
    first = yield read(airport)
    for package in chain(first.leaving, "next"):
        if not package.abroad:
            yield drive(truck, airport)
            yield LoadTruck(package.number, truck.number, airport.number)
    first = yield read(airport)
    for order in chain(first.wanted, "next"):
        if not order.abroad:
            yield drive(truck, airport)
            yield UnloadTruck(order.package.number, truck.number, airport.number)
    first = yield read(airport)
    for place in chain(first.next, "next"):
        for package in chain(place.leaving, "next"):
            if package.abroad:
                yield drive(truck, airport)
                yield UnloadTruck(package.number, truck.number, airport.number)


@procedure
def tour(city: City, plane: Airplane) -> Steps[None]:
    """Load what leaves this city and those after it, and then, on the way back, unload what belongs there."""
    here = yield read(city)
    for place in chain(here.airport, "next"):
        for package in chain(place.leaving, "next"):
            if package.abroad:
                yield fly(plane, here.airport)
                yield LoadAirplane(package.number, plane.number, here.airport.number)
    here = yield read(city)
    if here.next:
        yield tour(here.next, plane)
    here = yield read(city)
    for place in chain(here.airport, "next"):
        for order in chain(place.wanted, "next"):
            if order.abroad:
                yield fly(plane, here.airport)
                yield UnloadAirplane(order.package.number, plane.number, here.airport.number)


@procedure
def bring(truck: Truck, airport: Location) -> Steps[None]:
    """Load at the airport what has come from other cities, and bring everything to the places of this one."""
    first = yield read(airport)
    for place in chain(first.next, "next"):
        for order in chain(place.wanted, "next"):
            if order.abroad:
                yield drive(truck, airport)
                yield LoadTruck(order.package.number, truck.number, airport.number)
    first = yield read(airport)
    for place in chain(first.next, "next"):
        if place.wanted:
            yield drive(truck, place)
        for order in chain(place.wanted, "next"):
            yield UnloadTruck(order.package.number, truck.number, place.number)


@procedure
def park(trucks: Truck, planes: Airplane) -> Steps[None]:
    """Bring trucks and airplanes to where they are wanted."""
    for truck in chain(trucks, "next"):
        if truck.wanted:
            yield drive(truck, truck.wanted)
    for plane in chain(planes, "next"):
        if plane.wanted:
            yield fly(plane, plane.wanted)


class Shipping(Placed):
    """A problem of logistics."""

    functions = {"at": 1, "in": 1, "in-city": 1}

    def check(self) -> None:
        airports = self.every("airport")
        if wrong := [name for name in self.of("airplane") if self.place_of[name] not in airports]:
            raise ValueError(f"the airplane {wrong[0]} is not at an airport")
        for city in self.of("city"):
            if len(self.airports_of(city)) > 1 and not self.trucks_of(city):
                raise ValueError(f"{city} has several airports and no truck, which is more than this domain knows")
        if vague := self.holding("in", self.goal):
            raise ValueError(f"the goal (in {' '.join(vague[0])}) leaves a package in a vehicle; bring it to a place")
        assert (self.city_of, self.place_of) is not None

    @cached_property
    def city_of(self) -> dict[str, str]:
        """The city of each place."""
        return self.mapping("in-city", total="location")

    @cached_property
    def carrier_of(self) -> dict[str, str]:
        """What each package is in that is in a vehicle at the start."""
        return self.mapping("in")

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Where each vehicle, and each package or the vehicle that it is in, is at the start."""
        at = self.mapping("at")
        for name in (*self.of("truck"), *self.of("airplane"), *self.of("package")):
            carrier = self.carrier_of.get(name, "")
            if (name in at) == bool(carrier):
                raise ValueError(f"{name} is {'in a vehicle and at a place' if carrier else 'nowhere'}")
            at[name] = at[carrier or name]
        return at

    def airports_of(self, city: str) -> list[str]:
        """Return the airports of a city."""
        return [name for (name,) in self.holding("airport") if self.city_of[name] == city]

    def trucks_of(self, city: str) -> list[str]:
        """Return the trucks of a city."""
        return [name for name in self.of("truck") if self.city_of[self.place_of[name]] == city]

    @cached_property
    def moving(self) -> dict[str, tuple[str, str]]:
        """Where each package comes from and where it belongs, of those that are not there or in a vehicle."""
        ways = {name: (self.place_of[name], self.wanted[name]) for name in self.of("package") if name in self.wanted}
        return {name: way for name, way in ways.items() if way[0] != way[1] or name in self.carrier_of}

    @property
    def impossible(self) -> str | None:
        airports = self.every("airport")
        for name, (start, end) in self.moving.items():
            city, other = self.city_of[start], self.city_of[end]
            if city != other and not (self.of("airplane") and self.airports_of(city) and self.airports_of(other)):
                return f"no airplane can bring {name} from {city} to {other}"
            for place, here in ((start, city), (end, other)) if start != end else ():
                if not self.trucks_of(here) and (city == other or place not in airports):
                    return f"there is no truck in {here} for {name}"
        for name, end in self.wanted.items():
            start = self.place_of[name]
            if self.kind_of[name] == "truck" and self.city_of[start] != self.city_of[end]:
                return f"the truck {name} can't go to {end} in another city"
            if self.kind_of[name] == "airplane" and end not in airports and end != start:
                return f"the airplane {name} can't go to {end}, which is not an airport"
        return None


class Logistics(Stated[Shipping]):
    """n packages, which belong to places of several cities."""

    name = "logistics"
    task = Shipping
    classes = {"package": Package, "truck": Truck, "airplane": Airplane, "location": Location, "city": City}
    parts = {"airport": "location"}
    counted = "package"
    operators = (LoadTruck, UnloadTruck, LoadAirplane, UnloadAirplane, DriveTruck, FlyAirplane)
    main = deliver

    def _problem(self, n: int, rng: random.Random) -> Shipping:
        """Draw a problem with n packages. In half of them all packages, and nothing else, have goals."""
        usual = rng.random() < 0.5
        cities = rng.randint(1, n // 3 + 2)
        size = rng.randint(1, 2 * n // cities + 2)
        places = [[f"l{city}-{number}" for number in range(1, size + 1)] for city in range(1, cities + 1)]
        airports = [own[0] for own in places]
        everywhere = [name for own in places for name in own]
        trucks = {f"t{city}": rng.choice(own) for city, own in enumerate(places, 1)}
        trucks |= {
            f"t{cities + 1 + number}": rng.choice(everywhere) for number in range(0 if usual else rng.randrange(3))
        }
        planes = {f"a{number}": rng.choice(airports) for number in range(1, rng.randint(1, cities // 3 + 1) + 1)}
        packages = {f"p{number}": rng.choice(everywhere) for number in range(1, n + 1)}
        start = [f"package {name}" for name in packages] + [f"truck {name}" for name in trucks]
        start += [f"airplane {name}" for name in planes] + [f"location {name}" for name in everywhere]
        start += [f"city c{city}" for city in range(1, cities + 1)] + [f"airport {name}" for name in airports]
        start += [f"in-city {name} c{city}" for city, own in enumerate(places, 1) for name in own]
        start += [f"at {name} {place}" for name, place in (trucks | planes).items()]
        goal = [f"at {name} {rng.choice(everywhere)}" for name in packages if usual or rng.random() < 0.9]
        for name, place in packages.items():
            loaded = not usual and rng.random() < 0.1
            start.append(f"in {name} {rng.choice([*trucks, *planes])}" if loaded else f"at {name} {place}")
        if not usual:
            own = {name: places[int(place[1:].split("-")[0]) - 1] for name, place in trucks.items()}
            goal += [f"at {name} {rng.choice(own[name])}" for name in trucks if rng.random() < 0.3]
            goal += [f"at {name} {rng.choice(airports)}" for name in planes if rng.random() < 0.3]
        return Shipping.of_texts(start, goal)

    def kinds(self) -> Iterator[Call | Record]:
        for kind in self.every_kind():
            if not isinstance(kind, Truck | Airplane) or kind.next or not (kind.load or kind.wanted):
                yield kind

    def begin(self, problem: Shipping) -> tuple[Call, Sequence[Record]]:
        later: Any = None
        packages = {name: Package() for name in problem.of("package")}
        places = {name: Location() for name in problem.of("location")}
        cities = {name: City(truck=later, airport=later) for name in problem.of("city")}
        at = {name: places[place] for name, place in problem.place_of.items()}
        end = {name: places[place] for name, place in problem.wanted.items()}
        home = {name: cities[problem.city_of[problem.place_of[name]]] for name in problem.of("truck")}
        trucks = {name: Truck(city=city, place=at[name], wanted=end.get(name)) for name, city in home.items()}
        planes = {name: Airplane(place=at[name], wanted=end.get(name)) for name in problem.of("airplane")}
        leaving: dict[str, list[Package]] = {name: [] for name in places}
        orders: dict[str, list[Order]] = {name: [] for name in (*places, *trucks, *planes)}
        for name, (start, goal) in problem.moving.items():
            if name in problem.carrier_of:
                orders[problem.carrier_of[name]].append(Order(package=packages[name]))
            if start != goal:
                abroad = packages[name].abroad = problem.city_of[start] != problem.city_of[goal]
                leaving[start].append(packages[name])
                orders[goal].append(Order(package=packages[name], abroad=abroad))
        for name, place in places.items():
            place.leaving, place.wanted = linked(leaving[name]), linked(orders[name])
        for name, vehicle in (trucks | planes).items():
            vehicle.load = linked(orders[name])
        spare = City(truck=later, airport=Location())
        spare.truck, spare_plane = Truck(city=spare, place=spare.airport), Airplane(place=spare.airport)
        made: list[Record] = [
            spare,
            spare.airport,
            spare.truck,
            spare_plane,
            *(order for some in orders.values() for order in some),
        ]
        busy = list[City]()
        for name, city in cities.items():
            airport = next((places[each] for each in problem.airports_of(name)), None) or Location()
            made += [airport] if airport not in places.values() else []
            city.truck, city.airport = next((trucks[each] for each in problem.trucks_of(name)), spare.truck), airport
            own = [places[each] for each, other in problem.city_of.items() if other == name]
            working = [place for place in own if place != airport and (place.leaving or place.wanted)]
            linked([airport, *sorted(working, key=lambda place: place != city.truck.place)])
            busy += [city] if working or airport.leaving or airport.wanted else []
        all_trucks, all_planes = [*trucks.values(), spare.truck], [*planes.values(), spare_plane]
        linked(all_trucks)
        linked(all_planes)
        first = linked(sorted(busy, key=lambda city: city.airport != all_planes[0].place))
        call = deliver(first, all_trucks[0], all_planes[0])
        return call, [*packages.values(), *trucks.values(), *planes.values(), *places.values(), *cities.values(), *made]
