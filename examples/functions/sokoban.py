"""Sokoban: the fewest moves after which a box is on each goal."""

from coc_programs import Function, Steps, each, procedure, read
from coc_programs.library import List, Map, Number, add, get, less, minus_one, predecessor, put, successor, zero


@procedure
def sokoban(player: Number, boxes: Map[Number], goals: List[Number], ways: List[Number], most: Number) -> Steps[Number]:
    """Return the fewest moves, by trying all of 0, 1, 2, ... moves; -1 if it takes more than some.

    For each square of the floor, `boxes` has 0 or 1. A way is what is added to a square for the one beside it.
    """
    moves: Number = yield zero()
    while not (yield solve(player, boxes, goals, ways, moves)):
        if not (yield less(moves, most)):
            return (yield minus_one())
        moves = yield successor(moves)
    return moves


@procedure
def solve(player: Number, boxes: Map[Number], goals: List[Number], ways: List[Number], moves: Number) -> Steps[bool]:
    """Return whether as many moves lead to the end; if not, all boxes are where they were."""
    if (yield read(moves)).last:
        for goal in each(goals):
            if (yield read((yield get(boxes, goal)))).last:
                return False
        return True
    moves = yield predecessor(moves)
    for way in each(ways):
        there: Number = yield add(player, way)
        beyond: Number = yield add(there, way)
        here: Number | None = yield get(boxes, there)
        behind: Number | None = yield get(boxes, beyond)
        if here and (yield read(here)).last:
            if (yield solve(there, boxes, goals, ways, moves)):
                return True
        elif here and behind and (yield read(behind)).last:
            yield put(boxes, there, behind)
            yield put(boxes, beyond, here)
            if (yield solve(there, boxes, goals, ways, moves)):
                return True
            yield put(boxes, there, here)
            yield put(boxes, beyond, behind)
    return False


class Sokoban(Function):
    """A floor of about 3 n squares with one or two boxes."""

    main = sokoban

    def draw(self, n, rng):
        boxes = {at: 0 for at in range(5 * n + 5) if at in (0, 1, 5) or (at % 5 < 4 and rng.random() < 0.8)}
        player = rng.choice([*boxes])
        near = [at for at in boxes if abs(at - player) in (1, 2, 4, 5, 6, 10)]
        goals = rng.sample(near, min(len(near), rng.randint(1, 2)))
        boxes |= dict.fromkeys(rng.sample(near, len(goals)), 1)
        return player, boxes, goals, [-1, 1, -5, 5], 4

    def reference(self, player, boxes, goals, ways, most):
        states = {(player, frozenset(at for at in boxes if boxes[at]))}
        for moves in range(most + 1):
            if any(full.issuperset(goals) for _, full in states):
                return moves
            moved = [(at + way, at + 2 * way, full) for at, full in states for way in ways if at + way in boxes]
            states = {(there, full) for there, _, full in moved if there not in full}
            pushes = [push for push in moved if push[0] in push[2] and push[1] in {*boxes} - push[2]]
            states |= {(there, full - {there} | {beyond}) for there, beyond, full in pushes}
        return -1
