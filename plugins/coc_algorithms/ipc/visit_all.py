"""Visit-all: a robot visits some of the places that ways connect. It searches depth-first, until all have been seen."""

from math import sqrt
from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, Problem, World, operators
from coc_algorithms.planning.roads import Roads, connected
from coc_programs import Call, Record, Steps, each, procedure, read, write
from coc_programs.library import List

(Move,) = operators("""
move ?start ?end - object: (at-robot ?start) (connected ?start ?end)
    -> (at-robot ?end) (visited ?end) (not (at-robot ?start))
""")


class Place(Record):
    """A place: the places that ways lead to from there, and whether the robot has seen it."""

    ways: "List[Place]"
    seen: bool = False


class Root(Record):
    """The first goals that may be left."""

    left: List[Place]


@procedure
def search(start: Place, root: Root, away: Place | None) -> Steps[None]:
    """Visit all goals. If the start is one, and does not count as visited, the robot comes back from `away` first."""
    if away:
        yield Move(start, away)
        yield Move(away, start)
    yield visit(start, root)


@procedure
def visit(here: Place, root: Root) -> Steps[bool]:
    """Visit what has not been seen from a place on, and come back, unless all goals have been seen before."""
    ways = (yield read(here)).ways
    yield write(here, seen=True)
    if (yield finished(root)):
        return True
    for there in each(ways):
        if not (yield read(there)).seen:
            yield Move(here, there)
            if (yield visit(there, root)):
                return True
            yield Move(there, here)
    return False


@procedure
def finished(root: Root) -> Steps[bool]:
    """Return whether all goals have been seen."""
    goals = yield read((yield read(root)).left)
    if not goals.next:
        return True
    if not (yield read(goals.first)).seen:
        return False
    yield write(root, left=goals.next)
    return (yield finished(root))


class VisitAll(PlanningProgram):
    """A grid of n x n places, of which some neighbours are not connected, and all or some are to be visited."""

    name = "visit-all"
    main = search
    operators = (Move,)
    classes = {"place": Place}
    exactly_one = ("(at-robot _)",)
    picture = Drawing(inside={"at-robot": "robot in {0}"}, looks={"visited": "path"}, ways="connected", kind="grid")
    goals = "(visited ?place)"
    sizes = range(1, 101)

    def size(self, problem: Problem) -> int:
        return max(1, round(sqrt(len(problem.kind_of))))

    def build(self, world: World) -> Call:
        ways, here, wanted = self._ways(world), world.start.one("at-robot", Place), world.left("visited", Place)
        for place in world[Place]:
            place.ways = List.store(ways[place])
        connected(here, ways, world)
        away = next(iter(ways[here]), None) if here in wanted else None
        return search(here, Root(left=List.store(wanted)), away)

    def _ways(self, world: World) -> Roads:
        connected_to = {place: world.start.all("connected", place, Place) for place in world[Place]}
        return {place: [other for other in ways if other != place] for place, ways in connected_to.items()}

    def impossible(self, world: World) -> str | None:
        reached = connected(world.start.one("at-robot", Place), self._ways(world), world)
        lost = [place for place in world.left("visited", Place) if place not in reached or len(reached) == 1]
        return f"no way leads to {world.name(lost[0])}" if lost else None

    def draw(self, n: int, rng: Random) -> Drawn:
        places = {(x, y): f"loc-x{x}-y{y}" for x in range(n) for y in range(n)}
        share, here = rng.choice([1, 0.7]), rng.choice([*places.values()])
        ways = [((x, y), (x, y + 1)) for x, y in places if y + 1 < n]
        ways += [((x, y), (x + 1, y)) for x, y in places if x + 1 < n and (y == 0 or rng.random() < share)]
        start = [f"connected {places[one]} {places[other]}" for way in ways for one, other in (way, way[::-1])]
        start += [f"at-robot {here}"] + [f"visited {here}"] * (n == 1 or rng.random() < 0.7)
        return {}, start, [f"visited {name}" for name in places.values() if rng.random() < share]
