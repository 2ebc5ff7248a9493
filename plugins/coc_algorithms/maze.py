"""Mazes: grids with walls, and any graphs, searched breadth-first and depth-first.

Both searches begin at the goal, so that the way from the start lies in order when it is found.
"""

import itertools
import random
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Annotated, Any

from attrs import evolve, frozen

from coc_core.domain import ReadsItems
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, item_codec, list_of, parse_decimal, quoted
from coc_programs import Call, Program, Record, Steps, chain, every, procedure, read, write


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
        beside = ((cell, cell + 1) for cell in range(1, len(cells)) if cell % width)
        below = ((cell, cell + width) for cell in range(1, len(cells) - width))
        pairs = sorted(itertools.chain(beside, below))
        return _joined(len(cells), (pair for pair in pairs if "#" not in (cells[pair[0]], cells[pair[1]])))


def _joined(cells: int, edges: Iterable[tuple[int, int]]) -> Sequence[Sequence[int]]:
    found: list[list[int]] = [[] for _ in range(cells)]
    for one, other in edges:
        found[one].append(other)
        found[other].append(one)
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
        if 0 in (self.start, self.goal, *itertools.chain.from_iterable(self.edges)):
            raise ValueError("cells have numbers from 1")

    @cached_property
    def size(self) -> int:
        return max(self.start, self.goal, *itertools.chain.from_iterable(self.edges))

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        return _joined(self.size + 1, self.edges)


def has_way(maze: Grid | Graph) -> bool:
    """Return whether the goal of a maze can be reached from its start."""
    seen, new = {maze.start}, {maze.start}
    while new:
        new = {each for cell in new for each in maze.neighbours[cell]} - seen
        seen |= new
    return maze.goal in seen


@frozen
class Place:
    """The state: where one is in a maze, and whether one has said that there is no way."""

    maze: Grid | Graph
    cell: int
    reported: bool = False


class Cell(Record):
    """A cell. The start and the goal are ends; `back` leads towards the goal, once there is known to be a way."""

    end: bool
    ways: "Way"
    back: "Cell | None" = None
    next: "Cell | None" = None


class Way(Record):
    """A way out of a cell, and the next one out of the same cell."""

    to: Cell
    next: "Way | None" = None


@procedure
def search(cell: Cell, last: Cell) -> Steps[None]:
    """Search breadth-first. The queue is a chain of cells, from `cell` to `last`."""
    here = yield read(cell)
    for way in chain(here.ways, "next"):
        there = yield read(way.to)
        if not there.back:
            yield write(way.to, back=cell)
            if there.end:
                yield Go(cell.number)
                yield walk(cell)
                return
            yield write(last, next=way.to)
            last = way.to
    here = yield read(cell)
    if here.next:
        yield search(here.next, last)
        return
    yield Report()


@procedure
def walk(cell: Cell) -> Steps[None]:
    """Go back to the goal."""
    here = yield read(cell)
    if here.back and not here.end:
        yield Go(here.back.number)
        yield walk(here.back)


@procedure
def explore(goal: Cell) -> Steps[None]:
    """Search depth-first."""
    if not (yield visit(goal)):
        yield Report()


@procedure
def visit(cell: Cell) -> Steps[bool]:
    """Yield whether the start has been found by ways from this cell. The way is gone in returning."""
    here = yield read(cell)
    for way in chain(here.ways, "next"):
        there = yield read(way.to)
        if not there.back:
            yield write(way.to, back=cell)
            found = there.end
            if not found:
                found = yield visit(way.to)
            if found:
                yield Go(cell.number)
                return True
    return False


class Maze(Program[Grid | Graph, Go | Report, Place], ReadsItems):
    """Mazes, searched breadth-first: the way is a shortest one. Of size n are those with up to n x n cells."""

    name = "maze"
    sizes = range(2, 301)
    problems = Forms(Form.of(Grid, "grid {rows}"), Form.of(Graph, "graph {edges} from {start} to {goal}"))
    actions = Forms(Form.of(Go, "Go to {cell}."), Form.of(Report, "Report that there is no way."))
    main = search
    datasets = frozenset({"maze", "shortest_path"})

    def item(self, told: Mapping[str, Any]) -> str:
        rows = told["matrix"] if "matrix" in told else told["grid"]
        cells = "*#XO" if "matrix" in told else map(told.__getitem__, ("start", "goal", "wall", "path"))
        ours = dict(zip(cells, "SG#.", strict=True))
        return f"grid [{', '.join(''.join(map(ours.__getitem__, row)) for row in rows)}]"

    def _problem(self, n: int, rng: random.Random) -> Grid:
        """Return a grid of n by n cells, of which 10% to 50% are walls."""
        walls = rng.uniform(0.1, 0.5)
        cells = ["#" if rng.random() < walls else "." for _ in range(n * n)]
        for cell, end in zip(rng.sample(range(n * n), 2), "SG", strict=True):
            cells[cell] = end
        return Grid(tuple("".join(cells[row : row + n]) for row in range(0, n * n, n)))

    def size(self, problem: Grid | Graph) -> int:
        return isqrt(problem.size - 1) + 1

    def begin(self, problem: Grid | Graph) -> tuple[Call, Sequence[Record]]:
        cells, ways = list[Cell](), list[Way]()
        for number, neighbours in enumerate(problem.neighbours[1:], 1):
            out = [Way(to=Cell.at(each)) for each in neighbours or (problem.goal,)]  # the goal is seen already
            for way, following in pairwise(out):
                way.next = following
            back = Cell.at(number) if number == problem.goal else None
            cells.append(Cell(end=number in (problem.start, problem.goal), ways=out[0], back=back))
            ways += out
        return self.call(Cell.at(problem.goal)), [*cells, *ways]

    def call(self, goal: Cell) -> Call:
        """Return the call that begins at the goal."""
        return search(goal, goal)

    def initial(self, problem: Grid | Graph) -> Place:
        return Place(problem, problem.start)

    def every_action(self, state: Place) -> Iterable[Go | Report]:
        return (*map(Go, state.maze.neighbours[state.cell]), Report())

    def apply(self, state: Place, action: Go | Report) -> Place:
        if state.reported:
            raise ActionFault("there is nothing to do after the report that there is no way")
        if isinstance(action, Report):
            return evolve(state, reported=True)
        if action.cell not in state.maze.neighbours[state.cell]:
            raise ActionFault(f"no way leads from C{state.cell} to C{action.cell}")
        return evolve(state, cell=action.cell)

    def render(self, state: Place, width: int) -> str:
        """Draw a grid with an `@` where one is; of a graph, say where one is and where one can go."""
        maze, words = state.maze, f"At C{state.cell}; the goal is C{state.maze.goal}."
        if state.reported:
            words += " There is no way."
        elif isinstance(maze, Graph):
            words += f" Ways lead to {', '.join(f'C{each}' for each in maze.neighbours[state.cell]) or 'nothing'}."
        words = "\n".join(textwrap.wrap(words, max(width, 12)))
        if isinstance(maze, Graph):
            return words
        columns, cells = len(maze.rows[0]), "".join(maze.rows)
        cells = f"{cells[: state.cell - 1]}@{cells[state.cell :]}"
        rows = (cells[row : row + columns] for row in range(0, len(cells), columns))
        return "\n".join([*rows, words] if state.reported else rows)

    def is_goal(self, problem: Grid | Graph, state: Place) -> bool:
        return not has_way(problem) if state.reported else state.cell == problem.goal


class MazeDepthFirst(Maze):
    """Mazes, searched depth-first: the way is some way."""

    name = "maze-dfs"
    main = explore

    def kinds(self) -> Iterable[Call | Record]:
        cells = (each for each in every(Cell) if not each.next and (each.end or not each.back))
        return [explore(Cell.at(1)), *cells, *every(Way)]

    def call(self, goal: Cell) -> Call:
        return explore(goal)
