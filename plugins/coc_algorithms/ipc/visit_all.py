"""Visit-all: a robot visits some of the places that ways connect. It searches depth-first, until all have been seen."""

import random
from collections.abc import Sequence
from functools import cached_property
from math import sqrt

from coc_algorithms.ipc.stated import Stated, Task, action, linked
from coc_programs import Call, Record, Steps, procedure, read, write

Move = action(
    "move ?start ?end",
    "(at-robot ?start) (connected ?start ?end)",
    adds="(at-robot ?end) (visited ?end)",
    deletes="(at-robot ?start)",
)


class Place(Record):
    """A place: a way from there, and whether the robot has seen it."""

    ways: "Way | None" = None
    seen: bool = False


class Way(Record):
    """A way to a place, and another one from the same place."""

    to: Place
    next: "Way | None" = None


class Goal(Record):
    """A place to visit, and the next one; none in the last of them, which stands for no place."""

    place: Place
    next: "Goal | None" = None


class Root(Record):
    """The first goal that may be left."""

    left: Goal


@procedure
def search(start: Place, root: Root, away: Place | None) -> Steps[None]:
    """Visit all goals. If the start is one, and does not count as visited, the robot comes back from `away` first."""
    if away:
        yield Move(start.number, away.number)
        yield Move(away.number, start.number)
    yield visit(start, root)


@procedure
def visit(here: Place, root: Root) -> Steps[bool]:
    """Visit what has not been seen from a place on, and come back, unless all goals have been seen before."""
    place = yield read(here)
    yield write(here, seen=True)
    if (yield finished(root)):
        return True
    ways = place.ways
    while ways:
        way = yield read(ways)
        there = yield read(way.to)
        if not there.seen:
            yield Move(here.number, way.to.number)
            if (yield visit(way.to, root)):
                return True
            yield Move(way.to.number, here.number)
        ways = way.next
    return False


@procedure
def finished(root: Root) -> Steps[bool]:
    """Yield whether all goals have been seen."""
    first = yield read(root)
    goal = yield read(first.left)
    if not goal.next:
        return True
    place = yield read(goal.place)
    if not place.seen:
        return False
    yield write(root, left=goal.next)
    all_seen: bool = yield finished(root)
    return all_seen


class Round(Task):
    """A problem of the robot that visits places."""

    functions = {"at-robot": 0}

    def check(self) -> None:
        self.the("at-robot")
        ways = {*self.holding("connected")}
        for start, end in ways:
            if (end, start) not in ways and start in self.reached:
                raise ValueError(f"{start} is connected to {end}, and not the other way round")
        if self.holding("at-robot", self.goal):
            raise ValueError("the goal says where the robot shall be; this domain says what it shall visit")

    @property
    def impossible(self) -> str | None:
        lost = [name for name in self.wanted if name not in self.reached]
        if not lost and self.wanted == [self.the("at-robot")] and not self.ways[self.wanted[0]]:
            lost = self.wanted
        return f"no way leads to {lost[0]}" if lost else None

    @cached_property
    def ways(self) -> dict[str, list[str]]:
        """The places that each place is connected to, but itself."""
        found: dict[str, list[str]] = {name: [] for name in self.objects}
        for start, end in self.holding("connected"):
            found[start] += [end] if end != start else []
        return found

    @cached_property
    def reached(self) -> set[str]:
        """The places that ways lead to."""
        found = [self.the("at-robot")]
        seen = {*found}
        for name in found:
            new = [each for each in self.ways[name] if each not in seen]
            found += new
            seen.update(new)
        return seen

    @cached_property
    def wanted(self) -> list[str]:
        """The places to visit."""
        return self.left("visited")


class VisitAll(Stated[Round]):
    """A grid of n x n places, of which some are missing, and all or some are to be visited."""

    name = "visit-all"
    task = Round
    classes = {"place": Place}
    counted = "place"
    operators = (Move,)
    main = search
    sizes = range(1, 101)

    def size(self, problem: Round) -> int:
        return max(1, round(sqrt(len(problem.objects))))

    def _problem(self, n: int, rng: random.Random) -> Round:
        share = rng.choice([1.0, 1.0, 0.8])
        reached = _reached([(x, y) for x in range(n) for y in range(n) if rng.random() < share], rng)
        if round(sqrt(len(reached))) != n:  # too many are missing
            reached = _reached([(x, y) for x in range(n) for y in range(n)], rng)
        there = {*reached}
        ways = sorted((one, other) for one in reached for other in _beside(*one) if other in there)
        start = [f"connected {_named(*one)} {_named(*other)}" for one, other in ways]
        start += [f"at-robot {_named(*reached[0])}"]
        wanted = sorted(reached if share == 1 else [each for each in reached if rng.random() < 0.7])
        goal = [f"visited {_named(*each)}" for each in wanted]
        usual = rng.random() < 0.7 or not ways
        return Round.of_texts(start + [f"visited {_named(*reached[0])}"] * usual, goal)

    def begin(self, problem: Round) -> tuple[Call, Sequence[Record]]:
        places = {name: Place() for name in problem.objects}
        made = list[Record]()
        for name, others in problem.ways.items():
            ways = [Way(to=places[each]) for each in others]
            places[name].ways = linked(ways)
            made += ways
        start = problem.the("at-robot")
        goals = [Goal(place=places[name]) for name in (*problem.wanted, start)]
        away = next(iter(problem.ways[start]), None) if start in problem.wanted else None
        linked(goals)
        root = Root(left=goals[0])
        call = search(places[start], root, away and places[away])
        return call, [*places.values(), *made, *goals, root]


def _reached(kept: Sequence[tuple[int, int]], rng: random.Random) -> list[tuple[int, int]]:
    """Return the places that ways lead to from one of these, which comes first."""
    reached, left = [rng.choice(kept)] if kept else [], {*kept}
    for place in reached:
        left.discard(place)
        reached += [each for each in _beside(*place) if each in left]
        left.difference_update(reached)
    return reached


def _beside(x: int, y: int) -> tuple[tuple[int, int], ...]:
    return (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)


def _named(x: int, y: int) -> str:
    return f"loc-x{x}-y{y}"
