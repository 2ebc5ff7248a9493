"""Mazes: grids with walls, and any graphs, searched breadth-first and depth-first.

Both searches begin at the goal, so that the way from the start lies in order when it is found.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain as flat, pairwise
from math import isqrt
from typing import Annotated, Any

from attrs import evolve, field, frozen

from coc_algorithms.shared import Answer, Report, linked, numbers
from coc_algorithms.written import Lines, grid, mazes
from coc_core.domain import Column, HasScenes, Item, ReadsItems, ReadsText, Scene
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, item_codec, list_of
from coc_programs import Call, Program, Record, Steps, chain, every, procedure, read, write


@frozen
class Go:
    """The action: go to a cell, to which a way leads from where one is."""

    cell: Annotated[int, item_codec("C", "cell")]


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
    for way in chain((yield read(cell)).ways, "next"):
        there = yield read(way.to)
        if not there.back:
            yield write(way.to, back=cell)
            if there.end:
                yield walk(cell)
                return
            yield write(last, next=way.to)
            last = way.to
    following = (yield read(cell)).next
    if not following:
        yield Report()
        return
    yield search(following, last)


@procedure
def walk(cell: Cell) -> Steps[None]:
    """Go to a cell, and on to the goal."""
    for here in chain(cell, "back"):
        yield Go(here.number)
        if here.end:
            return


@procedure
def explore(goal: Cell) -> Steps[None]:
    """Search depth-first."""
    if not (yield visit(goal)):
        yield Report()


@procedure
def visit(cell: Cell) -> Steps[bool]:
    """Return whether the start has been found by ways from this cell. The way is gone in returning."""
    for way in chain((yield read(cell)).ways, "next"):
        there = yield read(way.to)
        if not there.back:
            yield write(way.to, back=cell)
            if there.end or (yield visit(way.to)):
                yield Go(cell.number)
                return True
    return False


HERE = (Item("@", "@", kind="here"),)


@frozen
class Graph:
    """Edges, each of which joins two cells. Cells have numbers from 1."""

    edges: Annotated[tuple[tuple[int, ...], ...], list_of(numbers("-"), "edge")]
    start: int
    goal: int

    def __attrs_post_init__(self) -> None:
        if {*map(len, self.edges)} - {2} or self.start == self.goal or 0 in (self.start, self.goal, *flat(*self.edges)):
            raise ValueError("a graph has edges such as 1-2, between cells from 1, and a start that is not the goal")

    @property
    def graph(self) -> "Graph":
        return self

    @property
    def size(self) -> int:
        return max(self.start, self.goal, *flat(*self.edges))

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        """The cells to which ways lead from each cell."""
        found: list[list[int]] = [[] for _ in range(self.size + 1)]
        for one, other in self.edges:
            found[one].append(other)
            found[other].append(one)
        return found

    @cached_property
    def has_way(self) -> bool:
        """Whether the goal can be reached from the start."""
        seen = new = {self.start}
        while new:
            new = {each for cell in new for each in self.neighbours[cell]} - seen
            seen |= new
        return self.goal in seen

    def scene(self, place: "Place") -> Scene:
        """Return the cells, and the ways that join them."""
        path = {place.cell, *place.way}
        labels = {self.start: " start", self.goal: " goal"}
        columns = (
            Column(f"C{cell}{labels.get(cell, '')}", HERE * (cell == place.cell), "path" if cell in path else "")
            for cell in range(1, self.size + 1)
        )
        ways = ((min(ends) - 1, max(ends) - 1) for ends in self.edges)
        return Scene(tuple(columns), kind="graph", ways=tuple(sorted({*ways})))


@frozen
class Grid:
    """Rows of cells: `S` is the start, `G` the goal, `.` is free, and `#` is a wall. Cells have numbers, by rows."""

    rows: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        ends = "".join(self.rows).replace(".", "").replace("#", "")
        if sorted(ends) != ["G", "S"] or len({*map(len, self.rows)}) > 1:
            raise ValueError("a grid has rows as long as each other, of . and #, one S, the start, and one G, the goal")

    @property
    def size(self) -> int:
        return len(self.rows) * len(self.rows[0])

    @cached_property
    def graph(self) -> Graph:
        """The ways between free cells beside each other."""
        cells, width = f"#{''.join(self.rows)}", len(self.rows[0])
        beside = ((cell, cell + 1) for cell in range(1, len(cells)) if cell % width)
        below = ((cell, cell + width) for cell in range(1, len(cells) - width))
        edges = (edge for edge in sorted(flat(beside, below)) if "#" not in (cells[edge[0]], cells[edge[1]]))
        return Graph(tuple(edges), cells.index("S"), cells.index("G"))

    def scene(self, place: "Place") -> Scene:
        """Return the cells, with the way since the start."""
        cells, path = "".join(self.rows), {place.cell, *place.way}
        looks: Mapping[str, Any] = {"#": "wall", "G": "goal"}
        columns = (
            Column(cell.strip(".#"), HERE * (number == place.cell), "path" if number in path else looks.get(cell, ""))
            for number, cell in enumerate(cells, 1)
        )
        return Scene(tuple(columns), kind="grid", width=len(self.rows[0]))


@frozen
class Place:
    """The state: where one is in a maze, whether one has said that there is no way, and where one was before."""

    maze: Grid | Graph
    cell: int
    reported: bool = False
    before: "Place | None" = field(default=None, eq=False, repr=False)

    @property
    def way(self) -> Iterator[int]:
        """The cells where one was before, the last one first."""
        place = self.before
        while place:
            yield place.cell
            place = place.before


class Maze(Program[Grid | Graph, Go | Report, Place], HasScenes[Place], ReadsItems, ReadsText[Grid | Graph]):
    """Mazes, searched breadth-first: the way is a shortest one. Of size n are those with up to n x n cells."""

    name = "maze"
    sizes = range(2, 601)
    problems = Forms(Form.of(Grid, "grid {rows}"), Form.of(Graph, "graph {edges} from {start} to {goal}"))
    actions = Forms(Form.of(Go, "Go to {cell}."), Form.of(Report, "Report that there is no way."))
    main = search
    datasets = frozenset({"maze", "shortest_path"})

    def item(self, told: Mapping[str, Any]) -> str:
        rows = told["matrix"] if "matrix" in told else told["grid"]
        cells = "*#XO" if "matrix" in told else map(told.__getitem__, ("start", "goal", "wall", "path"))
        ours = dict(zip(cells, "SG#.", strict=True))
        return f"grid [{', '.join(''.join(map(ours.__getitem__, row)) for row in rows)}]"

    def answer_to(self, told: Mapping[str, Any], problem: Grid | Graph) -> Answer:
        """Return how many steps there are, for an item of `maze`, and otherwise their directions."""
        counted, width = told["source_dataset"] == "maze", len(told.get("grid", told.get("matrix"))[0])
        directions = {1: "right", -1: "left"} | {width: "down", -width: "up"}

        def answer(state: Place) -> str:
            cells = [*[*state.way][::-1], state.cell]
            words = [directions[after - before] for before, after in pairwise(cells)]
            return "infeasible" if state.reported else str(len(words)) if counted else " ".join(words)

        return Answer(self, problem, answer)

    def read(self, text: str) -> Grid | Graph:
        return self.problems.parse(grid(text) if "\n" in text.strip() else text.strip())

    def texts(self, lines: Lines) -> Lines:
        return mazes(lines)

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
        graph, cells, ways = problem.graph, list[Cell](), list[Way]()
        goal = Cell.at(graph.goal)
        for number, near in enumerate(graph.neighbours[1:], 1):
            out = [Way(to=Cell.at(each)) for each in near or [goal.number]]  # the goal is seen already
            back = goal if number == goal.number else None
            cells.append(Cell(end=number in (graph.start, graph.goal), ways=linked(out), back=back))
            ways += out
        return self.main(**dict.fromkeys(self.main.parameters, goal)), [*cells, *ways]

    def initial(self, problem: Grid | Graph) -> Place:
        return Place(problem, problem.graph.start)

    def every_action(self, state: Place) -> Sequence[Go | Report]:
        return [] if state.reported else [*map(Go, state.maze.graph.neighbours[state.cell]), Report()]

    def apply(self, state: Place, action: Go | Report) -> Place:
        if action not in self.every_action(state):
            raise ActionFault(f"no way leads there from C{state.cell}, or it was reported that there is none")
        return (
            evolve(state, reported=True) if isinstance(action, Report) else Place(state.maze, action.cell, False, state)
        )

    def scene(self, state: Place) -> Scene:
        return evolve(state.maze.scene(state), text="There is no way." * state.reported)

    def is_goal(self, problem: Grid | Graph, state: Place) -> bool:
        return not problem.graph.has_way if state.reported else state.cell == problem.graph.goal


class MazeDepthFirst(Maze):
    """Mazes, searched depth-first: the way is some way."""

    name = "maze-dfs"
    datasets = frozenset()
    main = explore

    def kinds(self) -> Iterable[Call | Record]:
        cells = (each for each in every(Cell) if not each.next and (each.end or not each.back))
        return [explore(Cell.at(1)), *cells, *every(Way)]
