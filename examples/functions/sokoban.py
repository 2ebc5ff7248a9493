"""Sokoban: the fewest moves after which a box is on each goal."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import List, Number, minus_one, same, successor, zero

WAYS = ("left", "right", "up", "down")


class Square(Record):
    """A square of the floor, with those beside it, and whether a box is there."""

    left: "Square | None" = None
    right: "Square | None" = None
    up: "Square | None" = None
    down: "Square | None" = None
    box: bool = False


class Move(Record):
    """A move that is left, and those after it."""

    next: "Move | None" = None


@procedure
def sokoban(player: Square, goals: List[Square], most: Number) -> Steps[Number]:
    """Return the fewest moves, by trying all of 0, 1, 2, ... moves; -1 if it takes more than some."""
    moves: Move | None = None
    count: Number = yield zero()
    while not (yield solve(player, goals, moves)):
        if (yield same(count, most)):
            return (yield minus_one())
        moves = yield new(Move, next=moves)
        count = yield successor(count)
    return count


@procedure
def solve(player: Square, goals: List[Square], moves: Move | None) -> Steps[bool]:
    """Return whether as many moves lead to the end; if not, all boxes are where they were."""
    if not moves:
        return (yield covered(goals))
    moves = (yield read(moves)).next
    for way in WAYS:
        there = getattr((yield read(player)), way)
        if there:
            t = yield read(there)
            beyond = getattr(t, way)
            if not t.box:
                if (yield solve(there, goals, moves)):
                    return True
            elif beyond and not (yield read(beyond)).box:
                yield write(there, box=False)
                yield write(beyond, box=True)
                if (yield solve(there, goals, moves)):
                    return True
                yield write(there, box=True)
                yield write(beyond, box=False)
    return False


@procedure
def covered(goals: List[Square]) -> Steps[bool]:
    """Return whether a box is on each square."""
    for square in each(goals):
        if not (yield read(square)).box:
            return False
    return True


class Sokoban(Function):
    """A floor of about 3 n squares with one or two boxes."""

    main = sokoban

    def draw(self, n, rng):
        floor = {(x, y): Square() for x in range(4) for y in range(n + 1) if rng.random() < 0.8 or x + y < 2}
        for (x, y), square in floor.items():
            for way, place in zip(WAYS, ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)), strict=True):
                setattr(square, way, floor.get(place))
        x, y = rng.choice([*floor])
        near = [square for (a, b), square in floor.items() if abs(a - x) + abs(b - y) in (1, 2)]
        goals = rng.sample(near, min(len(near), rng.randint(1, 2)))
        for square in rng.sample(near, len(goals)):
            square.box = True
        return floor[x, y], goals, 4

    def reference(self, player, goals, most):
        floor = [player]
        for square in floor:
            floor += {getattr(square, way) for way in WAYS} - {None, *floor}
        states = {(player, frozenset(square for square in floor if square.box))}
        for count in range(most + 1):
            if any(boxes.issuperset(goals) for _, boxes in states):
                return count
            pushes = [(getattr(here, way), way, boxes) for here, boxes in states for way in WAYS]
            states = {(there, boxes) for there, _, boxes in pushes if there is not None and there not in boxes}
            for there, way, boxes in pushes:
                beyond = getattr(there, way) if there in boxes else None
                if beyond is not None and beyond not in boxes:
                    states.add((there, boxes - {there} | {beyond}))
        return -1
