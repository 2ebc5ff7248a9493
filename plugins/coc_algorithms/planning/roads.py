"""Road maps, and breadth-first search in them, step by step, for programs in which something goes from place to place.

A `Spot` is a node of a map. Several maps may share places, such as those of vehicles that can't go everywhere.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from coc_algorithms.planning.world import World
from coc_programs import Procedure, Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import List

Roads = Mapping[Any, Collection[Any]]
"""A map: the places to which roads lead from each place."""


class Spot(Record, letters="sp"):
    """A node of a map: its place, and where roads lead from there. A search notes how it got there, and the queue."""

    place: Record
    roads: "List[Spot]"
    back: "Spot | None" = None
    next: "Spot | None" = None


@procedure
def way(start: Spot, wanted: Procedure) -> Steps[List[Spot] | None]:
    """Return a shortest way to a place of which `wanted` holds, without the start; None if there is none."""
    if (yield wanted((yield read(start)).place)):
        return (yield new(List))
    end = yield searched(start, wanted)
    found: List[Spot] | None = None
    if end:
        found = yield new(List)
        for spot in chain(end, "back"):
            if spot == start:
                break
            found = yield new(List, first=spot, next=found)
    yield cleared(start)
    return found


@procedure
def searched(start: Spot, wanted: Procedure) -> Steps[Spot | None]:
    """Search until a place is wanted, and return its spot. The queue is a chain from the start."""
    last = start
    here: Spot | None = start
    yield write(start, back=start)
    while here:
        for spot in each((yield read(here)).roads):
            there = yield read(spot)
            if not there.back:
                yield write(spot, back=here)
                yield write(last, next=spot)
                last = spot
                if (yield wanted(there.place)):
                    return spot
        here = (yield read(here)).next
    return None


@procedure
def cleared(start: Spot) -> Steps[None]:
    """Forget a search."""
    for spot in chain(start, "next"):
        yield write(spot, back=None, next=None)


def mapped(roads: Roads) -> dict[Any, Spot]:
    """Return the spot of each place of a map."""
    spots = {place: Spot.unfinished() for place in roads}
    for place, spot in spots.items():
        spot.place, spot.roads = place, List.store(spots[end] for end in roads[place])
    return spots


def connected(start: Any, roads: Roads, world: World) -> set[Any]:
    """Return the places to which roads lead from one, and back.

    Raises:
        ValueError: A road leads to somewhere, and none back.
    """
    left, found = [start], {start}
    for place in left:
        ends = [end for end in roads[place] if end not in found]
        left += ends
        found.update(ends)
        for end in roads[place]:
            if place not in roads[end]:
                names = f"{world.name(place)} is connected to {world.name(end)}"
                raise ValueError(f"{names}, and not the other way round")
    return found


def drawn_roads(places: Sequence[str], rng: Random) -> list[tuple[str, str]]:
    """Draw roads, in both directions, that connect all places."""
    ways = {(rng.choice(places[:number]), place) for number, place in enumerate(places) if number}
    ways |= {tuple(rng.sample(places, 2)) for _ in range(rng.randrange(len(places))) if len(places) > 1}
    return sorted({way for one, other in ways for way in ((one, other), (other, one))})
