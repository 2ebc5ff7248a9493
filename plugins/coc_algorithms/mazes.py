"""Mazes: grids with walls, and any graphs; the actions, and the states."""

import random
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated

from attrs import frozen

from coc_core.text import Codec, item_codec, list_of, parse_decimal, quoted


@frozen
class Go:
    """The action: go to a cell, to which a way leads from where one is."""

    cell: Annotated[int, item_codec("C", "cell")]


@frozen
class Report:
    """The action: say that no way leads to the goal."""


@frozen
class Grid:
    """Rows of cells: `S` is the start, `G` the goal, `.` is free, and `#` is a wall. Cells have numbers, by rows."""

    rows: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        cells = "".join(self.rows)
        if wrong := {*cells} - {*"SG.#"}:
            raise ValueError(f"{quoted(min(wrong))} is no cell; cells are S, G, . and #")
        if len({*map(len, self.rows)}) > 1:
            raise ValueError("the rows differ in length")
        if cells.count("S") != 1 or cells.count("G") != 1:
            raise ValueError("a grid has one S, the start, and one G, the goal")

    @cached_property
    def start(self) -> int:
        return "".join(self.rows).index("S") + 1

    @cached_property
    def goal(self) -> int:
        return "".join(self.rows).index("G") + 1

    @property
    def size(self) -> int:
        return sum(map(len, self.rows))

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        width, cells = len(self.rows[0]), "#" + "".join(self.rows)
        found: list[list[int]] = [[] for _ in cells]
        for cell in range(1, len(cells)):
            for other in (cell + 1,) * (cell % width > 0) + (cell + width,) * (cell + width < len(cells)):
                if "#" not in (cells[cell], cells[other]):
                    found[cell].append(other)
                    found[other].append(cell)
        return tuple(map(tuple, found))


def _parse_edge(text: str) -> tuple[int, int]:
    one, dash, other = text.partition("-")
    if not dash:
        raise ValueError(f"{quoted(text, 24)} is not an edge such as 1-2")
    return parse_decimal(one), parse_decimal(other)


_EDGE: Codec[tuple[int, int]] = Codec(_parse_edge, lambda edge: f"{edge[0]}-{edge[1]}")


@frozen
class Graph:
    """Edges, each of which joins two cells."""

    edges: Annotated[tuple[tuple[int, int], ...], list_of(_EDGE, "edge")]
    start: int
    goal: int

    def __attrs_post_init__(self) -> None:
        if self.start == self.goal:
            raise ValueError(f"cell {self.goal} is the start and the goal")
        if 0 in (self.start, self.goal, *chain.from_iterable(self.edges)):
            raise ValueError("cells have numbers from 1")

    @cached_property
    def size(self) -> int:
        return max(self.start, self.goal, *chain.from_iterable(self.edges))

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        found: list[list[int]] = [[] for _ in range(self.size + 1)]
        for one, other in self.edges:
            found[one].append(other)
            found[other].append(one)
        return tuple(map(tuple, found))


def has_way(maze: Grid | Graph) -> bool:
    """Return whether the goal of a maze can be reached from its start."""
    seen, new = {maze.start}, {maze.start}
    while new:
        new = {each for cell in new for each in maze.neighbours[cell]} - seen
        seen |= new
    return maze.goal in seen


def drawn(n: int, rng: random.Random) -> Grid:
    """Return a grid of n by n cells, of which 10% to 50% are walls."""
    walls = rng.uniform(0.1, 0.5)
    cells = ["#" if rng.random() < walls else "." for _ in range(n * n)]
    for cell, end in zip(rng.sample(range(n * n), 2), "SG", strict=True):
        cells[cell] = end
    return Grid(tuple("".join(cells[row : row + n]) for row in range(0, n * n, n)))


@frozen
class Place:
    """The state: where one is in a maze, and whether one has said that there is no way."""

    maze: Grid | Graph
    cell: int
    reported: bool = False
