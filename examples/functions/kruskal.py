"""Kruskal's algorithm: the length of the shortest roads that connect all towns that can be connected."""

from coc_programs import Function, Steps, chain, new, procedure, read
from coc_programs.library import Entry, Heap, Map, Number, add, by_key, entries, get, popped, pushed, put, same, zero


@procedure
def kruskal(roads: Map[Map[Number]]) -> Steps[Number]:
    """Return the length of a minimum spanning forest, given the lengths of the roads from each town to others."""
    heap: Heap[Entry[Entry[Number]]] | None = None
    for town in chain((yield entries(roads)), "next"):
        for other in chain((yield entries(town.item)), "next"):
            road: Entry[Number] = yield new(Entry, key=town.key, item=other.key)
            heap = yield pushed(heap, (yield new(Entry, key=other.item, item=road)), by_key)
    leaders: Map[Number] = yield new(Map)  # towns that are connected lead to the same one at the end
    total: Number = yield zero()
    while heap:
        shortest = yield read((yield read(heap)).item)
        heap = yield popped(heap, by_key)
        road = yield read(shortest.item)
        one, two = (yield last(road.key, leaders)), (yield last(road.item, leaders))
        if not (yield same(one, two)):
            yield put(leaders, one, two)
            total = yield add(total, shortest.key)
    return total


@procedure
def last(town: Number, leaders: Map[Number]) -> Steps[Number]:
    """Return the last town that one leads to."""
    leader: Number | None = yield get(leaders, town)
    if not leader:
        return town
    return (yield last(leader, leaders))


class Kruskal(Function):
    """n towns with up to two roads from each."""

    main = kruskal

    def draw(self, n, rng):
        return {town: {rng.randrange(n): rng.randrange(1000) for _ in range(2)} for town in range(n)}

    def reference(self, roads):
        groups, total = {town: {town} for town in roads}, 0
        for length, one, other in sorted((roads[a][b], a, b) for a in roads for b in roads[a]):
            if groups[one] is not groups[other]:
                groups[one] |= groups[other]
                groups |= dict.fromkeys(groups[other], groups[one])
                total += length
        return total
