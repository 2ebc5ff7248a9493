"""Road maps, and breadth-first search in them, step by step, for programs in which something goes by them."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from coc_algorithms.planning.world import World
from coc_programs import Procedure, Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import List

Roads = Mapping[Any, Collection[Any]]
"""A map: the places to which roads lead from each place."""


class Spot(Record, letters="sp"):
    """A place on a map, and where roads lead from there. A search notes how it got there, and what comes next."""

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
    for spot in chain(start, "next"):
        yield write(spot, back=None, next=None)
    return found


@procedure
def searched(start: Spot, wanted: Procedure) -> Steps[Spot | None]:
    """Search breadth-first until a place is wanted, and return its spot. The queue is a chain from the start."""
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
        left += (end for end in roads[place] if end not in found)
        found.update(roads[place])
        for end in roads[place]:
            if place not in roads[end]:
                names = f"{world.name(place)} is connected to {world.name(end)}"
                raise ValueError(f"{names}, and not the other way round")
    return found


def drawn_roads(places: Sequence[str], rng: Random) -> list[str]:
    """Draw roads that connect all places, and lead both ways."""
    ways = [(rng.choice(places[:number]), place) for number, place in enumerate(places) if number]
    more = [rng.choices(places, k=2) for _ in range(rng.randrange(2 * len(places)))]
    both = (ends for one, other in (*ways, *more) for ends in (f"{one} {other}", f"{other} {one}"))
    return [*dict.fromkeys(both)]
