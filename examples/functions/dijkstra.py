"""Dijkstra's algorithm: the lengths of the shortest ways from one place to all."""

from coc_programs import Function, Steps, chain, new, procedure, read
from coc_programs.library import Entry, Heap, Map, Number, add, by_key, entries, get, popped, pushed, put, zero


@procedure
def dijkstra(ways: Map[Map[Number]], start: Number) -> Steps[Map[Number]]:
    """Return how far each place is that can be reached, given the lengths of the ways from each place to others."""
    found: Map[Number] = yield new(Map)
    nearest: Entry[Number] = yield new(Entry, key=(yield zero()), item=start)
    heap: Heap[Entry[Number]] | None = yield new(Heap, item=nearest)
    while heap:
        nearest = yield read((yield read(heap)).item)
        distance, place = nearest.key, nearest.item
        heap = yield popped(heap, by_key)
        if not (yield get(found, place)):
            yield put(found, place, distance)
            for way in chain((yield entries((yield get(ways, place)))), "next"):
                further: Entry[Number] = yield new(Entry, key=(yield add(distance, way.item)), item=way.key)
                heap = yield pushed(heap, further, by_key)
    return found


class Dijkstra(Function):
    """n places with up to three ways from each."""

    main = dijkstra

    def draw(self, n, rng):
        return {place: {rng.randrange(n): rng.randrange(1000) for _ in range(3)} for place in range(n)}, 0

    def reference(self, ways, start):
        found = {start: 0}
        for place in [*ways] * len(ways):
            for there, length in ways[place].items() if place in found else ():
                found[there] = min(found.get(there, 10**9), found[place] + length)
        return found
