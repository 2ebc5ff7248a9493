"""Sokoban: the fewest moves after which a box is on each goal."""

from typing import cast

from coc_programs import Function, Record, Steps, new, procedure, read, write
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
    m = yield read(moves)
    moves = m.next
    for way in WAYS:
        p = yield read(player)
        there = getattr(p, way)
        if there:
            t = yield read(there)
            if not t.box:
                if (yield solve(there, goals, moves)):
                    return True
            elif getattr(t, way):
                beyond = getattr(t, way)
                b = yield read(beyond)
                if not b.box:
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
    x = yield read(goals)
    while x.next:
        goals = x.next
        s = yield read(cast(Square, x.first))
        if not s.box:
            return False
        x = yield read(goals)
    return True


class Sokoban(Function):
    """A floor of about 3 n squares with two boxes."""

    main = sokoban

    def draw(self, n, rng):
        floor = {(x, y): Square() for x in range(4) for y in range(n + 1) if rng.random() < 0.8 or x + y < 2}
        for (x, y), square in floor.items():
            for way, place in zip(WAYS, ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)), strict=True):
                setattr(square, way, floor.get(place))
        x, y = rng.choice([*floor])
        near = [square for place, square in floor.items() if abs(place[0] - x) + abs(place[1] - y) in (1, 2)]
        goals = rng.sample(near, min(len(near), rng.randint(1, 2)))
        for square in rng.sample(near, len(goals)):
            square.box = True
        return floor[x, y], goals, 4

    def reference(self, player, goals, most):
        def boxes(square, found):
            if square is not None and square not in found:
                found[square] = square.box
                for way in WAYS:
                    boxes(getattr(square, way), found)
            return frozenset(each for each, box in found.items() if box)

        states = {(player, boxes(player, {}))}
        for count in range(most + 1):
            if any(boxes.issuperset(goals) for _, boxes in states):
                return count
            following = set()
            for here, boxes in states:
                for way in WAYS:
                    there = getattr(here, way)
                    beyond = getattr(there, way) if there in boxes else None
                    if there is not None and (there not in boxes or (beyond is not None and beyond not in boxes)):
                        following.add((there, boxes - {there} | {beyond} if there in boxes else boxes))
            states = following
        return -1
