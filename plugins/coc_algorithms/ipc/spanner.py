"""Spanner: on the way to some nuts, which is one-way, a man picks up spanners, each of which tightens one nut.

He picks up the first ones that he passes, as many as there are nuts.
"""

from itertools import pairwise
from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Walk, PickupSpanner, TightenNut = operators("""
walk ?start ?end - location ?man: (at ?man ?start) (link ?start ?end) -> (at ?man ?end) (not (at ?man ?start))
pickup_spanner ?location ?spanner ?man: (at ?man ?location) (at ?spanner ?location)
    -> (carrying ?man ?spanner) (not (at ?spanner ?location))
tighten_nut ?location ?spanner ?man ?nut: (at ?man ?location) (at ?nut ?location) (carrying ?man ?spanner)
    (useable ?spanner) (loose ?nut) -> (tightened ?nut) (not (loose ?nut)) (not (useable ?spanner))
""")


class Spanner(Record):
    """A useable spanner, and the next one that lies at the same place, or is carried."""

    next: "Spanner | None" = None


class Nut(Record):
    """A nut to tighten, the next one at the same place, and another one that needs a spanner from the way."""

    next: "Nut | None" = None
    other: "Nut | None" = None


class Location(Record):
    """A place: the spanners and the nuts there, and the next place on the way, but none where the way ends."""

    spanners: Spanner | None = None
    nuts: Nut | None = None
    next: "Location | None" = None


class Man(Record):
    """The man, and where he begins."""

    start: Location


@procedure
def walk(man: Man, here: Location, carried: Spanner | None, open_nuts: Nut | None) -> Steps[None]:
    """Do what there is to do at a place, and go on; spanners are picked up as long as nuts have none."""
    for spanner in chain((yield read(here)).spanners, "next"):
        if not open_nuts:
            break
        yield PickupSpanner(here, spanner, man)
        yield write(spanner, next=carried)
        carried = spanner
        open_nuts = (yield read(open_nuts)).other
    for nut in chain((yield read(here)).nuts, "next"):
        yield TightenNut(here, carried, man, nut)
        carried = (yield read(carried)).next
    to = (yield read(here)).next
    if to:
        yield Walk(here, to, man)
        yield walk(man, to, carried, open_nuts)


class SpannerProgram(PlanningProgram):
    """n nuts, which a man tightens with spanners that lie on the way."""

    name = "spanner"
    main = walk
    operators = (Walk, PickupSpanner, TightenNut)
    classes = {"nut": Nut, "spanner": Spanner, "man": Man, "location": Location}
    exactly_one = ("(at ?man _)", "(at ?nut _)", "(at ?spanner _) (carrying _ ?spanner)")
    at_most_one = ("(link ?location _)",)
    picture = Drawing("location", {"at": "{0} in {1}", "carrying": "{1} in {0}"}, carriers="man", ways="link")
    goals = "(tightened ?nut) (at ?man _)"

    def build(self, world: World) -> Call:
        start, way, nuts = world.start, self._way(world), world.left("tightened", Nut)
        (man,) = world[Man]
        man.start = way[0]
        for place in world[Location]:
            place.spanners = linked(each for each in start.all("at", Spanner, place) if start.holds("useable", each))
            place.nuts = linked(nut for nut in nuts if start.one("at", nut, Location) == place)
        end = world.goal.one("at", man, Location)
        linked(way[: max((level for level, place in enumerate(way, 1) if place.nuts or place == end), default=1)])
        linked(nuts, "other")
        carried = [each for each in start.all("carrying", man, Spanner) if start.holds("useable", each)]
        return walk(man, way[0], linked(carried), next(iter(nuts[len(carried) :]), None))

    def _way(self, world: World) -> list[Location]:
        """Return the places from the man's on to where the links end."""
        if len(world[Man]) != 1:
            raise ValueError(f"there are {len(world[Man])} men; this domain has one")
        way: list[Location] = [world.start.one("at", world[Man][0], Location)]
        while following := world.start.one("link", way[-1], Location):
            if following in way:
                raise ValueError(f"the way leads in a circle by {world.name(following)}")
            way.append(following)
        return way

    def impossible(self, world: World) -> str | None:
        start, way, nuts = world.start, self._way(world), world.left("tightened", Nut)
        spanners = sum(start.holds("useable", each) for each in start.all("carrying", world[Man][0], Spanner))
        for place in way:
            spanners += sum(start.holds("useable", each) for each in start.all("at", Spanner, place))
            spanners -= sum(start.one("at", nut, Location) == place for nut in nuts)
            if spanners < 0:
                return f"there are not enough spanners on the way to the nuts at {world.name(place)}"
        places = [start.one("at", nut, Location) for nut in nuts]
        for nut, place in zip(nuts, places, strict=True):
            if place not in way or not start.holds("loose", nut):
                return f"{world.name(nut)} is not {'on the way' if place not in way else 'loose'}"
        end = world.goal.one("at", world[Man][0], Location)
        if end and end not in way[max(map(way.index, places), default=0) :]:
            return f"no way leads to {world.name(end)}"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        nuts, spanners = named("nut", n), named("spanner", n + rng.randrange(3))
        places = ["shed", *named("location", rng.randint(1, n + 3)), "gate"]
        ends = rng.choice([places[-1:], places[len(places) // 2 :]])
        held = spanners[: max(0, rng.randrange(-2, 3))]
        start = ["at bob shed", *(f"link {one} {other}" for one, other in pairwise(places))]
        start += [f"carrying bob {name}" for name in held]
        start += [f"at {name} {rng.choice(places[: len(places) // 2 + 1])}" for name in spanners if name not in held]
        start += [f"at {name} {rng.choice(ends)}" for name in nuts]
        start += [f"useable {name}" for name in spanners] + [f"loose {name}" for name in nuts]
        share = rng.choice([0, 0.5, 1, 1])
        goal = [f"tightened {name}" for name in nuts if rng.random() < share]
        goal += [f"at bob {places[-1] if goal else rng.choice(ends)}"] * (rng.random() < 0.25)
        return {"nut": nuts, "spanner": spanners, "man": ["bob"], "location": places}, start, goal
