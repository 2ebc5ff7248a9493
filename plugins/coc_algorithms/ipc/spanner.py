"""Spanner: on the way to some nuts, which is one-way, a man picks up spanners, each of which tightens one nut.

He picks up the first ones that he passes, as many as there are nuts.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from coc_algorithms.ipc.stated import Placed, Stated, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Walk = action(
    "walk ?start ?end ?man",
    "(location ?start) (location ?end) (man ?man) (at ?man ?start) (link ?start ?end)",
    adds="(at ?man ?end)",
    deletes="(at ?man ?start)",
)
PickupSpanner = action(
    "pickup_spanner ?place ?spanner ?man",
    "(location ?place) (spanner ?spanner) (man ?man) (at ?man ?place) (at ?spanner ?place)",
    adds="(carrying ?man ?spanner)",
    deletes="(at ?spanner ?place)",
)
TightenNut = action(
    "tighten_nut ?place ?spanner ?man ?nut",
    "(location ?place) (spanner ?spanner) (man ?man) (nut ?nut) (at ?man ?place) (at ?nut ?place)"
    " (carrying ?man ?spanner) (useable ?spanner) (loose ?nut)",
    adds="(tightened ?nut)",
    deletes="(loose ?nut) (useable ?spanner)",
)


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
    place = yield read(here)
    for spanner in chain(place.spanners, "next"):
        if not open_nuts:
            break
        yield PickupSpanner(here.number, spanner.number, man.number)
        yield write(spanner, next=carried)
        carried = spanner
        nut = yield read(open_nuts)
        open_nuts = nut.other
    place = yield read(here)
    for fixed in chain(place.nuts, "next"):
        used: Spanner = yield read(carried)
        yield TightenNut(here.number, used.number, man.number, fixed.number)
        carried = used.next
    place = yield read(here)
    if place.next:
        yield Walk(here.number, place.next.number, man.number)
        yield walk(man, place.next, carried, open_nuts)


class Workshop(Placed):
    """A problem of the man with the spanners."""

    functions = {"at": 1}

    def check(self) -> None:
        men = self.of("man")
        if len(men) != 1:
            raise ValueError(f"there are {len(men)} men; this domain has one")
        for spanner in self.of("spanner"):
            if (spanner in self.carried) == (spanner in self.place_of):
                raise ValueError(f"{spanner} is {'carried and at a place' if spanner in self.carried else 'nowhere'}")
        if missing := [name for name in (*men, *self.of("nut")) if name not in self.place_of]:
            raise ValueError(f"{missing[0]} is nowhere")
        if any(self.holding(each, self.goal) for each in ("loose", "useable", "carrying")):
            raise ValueError("the goal has more than where the man is, and which nuts are tightened")
        if [name for name, _ in self.holding("at", self.goal) if name not in men]:
            raise ValueError("the goal has the place of something else than the man")
        assert self.way is not None

    @cached_property
    def carried(self) -> list[str]:
        """The spanners that the man carries at the start."""
        return [spanner for _, spanner in self.holding("carrying")]

    @cached_property
    def nuts(self) -> list[str]:
        """The nuts to tighten."""
        return self.left("tightened")

    @cached_property
    def way(self) -> list[str]:
        """The places from the man's on to where the links end."""
        links: dict[str, str] = {}
        for start, end in self.holding("link"):
            if links.setdefault(start, end) != end:
                raise ValueError(f"links lead from {start} to {links[start]} and to {end}; this domain has one way")
        found = dict.fromkeys([self.place_of[self.of("man")[0]]])
        while (following := links.get([*found][-1])) is not None:
            if following in found:
                raise ValueError(f"the way leads in a circle by {following}")
            found[following] = None
        return [*found]

    @cached_property
    def end(self) -> str | None:
        """Where the man shall be in the end, if that is said."""
        return self.mapping("at", goal=True).get(self.of("man")[0])

    @cached_property
    def useable(self) -> list[str]:
        """The spanners that can be used."""
        ready = self.every("useable")
        return [name for name in self.of("spanner") if name in ready]

    @property
    def impossible(self) -> str | None:
        loose = self.every("loose")
        left = sum(name in self.carried for name in self.useable)
        for place in self.way:
            left += sum(self.place_of.get(name) == place for name in self.useable)
            left -= sum(self.place_of[name] == place for name in self.nuts)
            if left < 0:
                return f"there are not enough spanners on the way to the nuts at {place}"
        for nut in self.nuts:
            if self.place_of[nut] not in self.way or nut not in loose:
                return f"{nut} is {'not loose' if nut not in loose else 'not on the way'}"
        if self.end is not None:
            last = max([self.way.index(self.place_of[nut]) for nut in self.nuts], default=0)
            if self.end not in self.way[last:]:
                return f"no way leads to {self.end}"
        return None


class SpannerProgram(Stated[Workshop]):
    """n nuts, which a man tightens with spanners that lie on the way."""

    name = "spanner"
    task = Workshop
    classes = {"man": Man, "spanner": Spanner, "nut": Nut, "location": Location}
    counted = "nut"
    operators = (Walk, PickupSpanner, TightenNut)
    main = walk

    def _problem(self, n: int, rng: random.Random) -> Workshop:
        usual = rng.random() < 0.5  # all nuts are at the gate
        places = ["shed", *(f"location{number}" for number in range(1, rng.randint(1, n + 3) + 1)), "gate"]
        spanners = [f"spanner{number}" for number in range(1, n + rng.randrange(3) + 1)]
        nuts = [f"nut{number}" for number in range(1, n + 1)]
        start = ["man bob", *(f"spanner {name}" for name in spanners), *(f"nut {name}" for name in nuts)]
        start += [*(f"location {name}" for name in places), "at bob shed"]
        start += [f"link {one} {other}" for one, other in pairwise(places)]
        half = len(places) // 2
        held = [] if usual else spanners[: rng.randrange(3)]
        start += [f"carrying bob {name}" for name in held]
        start += [f"at {name} {rng.choice(places[: half + 1])}" for name in spanners if name not in held]
        start += [f"at {name} {places[-1] if usual else rng.choice(places[half:])}" for name in nuts]
        start += [f"useable {name}" for name in spanners] + [f"loose {name}" for name in nuts]
        share = 1.0 if usual else rng.choice([0, 0.5, 0.9])
        goal = [f"tightened {name}" for name in nuts if rng.random() < share]
        last = rng.choice(places[half:]) if not goal else places[-1]
        return Workshop.of_texts(start, goal + [f"at bob {last}"] * (not usual and rng.random() < 0.5))

    def kinds(self) -> Iterator[Call | Record]:
        return (each for each in self.every_kind() if not isinstance(each, Nut) or each.other or not each.next)

    def begin(self, problem: Workshop) -> tuple[Call, Sequence[Record]]:
        places = {name: Location() for name in problem.of("location")}
        man = Man(start=places[problem.way[0]])
        spanners = {name: Spanner() for name in problem.of("spanner")}
        nuts = {name: Nut() for name in problem.of("nut")}
        for name, place in places.items():
            place.spanners = linked(spanners[each] for each in problem.useable if problem.place_of.get(each) == name)
            place.nuts = linked(nuts[each] for each in problem.nuts if problem.place_of[each] == name)
        needed = {problem.place_of[name] for name in problem.nuts} | ({problem.end} if problem.end else set())
        last = max((number for number, name in enumerate(problem.way) if name in needed), default=0)
        linked(places[name] for name in problem.way[: last + 1])
        carried = [spanners[name] for name in problem.useable if name in problem.carried]
        linked([nuts[name] for name in problem.nuts], "other")
        open_nuts = [nuts[name] for name in problem.nuts][len(carried) :]
        call = walk(man, man.start, linked(carried), next(iter(open_nuts), None))
        return call, [man, *spanners.values(), *nuts.values(), *places.values()]
