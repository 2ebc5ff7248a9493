"""Sokoban: a robot pushes boxes, each of which has a goal of its own.

The robot walks breadth-first until it meets a box that it can push to its goal while all other boxes stay where they
are. That search prefers pushes towards the goal, and between two pushes the robot goes round a corner of the box. If
boxes are left over, all begins anew with these first; so some problems that can be solved are not.
"""

from collections.abc import Mapping, Sequence
from itertools import chain as flat, product
from math import isqrt
from random import Random
from typing import Literal

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_algorithms.planning.grids import STEPS, coordinates
from coc_programs import Call, Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import List

Move, Push = operators("""
move ?start ?end - location ?direction: (at-robot ?start) (clear ?end) (adjacent ?start ?end ?direction)
    -> (at-robot ?end) (not (at-robot ?start))
push ?start ?middle ?end - location ?direction ?box: (at-robot ?start) (at ?box ?middle) (clear ?end)
    (adjacent ?start ?middle ?direction) (adjacent ?middle ?end ?direction) -> (at-robot ?middle) (at ?box ?end)
    (clear ?middle) (not (at-robot ?start)) (not (at ?box ?middle)) (not (clear ?end))
""")

Turn = Literal["first", "next", "last", "done", "settled"]


class Direction(Record):
    """A direction, and the opposite one."""

    opposite: "Direction"


class Line(Record, letters="N"):
    """The cells of a row or column; whether the goal of a search lies farther in a direction, and the line behind."""

    near: "Try | None" = None
    behind: "Line | None" = None


class Way(Record):
    """A way from a cell to the next, where a box may be; the way farther on, and those round a box into other ways."""

    start: "Location"
    to: "Location"
    direction: Direction
    line: Line
    on: "Way | None" = None
    corners: "Corner | None" = None
    seen: "Try | None" = None


class Exit(Record):
    """A way out of a cell: where it leads to, and the next one."""

    to: "Location"
    way: Way
    next: "Exit | None" = None


class Corner(Record, letters="K"):
    """Two ways that lead round a corner of a box, the cells where they end, and the way to the box from there."""

    one: Way
    other: Way
    middle: "Location"
    end: "Location"
    into: Way
    next: "Corner | None" = None


class Location(Record):
    """A cell: the box there, the ways out, and the last walk that has seen it."""

    box: "Box | None" = None
    exits: Exit | None = None
    seen: "Visit | None" = None


class Box(Record):
    """A box, its goal, and the nearest lines from which that lies ahead; when its turn is, and whether it is now.

    Those that were left over come first, and are settled in the end; those that could not be pushed come last.
    """

    start: Location
    cell: Location
    goal: Location
    lines: List[Line]
    turn: Turn = "done"
    chosen: bool = False


class Stop(Record):
    """A way that the robot has gone, with a box or without; and the one before."""

    way: Way
    box: Box | None = None
    before: "Stop | None" = None


class Visit(Record):
    """A cell that the robot can walk to, after a stop; and the next one in the queue."""

    cell: Location
    stop: Stop | None = None
    next: "Visit | None" = None


class Try(Record):
    """The robot can be before a way, and the box at its end, after a stop; and the next one in the queue."""

    way: Way
    stop: Stop | None = None
    next: "Try | None" = None


class Robot(Record):
    """Where the robot begins and is, and how it came there."""

    start: Location
    cell: Location
    stop: Stop | None = None


@procedure
def solve(robot: Robot, boxes: List[Box]) -> Steps[None]:
    """Bring boxes to their goals. If some are left over for the first time, begin anew with these."""
    yield bring(robot, boxes)
    if (yield left_over(boxes)):
        yield put_back(robot, boxes)
        yield solve(robot, boxes)
    else:
        yield act((yield read(robot)).stop)


@procedure
def bring(robot: Robot, boxes: List[Box]) -> Steps[None]:
    """Bring one box after the other to its goal, as long as that is possible."""
    for turn in ("first", "next", "last"):
        if (yield choose(boxes, turn)):
            here = yield read(robot)
            visit = yield new(Visit, cell=here.cell, stop=here.stop)
            yield write(here.cell, seen=visit)
            if (yield walk(visit, visit, visit, robot)):
                yield bring(robot, boxes)
                return


@procedure
def choose(boxes: List[Box], turn: Turn) -> Steps[bool]:
    """Choose the boxes whose turn it is; return whether there is one."""
    found = False
    for box in each(boxes):
        if (yield read(box)).turn == turn:
            yield write(box, chosen=True)
            found = True
        else:
            yield write(box, chosen=False)
    return found


@procedure
def left_over(boxes: List[Box]) -> Steps[bool]:
    """Let boxes that are not at their goals be the first ones from now on; return whether one was not already."""
    found = False
    for box in each(boxes):
        turn = (yield read(box)).turn
        if turn in ("next", "last"):
            yield write(box, turn="first")
            found = True
    return found


@procedure
def put_back(robot: Robot, boxes: List[Box]) -> Steps[None]:
    """Put all where it began."""
    yield write(robot, cell=(yield read(robot)).start, stop=None)
    for box in each(boxes):
        yield write((yield read(box)).cell, box=None)
    for box in each(boxes):
        load = yield read(box)
        yield write(load.start, box=box)
        yield write(box, cell=load.start, turn="first" if load.turn in ("first", "settled") else "next")


@procedure
def walk(visit: Visit, last: Visit, first: Visit, robot: Robot) -> Steps[bool]:
    """Walk on until a chosen box has been brought to its goal; return whether one has."""
    here = yield read(visit)
    for exit_ in chain((yield read(here.cell)).exits, "next"):
        there = yield read(exit_.to)
        if there.box:
            if (yield read(there.box)).chosen and (yield push(robot, there.box, exit_.way, here.stop)):
                return True
        elif there.seen != first:
            yield write(exit_.to, seen=first)
            stop = yield new(Stop, way=exit_.way, before=here.stop)
            fresh = yield new(Visit, cell=exit_.to, stop=stop)
            yield write(last, next=fresh)
            last = fresh
    following = (yield read(visit)).next
    if not following:
        return False
    return (yield walk(following, last, first, robot))


@procedure
def push(robot: Robot, box: Box, way: Way, stop: Stop | None) -> Steps[bool]:
    """Push a box to its goal from where the robot can get; return whether that is possible."""
    load = yield read(box)
    first = yield new(Try, way=way, stop=stop)
    for nearest in each(load.lines):
        for line in chain(nearest, "behind"):
            yield write(line, near=first)
    yield write(load.cell, box=None)
    found = yield search(first, first, first, box, load.goal)
    if not found:
        yield write(load.cell, box=box)
        if load.turn == "next":
            yield write(box, turn="last")
        return False
    yield write(load.goal, box=box)
    yield write(box, cell=load.goal, turn="settled" if load.turn == "first" else "done")
    end = yield read(found)
    yield write(robot, cell=(yield read(end.way)).start, stop=end.stop)
    return True


@procedure
def search(here: Try, last: Try, first: Try, box: Box, goal: Location) -> Steps[Try | None]:
    """Search for pushes of a box to its goal. What leads away from the goal waits at the end of the queue."""
    state = yield read(here)
    way = yield read(state.way)
    if way.to == goal:
        return here
    if way.seen != first:
        yield write(state.way, seen=first)
        last = yield turned(way.corners, state.stop, last, first)
        if way.on and not (yield read((yield read(way.on)).to)).box:
            stop = yield new(Stop, way=state.way, box=box, before=state.stop)
            if (yield read(way.line)).near == first:
                following = (yield read(here)).next
                fresh = yield new(Try, way=way.on, stop=stop, next=following)
                yield write(here, next=fresh)
                if not following:
                    last = fresh
            else:
                fresh = yield new(Try, way=way.on, stop=stop)
                yield write(last, next=fresh)
                last = fresh
    following = (yield read(here)).next
    if not following:
        return None
    return (yield search(following, last, first, box, goal))


@procedure
def turned(corners: Corner | None, stop: Stop | None, last: Try, first: Try) -> Steps[Try]:
    """Put what comes of going round the corners of a box at the end of the queue; return its new end."""
    for corner in chain(corners, "next"):
        if (yield read(corner.into)).seen == first:
            continue
        if not (yield read(corner.middle)).box and not (yield read(corner.end)).box:
            one = yield new(Stop, way=corner.one, before=stop)
            other = yield new(Stop, way=corner.other, before=one)
            fresh = yield new(Try, way=corner.into, stop=other)
            yield write(last, next=fresh)
            last = fresh
    return last


@procedure
def act(stop: Stop | None) -> Steps[None]:
    """Go all ways up to a stop."""
    if stop:
        here = yield read(stop)
        yield act(here.before)
        way = yield read(here.way)
        if here.box and way.on:
            beyond = (yield read(way.on)).to
            yield Push(way.start, way.to, beyond, way.direction, here.box)
        else:
            yield Move(way.start, way.to, way.direction)


class Sokoban(PlanningProgram):
    """n boxes on a grid of up to 3 cells for each, with walls. Those that are drawn have wide passages."""

    name = "sokoban"
    main = solve
    operators = (Move, Push)
    classes = {"box": Box, "location": Location, "direction": Direction}
    exactly_one = ("(at-robot _)", "(at ?box _)")
    at_most_one = ("(clear ?location) (at _ ?location)", "(adjacent ?location _ ?direction)")
    picture = Drawing("location", {"at": "{0} in {1}", "at-robot": "robot in {0}"}, implied="clear", kind="grid")
    goals = "(at ?box _)"
    sizes = range(1, 101)

    def build(self, world: World) -> Call:
        start = world.start
        for box in world[Box]:
            box.start = box.cell = start.one("at", box, Location)
            box.goal = world.goal.one("at", box, Location) or box.start
            box.turn, box.start.box = "done" if box.goal == box.start else "next", box
        out = self._ways(world)
        for cell, ways in out.items():
            cell.exits = linked(Exit(to=way.to, way=way) for way in ways)
            for way in ways:
                way.on = next((each for each in out[way.to] if each.direction is way.direction), None)
                way.corners = linked(
                    Corner(one=one, other=other, middle=one.to, end=other.to, into=into)
                    for one in ways
                    if one is not way
                    for other in out[one.to]
                    if other.to is not cell
                    for into in out[other.to]
                    if into.to is way.to
                )
        self._lines(world, out)
        here = start.one("at-robot", Location)
        return solve(Robot(start=here, cell=here), List.store(box for box in world[Box] if box.turn == "next"))

    def _ways(self, world: World) -> Mapping[Location, Sequence[Way]]:
        """Return the ways out of each cell, and say which directions are opposite."""
        start, out = world.start, {cell: list[Way]() for cell in world[Location]}
        for direction in world[Direction]:
            direction.opposite = direction
        for direction, cell in product(world[Direction], world[Location]):
            to = start.one("adjacent", cell, Location, direction)
            if to and (to.box or start.holds("clear", to)):
                direction.opposite = start.one("adjacent", to, cell, Direction) or direction
                out[cell].append(Way.at(0, Way.unfinished().fields | {"start": cell, "to": to, "direction": direction}))
        return out

    def _lines(self, world: World, out: Mapping[Location, Sequence[Way]]) -> None:
        """Make the rows and columns, and say in which each way ends, and which lie before the goals."""
        order = list[Direction]()
        for way in flat.from_iterable(out.values()):
            order += [way.direction, way.direction.opposite] if way.direction not in order else []
        if len(order) > len(STEPS):
            raise ValueError("the directions are not four, two of them opposite to the others")
        place_of = coordinates(
            world[Location],
            lambda cell, number: [way.to for way in out[cell] if order.index(way.direction) == number],
        )

        def along(cell: Location, number: int) -> int:
            """Return how far a cell lies in a direction."""
            return sum(step * at for step, at in zip(STEPS[number], place_of[cell], strict=True))

        lines = {(number, along(cell, number)): Line() for number in range(len(order)) for cell in world[Location]}
        for (number, position), line in lines.items():
            line.behind = lines.get((number, position - 1))
        for way in flat.from_iterable(out.values()):
            number = order.index(way.direction)
            way.line = lines[number, along(way.to, number)]
        for box in world[Box]:
            nearest = (lines.get((number, along(box.goal, number) - 1)) for number in range(len(order)))
            box.lines = List.store(filter(None, nearest))

    def impossible(self, world: World) -> str | None:
        out = self._ways(world)
        pushes: dict[Location, list[Location]] = {cell: [] for cell in out}
        for way in flat.from_iterable(out.values()):
            pushes[way.to] += [on.to for on in out[way.to] if on.direction is way.direction]
        for box in world[Box]:
            reached = {box.start: None}
            for cell in (queue := [box.start]):
                fresh = [end for end in pushes[cell] if end not in reached]
                reached |= dict.fromkeys(fresh)
                queue += fresh
            if box.goal not in reached:
                return f"{world.name(box)} can't be pushed to {world.name(box.goal)}"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        side = isqrt(3 * n - 1) + 1
        cells = {(x, y): f"c{x}-{y}" for x in range(3 * side + 2) for y in range(3 * side + 2)}
        apart = rng.sample([(x, y) for x, y in cells if x % 3 == y % 3 == 2], side * side)
        boxes, goals, walls = apart[:n], apart[n : 2 * n], apart[2 * n :][: rng.randrange(n + 1)]
        names, directions = named("box", n), ("up", "down", "left", "right")
        start = [f"at {box} {cells[cell]}" for box, cell in zip(names, boxes, strict=True)]
        start.append(f"at-robot {rng.choice([name for cell, name in cells.items() if cell not in boxes + walls])}")
        start += [f"clear {name}" for cell, name in cells.items() if cell not in boxes + walls]
        for (x, y), direction in product(cells, range(4)):
            to = (x + STEPS[direction][0], y + STEPS[direction][1])
            if to in cells and not {to, (x, y)} & {*walls}:
                start.append(f"adjacent {cells[x, y]} {cells[to]} {directions[direction]}")
        goal = [f"at {box} {cells[cell]}" for box, cell in zip(names, goals, strict=True) if rng.random() < 0.9]
        return {"box": names, "location": cells.values(), "direction": directions}, start, goal
