"""Logistics: packages are brought to places by trucks within cities, and by airplanes between airports.

Each truck collects all packages of its city that are not where they belong. An airplane goes through the cities once to
take what belongs to others, and back to bring it. Then each truck delivers.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from coc_algorithms.ipc.shipping import Shipping, drawn
from coc_algorithms.ipc.stated import Stated, action, linked
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
        return drawn(n, rng)

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
