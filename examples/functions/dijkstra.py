"""Dijkstra's algorithm: the lengths of the shortest ways from one place to all."""

import heapq
from typing import cast

from coc_programs import Function, Record, Steps, chain, new, procedure, read, write
from coc_programs.library import Heap, List, Number, add, less, minus_one, popped, pushed, zero


class Place(Record):
    """A place: the first of its roads, and how far it is, once that is known."""

    road: "Road | None" = None
    distance: Number | None = None


class Road(Record):
    """A road to a place, and the next road from the same one."""

    to: Place
    length: Number
    next: "Road | None" = None


class Way(Record):
    """A way to a place, and how long it is."""

    to: Place
    length: Number


@procedure
def shorter(a: Way, b: Way) -> Steps[bool]:
    """Return whether a way is shorter than another."""
    one = yield read(a)
    other = yield read(b)
    return (yield less(one.length, other.length))


@procedure
def dijkstra(start: Place, places: List[Place]) -> Steps[List[Number]]:
    """Return how far each place is; -1 where no way leads."""
    far: Number = yield zero()
    way: Way = yield new(Way, to=start, length=far)
    heap: Heap[Way] | None = yield new(Heap, item=way)
    while heap:
        h = yield read(heap)
        w = yield read(cast(Way, h.item))
        here, far = w.to, w.length
        heap = yield popped(heap, shorter)
        p = yield read(here)
        if not p.distance:
            yield write(here, distance=far)
            for r in chain(p.road, "next"):
                there = r.to
                length: Number = yield add(far, r.length)
                way = yield new(Way, to=there, length=length)
                heap = yield pushed(heap, way, shorter)
    return (yield distances(places))


@procedure
def distances(places: List[Place]) -> Steps[List[Number]]:
    """Return how far each place is."""
    x = yield read(places)
    if not x.next:
        return (yield new(List))
    rest = x.next
    p = yield read(cast(Place, x.first))
    distance = p.distance
    if not distance:
        distance = yield minus_one()
    others: List = yield distances(rest)
    return (yield new(List, first=distance, next=others))


class Dijkstra(Function):
    """n places with 3n roads."""

    main = dijkstra

    def draw(self, n, rng):
        places = [Place() for _ in range(n)]
        for _ in range(3 * n):
            one = rng.choice(places)
            one.road = Road(to=rng.choice(places), length=rng.randrange(1000), next=one.road)
        return places[0], places

    def reference(self, start, places):
        number = {id(place): at for at, place in enumerate(places)}
        known, heap = {}, [(0, number[id(start)])]
        while heap:
            far, at = heapq.heappop(heap)
            if at not in known:
                known[at], road = far, places[at].road
                while road:
                    heapq.heappush(heap, (far + road.length, number[id(road.to)]))
                    road = road.next
        return [known.get(at, -1) for at in range(len(places))]
