"""Kruskal's algorithm: the length of the shortest roads that connect all towns that can be connected."""

from coc_programs import Function, Record, Steps, each, procedure, read, write
from coc_programs.library import Heap, List, Number, add, less, popped, pushed, zero


class Town(Record):
    """A town; towns that are connected lead to the same one at the end."""

    parent: "Town | None" = None


class Road(Record):
    """A road."""

    one: Town
    other: Town
    length: Number


@procedure
def shorter(a: Road, b: Road) -> Steps[bool]:
    """Return whether a road is shorter than another."""
    return (yield less((yield read(a)).length, (yield read(b)).length))


@procedure
def root(town: Town) -> Steps[Town]:
    """Return the town that stands for all that are connected with one."""
    t = yield read(town)
    while t.parent:
        town = t.parent
        t = yield read(town)
    return town


@procedure
def kruskal(roads: List[Road]) -> Steps[Number]:
    """Return the sum of the lengths of a minimum spanning forest."""
    heap: Heap[Road] | None = None
    for road in each(roads):
        heap = yield pushed(heap, road, shorter)
    total: Number = yield zero()
    while heap:
        r = yield read((yield read(heap)).item)
        heap = yield popped(heap, shorter)
        other, length = r.other, r.length
        one: Town = yield root(r.one)
        other = yield root(other)
        if one != other:
            yield write(one, parent=other)
            total = yield add(total, length)
    return total


class Kruskal(Function):
    """n towns with 2 n roads."""

    main = kruskal

    def draw(self, n, rng):
        towns = [Town() for _ in range(n)]
        return [Road(one=rng.choice(towns), other=rng.choice(towns), length=rng.randrange(1000)) for _ in range(2 * n)]

    def reference(self, roads):
        groups, total = {}, 0
        for road in sorted(roads, key=lambda road: road.length):
            one, other = (groups.setdefault(town, {town}) for town in (road.one, road.other))
            if one is not other:
                one |= other
                groups |= dict.fromkeys(other, one)
                total += road.length
        return total
