"""Logistics: packages are brought to places by trucks within cities, and by airplanes between airports.

Each truck collects all packages of its city that are not where they belong. An airplane goes through the cities once to
take what belongs to others, and back to bring it. Then each truck delivers.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, named, operators
from coc_programs import Call, Record, Steps, each, procedure, read, write
from coc_programs.library import List

LoadTruck, UnloadTruck, LoadAirplane, UnloadAirplane, DriveTruck, FlyAirplane = operators("""
load-truck ?package ?truck ?location: (at ?truck ?location) (at ?package ?location)
    -> (in ?package ?truck) (not (at ?package ?location))
unload-truck ?package ?truck ?location: (at ?truck ?location) (in ?package ?truck)
    -> (at ?package ?location) (not (in ?package ?truck))
load-airplane ?package ?airplane ?location: (at ?airplane ?location) (at ?package ?location)
    -> (in ?package ?airplane) (not (at ?package ?location))
unload-airplane ?package ?airplane ?location: (at ?airplane ?location) (in ?package ?airplane)
    -> (at ?package ?location) (not (in ?package ?airplane))
drive-truck ?truck - truck ?start ?end - location ?city: (at ?truck ?start) (in-city ?start ?city) (in-city ?end ?city)
    -> (at ?truck ?end) (not (at ?truck ?start))
fly-airplane ?airplane - airplane ?start ?end - airport: (at ?airplane ?start)
    -> (at ?airplane ?end) (not (at ?airplane ?start))
""")


class Package(Record):
    """A package: where it is, once no vehicle carries it, where it belongs, and whether that is in another city."""

    place: "Location"
    to: "Location"
    abroad: bool


class Location(Record):
    """A place, and its city."""

    city: "City"


class Vehicle(Record):
    """A truck or an airplane: where it is, what it carries at the start, and where it is wanted in the end."""

    place: Location
    load: List[Package]
    wanted: Location | None = None


class City(Record):
    """A city: its truck, its airport, the airplane, and the packages that leave a place or belong to one, by places."""

    truck: Vehicle
    airport: Location
    plane: Vehicle
    leaving: List[Package]
    coming: List[Package]


@procedure
def deliver(trucks: List[Vehicle], planes: List[Vehicle], cities: List[City]) -> Steps[None]:
    """Unload all vehicles, bring all packages to where they belong, and then the vehicles."""
    for truck in each(trucks):
        seen = yield read(truck)
        for package in each(seen.load):
            yield UnloadTruck(package, truck, seen.place)
    for plane in each(planes):
        seen = yield read(plane)
        for package in each(seen.load):
            yield UnloadAirplane(package, plane, seen.place)
    for city in each(cities):
        yield collect(city)
    yield tour(cities)
    for city in each(cities):
        yield bring(city)
    for truck in each(trucks):
        end = (yield read(truck)).wanted
        if end:
            yield drive(truck, end)
    for plane in each(planes):
        end = (yield read(plane)).wanted
        if end:
            yield fly(plane, end)


@procedure
def drive(truck: Vehicle, to: Location) -> Steps[None]:
    """Drive a truck to a place in its city, unless it is there."""
    place = (yield read(truck)).place
    if place != to:
        yield DriveTruck(truck, place, to, (yield read(to)).city)
        yield write(truck, place=to)


@procedure
def fly(plane: Vehicle, to: Location) -> Steps[None]:
    """Fly an airplane to an airport, unless it is there."""
    place = (yield read(plane)).place
    if place != to:
        yield FlyAirplane(plane, place, to)
        yield write(plane, place=to)


@procedure
def collect(city: City) -> Steps[None]:
    """Load what leaves the places of a city, and unload at the airport what belongs there or goes on from there."""
    here = yield read(city)
    for package in each(here.leaving):
        seen = yield read(package)
        if seen.place != here.airport or not seen.abroad:
            yield drive(here.truck, seen.place)
            yield LoadTruck(package, here.truck, seen.place)
    for package in each(here.leaving):
        seen = yield read(package)
        if seen.to == here.airport or (seen.abroad and seen.place != here.airport):
            yield drive(here.truck, here.airport)
            yield UnloadTruck(package, here.truck, here.airport)


@procedure
def tour(cities: List[City]) -> Steps[None]:
    """Load what leaves the first city and those after it, and then, on the way back, unload what belongs there."""
    here = yield read(cities)
    if here.next:
        city = yield read(here.first)
        for package in each(city.leaving):
            if (yield read(package)).abroad:
                yield fly(city.plane, city.airport)
                yield LoadAirplane(package, city.plane, city.airport)
        yield tour(here.next)
        for package in each(city.coming):
            if (yield read(package)).abroad:
                yield fly(city.plane, city.airport)
                yield UnloadAirplane(package, city.plane, city.airport)


@procedure
def bring(city: City) -> Steps[None]:
    """Load at the airport what has come from other cities, and bring everything to the places of this one."""
    here = yield read(city)
    for package in each(here.coming):
        seen = yield read(package)
        if seen.abroad and seen.to != here.airport:
            yield drive(here.truck, here.airport)
            yield LoadTruck(package, here.truck, here.airport)
    for package in each(here.coming):
        seen = yield read(package)
        if seen.to != here.airport:
            yield drive(here.truck, seen.to)
            yield UnloadTruck(package, here.truck, seen.to)


class Logistics(PlanningProgram):
    """n packages, which belong to places of several cities."""

    name = "logistics"
    main = deliver
    operators = (LoadTruck, UnloadTruck, LoadAirplane, UnloadAirplane, DriveTruck, FlyAirplane)
    classes = {"package": Package, "truck": Vehicle, "airplane": Vehicle, "location": Location, "city": City}
    parts = {"airport": "location"}
    exactly_one = ("(in-city ?location _)", "(at ?truck _)", "(at ?airplane _)", "(at ?package _) (in ?package _)")
    picture = Drawing(
        "location", {"at": "{0} in {1}", "in": "{0} in {1}"}, carriers="truck airplane", looks={"airport": "given"}
    )
    goals = "(at ?package _) (at ?truck _) (at ?airplane _)"

    def build(self, world: World) -> Call:
        start, goal = world.start, world.goal
        trucks, planes = start.all("truck", Vehicle), start.all("airplane", Vehicle)
        for place in world[Location]:
            place.city = start.one("in-city", place, City)
        for vehicle in (*trucks, *planes):
            vehicle.place, vehicle.wanted = start.one("at", vehicle, Location), goal.one("at", vehicle, Location)
            inside = start.all("in", Package, vehicle)
            vehicle.load = List.store(package for package in inside if goal.one("at", package, Location))
        for package in world[Package]:
            vehicle = start.one("in", package, Vehicle)
            package.place = vehicle.place if vehicle else start.one("at", package, Location)
            package.to = goal.one("at", package, Location) or package.place
            package.abroad = package.place.city != package.to.city
        for plane in planes:
            if not start.holds("airport", plane.place):
                raise ValueError(f"the airplane {world.name(plane)} is not at an airport")
        for city in world[City]:
            own, airports = self._trucks_and_airports(world, city)
            if len(airports) > 1 and not own:
                several = f"{world.name(city)} has several airports and no truck"
                raise ValueError(f"{several}, which is more than this domain knows")
            city.airport = airports[0] if airports else Location(city=city)
            spare = Vehicle(place=city.airport, load=List.store([]))
            city.truck, city.plane = (*own, spare)[0], (*planes, spare)[0]
            city.leaving, city.coming = (self._place_by_place(world, city, field) for field in ("place", "to"))
        cities = sorted(world[City], key=lambda city: city.airport != city.plane.place)
        return deliver(List.store(trucks), List.store(planes), List.store(cities))

    def _trucks_and_airports(self, world: World, city: City) -> tuple[Sequence[Vehicle], Sequence[Location]]:
        trucks = [truck for truck in world.start.all("truck", Vehicle) if truck.place.city == city]
        return trucks, [place for place in world.start.all("airport", Location) if place.city == city]

    def _place_by_place(self, world: World, city: City, field: Literal["place", "to"]) -> List[Package]:
        """Return the packages that leave a city's places, or belong there: first the truck's, the airport's last."""
        places = [place for place in world[Location] if place.city == city]
        places.sort(key=lambda place: (place == city.airport, place != city.truck.place))
        ranks = {place: rank for rank, place in enumerate(places)}
        moving = [
            package for package in world[Package] if package.place != package.to and getattr(package, field) in ranks
        ]
        return List.store(sorted(moving, key=lambda package: ranks[getattr(package, field)]))

    def impossible(self, world: World) -> str | None:
        start, planes = world.start, world.start.all("airplane", Vehicle)
        for package in (package for package in world[Package] if package.place != package.to):
            name, ways = world.name(package), [(package.place, package.place.city), (package.to, package.to.city)]
            for place, city in ways:
                trucks, airports = self._trucks_and_airports(world, city)
                if package.abroad and not (planes and airports):
                    return f"no airplane can bring {name} from {world.name(ways[0][1])} to {world.name(ways[1][1])}"
                if not trucks and not (package.abroad and start.holds("airport", place)):
                    return f"there is no truck in {world.name(city)} for {name}"
        for vehicle in world[Vehicle]:
            name, end = world.name(vehicle), vehicle.wanted or vehicle.place
            if vehicle in planes and not start.holds("airport", end):
                return f"the airplane {name} can't go to {world.name(end)}, which is not an airport"
            if vehicle not in planes and end.city != vehicle.place.city:
                return f"the truck {name} can't go to {world.name(end)} in another city"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        cities = named("c", rng.randint(1, n // 3 + 2))
        size = rng.randint(1, 2 * n // len(cities) + 2)
        places = {city: named(f"l{city[1:]}-", size) for city in cities}
        everywhere, airports = [place for own in places.values() for place in own], [own[0] for own in places.values()]
        packages, planes = named("p", n), named("a", rng.randint(1, len(cities) // 3 + 1))
        trucks = named("t", len(cities) + rng.randrange(3))
        home = dict(zip(trucks, cities + rng.choices(cities, k=2), strict=False))
        loaded = [name for name in packages if rng.random() < 0.05]
        start = [f"airport {name}" for name in airports]
        start += [f"in-city {name} {city}" for city, own in places.items() for name in own]
        start += [f"at {name} {rng.choice(places[home[name]])}" for name in trucks]
        start += [f"at {name} {rng.choice(airports)}" for name in planes]
        start += [f"at {name} {rng.choice(everywhere)}" for name in packages if name not in loaded]
        start += [f"in {name} {rng.choice(trucks + planes)}" for name in loaded]
        goal = [f"at {name} {rng.choice(everywhere)}" for name in packages if rng.random() < 0.95]
        goal += [f"at {name} {rng.choice(places[home[name]])}" for name in trucks if rng.random() < 0.15]
        goal += [f"at {name} {rng.choice(airports)}" for name in planes if rng.random() < 0.15]
        objects = (packages, trucks, planes, everywhere, cities)
        return dict(zip(self.classes, objects, strict=True)), start, goal
