"""Dijkstra's algorithm: the lengths of the shortest ways from one place to all."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import Heap, List, Number, add, backwards, less, minus_one, popped, pushed, zero


class Place(Record):
    """A place with the ways that begin there, and how far it is, once that is known."""

    ways: "List[Way]"
    distance: Number | None = None


class Way(Record):
    """A way to a place."""

    to: Place
    length: Number


@procedure
def shorter(a: Way, b: Way) -> Steps[bool]:
    """Return whether a way is shorter than another."""
    return (yield less((yield read(a)).length, (yield read(b)).length))


@procedure
def dijkstra(start: Place, places: List[Place]) -> Steps[List[Number]]:
    """Return how far each place is; -1 where no way leads."""
    nearest: Way = yield new(Way, to=start, length=(yield zero()))
    heap: Heap[Way] | None = yield new(Heap, item=nearest)
    while heap:
        nearest = yield read((yield read(heap)).item)
        heap = yield popped(heap, shorter)
        place, far = nearest.to, nearest.length
        p = yield read(place)
        if not p.distance:
            yield write(place, distance=far)
            for way in each(p.ways):
                w = yield read(way)
                there = w.to
                length: Number = yield add(far, w.length)
                way = yield new(Way, to=there, length=length)
                heap = yield pushed(heap, way, shorter)
    found: List[Number] = yield new(List)
    for place in each(places):
        distance = (yield read(place)).distance
        if not distance:
            distance = yield minus_one()
        found = yield new(List, first=distance, next=found)
    return (yield backwards(found))


class Dijkstra(Function):
    """n places with 3n ways."""

    main = dijkstra

    def draw(self, n, rng):
        places = [Place(ways=[]) for _ in range(n)]
        for _ in range(3 * n):
            rng.choice(places).ways.append(Way(to=rng.choice(places), length=rng.randrange(1000)))
        return places[0], places

    def reference(self, start, places):
        known, far = dict[Place, int](), {start: 0}
        while far:
            nearest = min(far, key=far.__getitem__)
            known[nearest] = far.pop(nearest)
            for way in nearest.ways:
                if way.to not in known:
                    far[way.to] = min(far.get(way.to, 10**9), known[nearest] + way.length)
        return [known.get(place, -1) for place in places]
