"""Road maps: what holds of places, and search, beside plain Python."""

import random
from itertools import pairwise

import pytest

from coc_algorithms.planning import World
from coc_algorithms.planning.roads import Spot, drawn_roads, mapped, way
from coc_algorithms.shared import begun
from coc_planning.pddl.task import Atom
from coc_programs import Record, Steps, interpret, procedure, read
from coc_programs.library import List


class Place(Record, letters="Q"):
    """A place, which is wanted or not."""

    wanted: bool = False


@procedure
def is_wanted(place: Place) -> Steps[bool]:
    return (yield read(place)).wanted


@procedure
def nearest(start: Spot) -> Steps[List[Spot] | None]:
    return (yield way(start, is_wanted))


def run(start):
    """The result of a search, and the records before and after, each as text."""
    call, records = begun(nearest(start), [])
    before = [each.fields for each in records]
    steps = interpret(call, records)
    with pytest.raises(StopIteration) as ended:
        next(steps)
    found, after = ended.value.value
    return found and found.load(lambda each: after[each.number - 1]), before, after


def distance(start, roads, wanted):
    """How far the nearest wanted place is; None if none can be reached."""
    seen, near, steps = {start}, {start}, 0
    while near and not near & wanted:
        near, steps = {end for place in near for end in roads[place]} - seen, steps + 1
        seen |= near
    return steps if near else None


def test_a_search_finds_a_shortest_way_and_leaves_nothing():
    rng = random.Random(4)
    for size in (1, 2, 3, 5, 9, 14) * 4:
        ends = [tuple(map(int, text.split())) for text in drawn_roads([*map(str, range(size))], rng)]
        kept = [pair for pair in ends if rng.random() < 0.9]  # so places are lost, and roads one-way
        roads = [[end for begin, end in kept if begin == place] for place in range(size)]
        wanted, start = {place for place in range(size) if rng.random() < 0.2}, rng.randrange(size)
        places = [Place(wanted=place in wanted) for place in range(size)]
        spots = [*mapped({places[place]: [places[end] for end in roads[place]] for place in range(size)}).values()]
        found, before, after = run(spots[start])
        assert (None if found is None else len(found)) == distance(start, roads, wanted)
        numbers = {spot.number: place for place, spot in enumerate(spots) if spot.number}
        steps = [start, *(numbers[spot.number] for spot in found or ())]
        assert all(end in roads[begin] for begin, end in pairwise(steps))
        assert found is None or steps[-1] in wanted
        assert [each.fields for each in after[: len(before)]] == before


def test_what_holds_is_found_by_what_is_open():
    one, other = Place(), Place()
    atoms = [Atom("still", ()), Atom("road", ("a", "b")), Atom("road", ("a", "a"))]
    start = World({"a": one, "b": other}, atoms, []).start
    held = [("still",), ("road", one, other), ("loud",), ("road", other, one)]
    assert [start.holds(*each) for each in held] == [True, True, False, False]
    assert start.all("road", one, Place) == [other, one]
    assert (start.one("road", Place, other), start.one("road", other, Place)) == (one, None)
