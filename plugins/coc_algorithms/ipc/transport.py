"""Transport: vehicles with room for some packages bring them to where they belong, by roads.

Each vehicle, the largest first, goes to the nearest place where there is anything to do, until there is none: it drops
all packages that belong there, and picks up those that lie there as long as there is room.
"""

from itertools import pairwise
from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_algorithms.planning.roads import Roads, Spot, connected, drawn_roads, mapped, way
from coc_programs import Call, Record, Steps, chain, each, procedure, read, write
from coc_programs.library import List

Drive, PickUp, Drop = operators("""
drive ?vehicle - vehicle ?start ?end - location: (at ?vehicle ?start) (road ?start ?end)
    -> (at ?vehicle ?end) (not (at ?vehicle ?start))
pick-up ?vehicle - vehicle ?location - location ?package - package ?less ?more - size:
    (at ?vehicle ?location) (at ?package ?location) (capacity-predecessor ?less ?more) (capacity ?vehicle ?more)
    -> (in ?package ?vehicle) (capacity ?vehicle ?less) (not (at ?package ?location)) (not (capacity ?vehicle ?more))
drop ?vehicle - vehicle ?location - location ?package - package ?less ?more - size:
    (at ?vehicle ?location) (in ?package ?vehicle) (capacity-predecessor ?less ?more) (capacity ?vehicle ?less)
    -> (at ?package ?location) (capacity ?vehicle ?more) (not (in ?package ?vehicle)) (not (capacity ?vehicle ?less))
""")


class Size(Record):
    """How much room there is, and the sizes with room for one package less and for one more."""

    less: "Size | None" = None
    more: "Size | None" = None


class Package(Record):
    """A package, where it belongs, and the next one that lies at the same place, or belongs there."""

    to: "Location"
    next: "Package | None" = None


class Location(Record):
    """A place: the packages that have to go from there, and those in the vehicle that belong there."""

    waiting: Package | None = None
    coming: Package | None = None


class Vehicle(Record):
    """A vehicle: where it is, its room, and what it carries at the start."""

    spot: Spot
    room: Size
    load: List[Package]


@procedure
def deliver(vehicles: List[Vehicle]) -> Steps[None]:
    """Bring all packages to where they belong."""
    for vehicle in each(vehicles):
        for package in each((yield read(vehicle)).load):
            yield come(package)
        while (yield visit(vehicle)):
            yield unload(vehicle)
            yield load(vehicle)


@procedure
def visit(vehicle: Vehicle) -> Steps[bool]:
    """Drive to the nearest place where a vehicle has anything to do. Returns whether there is one."""
    seen = yield read(vehicle)
    if (yield read(seen.room)).less:
        spots = yield way(seen.spot, busy)
    else:
        spots = yield way(seen.spot, awaiting)
    if not spots:
        return False
    for spot in each(spots):
        here: Location = (yield read((yield read(vehicle)).spot)).place
        there: Location = (yield read(spot)).place
        yield Drive(vehicle, here, there)
        yield write(vehicle, spot=spot)
    return True


@procedure
def busy(place: Location) -> Steps[bool]:
    """Return whether anything waits at a place, or comes there."""
    seen = yield read(place)
    return seen.coming is not None or seen.waiting is not None


@procedure
def awaiting(place: Location) -> Steps[bool]:
    """Return whether anything comes to a place."""
    return (yield read(place)).coming is not None


@procedure
def come(package: Package) -> Steps[None]:
    """Note that a package is in the vehicle."""
    place = (yield read(package)).to
    yield write(package, next=(yield read(place)).coming)
    yield write(place, coming=package)


@procedure
def unload(vehicle: Vehicle) -> Steps[None]:
    """Drop what belongs to where a vehicle is."""
    place: Location = (yield read((yield read(vehicle)).spot)).place
    for package in chain((yield read(place)).coming, "next"):
        room = (yield read(vehicle)).room
        more = (yield read(room)).more
        yield Drop(vehicle, place, package, room, more)
        yield write(vehicle, room=more)
    yield write(place, coming=None)


@procedure
def load(vehicle: Vehicle) -> Steps[None]:
    """Pick up what waits where a vehicle is, as long as there is room."""
    place: Location = (yield read((yield read(vehicle)).spot)).place
    for package in chain((yield read(place)).waiting, "next"):
        room = (yield read(vehicle)).room
        less = (yield read(room)).less
        if not less:
            break
        yield PickUp(vehicle, place, package, less, room)
        yield write(vehicle, room=less)
        yield write(place, waiting=package.next)
        yield come(package)


class Transport(PlanningProgram):
    """n packages, which vehicles bring to where they belong."""

    name = "transport"
    main = deliver
    operators = (Drive, PickUp, Drop)
    classes = {"package": Package, "vehicle": Vehicle, "location": Location, "size": Size}
    exactly_one = ("(at ?vehicle _)", "(at ?package _) (in ?package _)", "(capacity ?vehicle _)")
    at_most_one = ("(capacity-predecessor ?size _)", "(capacity-predecessor _ ?size)")
    picture = Drawing("location", {"at": "{0} in {1}", "in": "{0} in {1}"}, carriers="vehicle", ways="road")
    goals = "(at ?package _)"
    sizes = range(1, 201)

    def build(self, world: World) -> Call:
        start, moving, roads = world.start, self._moving(world), self._roads(world)
        spots = mapped(roads)
        for size in world[Size]:
            size.less = start.one("capacity-predecessor", Size, size)
            size.more = start.one("capacity-predecessor", size, Size)
        for place in world[Location]:
            lying = start.all("at", Package, place)
            place.waiting = linked(package for package in lying if package in moving)
            for package in lying:
                package.to = moving.get(package, place)
        for vehicle in world[Vehicle]:
            place, load = start.one("at", vehicle, Location), start.all("in", Package, vehicle)
            connected(place, roads, world)
            vehicle.spot, vehicle.room = spots[place], start.one("capacity", vehicle, Size)
            vehicle.load = List.store(load if moving else ())  # what belongs nowhere may take the room
            for package in load:
                package.to = moving.get(package, place)
        vehicles = sorted(world[Vehicle], key=lambda vehicle: self._room(vehicle.room), reverse=True)
        return deliver(List.store(vehicles))

    def _roads(self, world: World) -> Roads:
        return {place: world.start.all("road", place, Location) for place in world[Location]}

    def _moving(self, world: World) -> dict[Package, Location]:
        """Return where packages have to be brought that are not there."""
        goals = [(package, world.goal.one("at", package, Location)) for package in world[Package]]
        return {each: place for each, place in goals if place and not world.start.holds("at", each, place)}

    def _room(self, size: Size) -> int:
        """Return for how many packages a size has room."""
        found = [size]
        while (less := found[-1].less) and less not in found:
            found.append(less)
        return len(found) - 1

    def impossible(self, world: World) -> str | None:
        start, roads = world.start, self._roads(world)
        useful = [each for each in world[Vehicle] if each.room.less or start.all("in", Package, each)]
        reached = {each: connected(each.spot.place, roads, world) for each in useful}
        for package, end in self._moving(world).items():
            own = start.one("in", package, Vehicle)
            ends = {end, start.one("at", own or package, Location)}
            if not any(ends <= reached[vehicle] for vehicle in ([own] if own else useful)):
                return f"no vehicle can bring {world.name(package)} to {world.name(end)}"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        packages, vehicles = named("p", n), named("v", rng.randint(1, n // 3 + 2))
        places, sizes = named("l", rng.randint(1, n + 2)), named("c", rng.randint(2, 5))
        loaded = [f"in {one} {other}" for one, other in zip(packages[:-2], vehicles[1:], strict=False)]
        start = [f"capacity-predecessor {one} {other}" for one, other in pairwise(sizes)] + loaded
        start += [f"road {ends}" for ends in drawn_roads(places, rng)]
        start += [f"at {name} {rng.choice(places)}" for name in packages[len(loaded) :] + vehicles]
        start += [
            f"capacity {name} {rng.choice(sizes[:-1] if name in vehicles[1:] else sizes[-1:])}" for name in vehicles
        ]
        goal = [f"at {name} {rng.choice(places)}" for name in packages if rng.random() < 0.95]
        return dict(zip(self.classes, (packages, vehicles, places, sizes), strict=True)), start, goal
