"""Rotten oranges: a search from many cells at once, level by level, which counts the levels."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Self

from coc_algorithms.shared import Answer, linked
from coc_core.domain import ReadsItems
from coc_programs import Function, Record, Steps, chain, procedure, read, write
from coc_programs.library import Number, minus_one, successor, zero


class Orange(Record):
    """A cell of a grid, the next one, and the next one of those that rot in the same minute."""

    state: Literal["none", "fresh", "rotten"]
    ways: "Side | None" = None
    next: "Orange | None" = None
    later: "Orange | None" = None

    @classmethod
    def store(cls, value: Sequence[Sequence[int]], stored: Callable[[Any], Any] = lambda cell: cell) -> Self:
        """Return the first cell of a grid whose rows have 0 for none, 1 for a fresh orange and 2 for a rotten one."""
        if (
            not value
            or not value[0]
            or len({*map(len, value)}) > 1
            or {cell for row in value for cell in row} - {0, 1, 2}
        ):
            raise ValueError("a grid has rows as long as each other, of 0, 1 and 2")
        rows = [[cls(state=("none", "fresh", "rotten")[cell]) for cell in row] for row in value]
        beside = [pair for row in rows for pair in pairwise(row)]
        beside += [pair for two in pairwise(rows) for pair in zip(*two, strict=True)]
        ways = {cell: list[Side]() for row in rows for cell in row}
        for one, other in beside:
            ways[one].append(Side(to=other))
            ways[other].append(Side(to=one))
        for cell, each in ways.items():
            cell.ways = linked(each)
        return linked(ways)


class Side(Record):
    """A cell beside another, and the next one beside the same."""

    to: Orange
    next: "Side | None" = None


@procedure
def minutes(first: Orange) -> Steps[Number]:
    """Return after how many minutes no orange is fresh, if those beside a rotten one rot in a minute; -1 if never."""
    rotten: Orange | None = None
    for cell in chain(first, "next"):
        if cell.state == "rotten":
            yield write(cell, later=rotten)
            rotten = cell
    time: Number = yield zero()
    while rotten:
        more: Orange | None = None
        for cell in chain(rotten, "later"):
            for side in chain(cell.ways, "next"):
                if (yield read(side.to)).state == "fresh":
                    yield write(side.to, state="rotten", later=more)
                    more = side.to
        if more:
            time = yield successor(time)
        rotten = more
    for cell in chain(first, "next"):
        if cell.state == "fresh":
            return (yield minus_one())
    return time


class RottenOranges(Function, ReadsItems):
    """How long it takes until all oranges of a grid are rotten."""

    main = minutes
    sizes = range(1, 448)  # a larger grid has more values than a function takes
    datasets = frozenset({"rotten_oranges"})

    def draw(self, n: int, rng: random.Random) -> list[list[int]]:
        return [rng.choices((0, 1, 2), (2, 7, 1), k=n) for _ in range(n)]

    def reference(self, first: Sequence[Sequence[int]]) -> int:
        cells = {(i, j): cell for i, row in enumerate(first) for j, cell in enumerate(row) if cell}
        rotten, time = {place for place, cell in cells.items() if cell == 2}, 0
        while len(rotten) < len(cells):
            near = {(i + k, j + m) for i, j in rotten for k, m in ((0, 1), (1, 0), (0, -1), (-1, 0))} & {*cells}
            if near <= rotten:
                return -1
            rotten, time = rotten | near, time + 1
        return time

    def item(self, told: Mapping[str, Any]) -> str:
        return self.problems.format(self.read(json.dumps(told["matrix"])))

    def answer_to(self, told: Mapping[str, Any], problem: Any) -> Answer:
        return Answer(self, problem, self.answer)
