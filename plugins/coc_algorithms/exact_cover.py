"""Exact covers, found or proved to be none by Algorithm X with dancing links (D. Knuth, Dancing Links, 2000).

A row of the matrix is a ring of nodes, and a column a chain of the nodes of all rows that are left. Where only one row
is left in a column, it is taken at once, so there are few guesses; where none is left, the last guess was wrong. Nodes
are put back one by one, in reverse order. There are no sizes of columns, and so no numbers.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import chain as flat, islice
from typing import Annotated, Any

from attrs import evolve, frozen

from coc_algorithms.cover_problems import PROBLEMS, SYMBOLS, Problem, Row, matrix, sudoku
from coc_algorithms.shared import Answer, Report, begun, linked
from coc_algorithms.written import Lines, sudokus
from coc_core.domain import HasScenes, ReadsItems, ReadsText, Scene
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, counted, item_codec
from coc_programs import Call, Program, Record, Steps, chain, procedure, read, write


class Node(Record):
    """A one of the matrix, below and above others in its column. `trail` is the node that was removed before it."""

    up: "Node | None" = None
    down: "Node | None" = None
    right: "Node"
    column: "Column"
    trail: "Node"


class Column(Record):
    """A column, with its `first` node, and the `row` that covers it, if one does.

    Its `link` is the next one of the columns of which only one row is left, or of those whose only row was taken.
    """

    first: Node | None = None
    row: Node | None = None
    next: "Column | None" = None
    link: "Column"


NodeNumber = Annotated[int, item_codec("N", "node")]


@frozen
class Take:
    """Take a row, which is named by one of its nodes."""

    node: NodeNumber


@frozen
class Guess:
    """A note: the row of a node is taken, to see what follows."""

    node: NodeNumber


@frozen
class Contradiction:
    """A note: a column has no row left."""


@frozen
class Only:
    """The action: report that there is no other solution."""


@procedure
def solve(columns: Column, none: Column, last: Node, two: bool) -> Steps[None]:
    """Find an exact cover, or two, and take its rows, or report that there is none. Linked columns end at `none`."""
    units = none
    for column in chain(columns, "next"):
        if not column.first:
            yield Report()
            return
        if not (yield read(column.first)).down:
            yield write(column, link=units)
            units = column
    u = yield read(units)
    last, taken = yield take(u.first, units, u.link, none, last)
    done, more = False, two
    if taken:
        done, more = yield search(columns, none, taken, last, two)
    if not done:
        if two == more:
            yield Report()
        else:
            yield Only()


@procedure
def search(columns: Column, none: Column, taken: Column, last: Node, more: bool) -> Steps[tuple[bool, bool]]:
    """Cover a column that is left, the first one with two rows if there is one, and then the others.

    Returns whether all covers that are wanted have been found, and whether there is more than one to find.
    """
    column: Column | None = None
    for each in chain(columns, "next"):
        if not each.row:
            column = column or each
            first = yield read(each.first)
            if not (yield read(first.down)).down:
                column = each
                break
    if not column:
        yield report(taken)
        return not more, False
    for node in chain((yield read(column)).first, "down"):
        yield Guess(node.number)
        now, found = yield take(node, column, none, taken, last)
        if found:
            done, more = yield search(columns, none, found, now, more)
            if done:
                return True, False
        yield undo(now, last)
    return False, more


@procedure
def take(
    row: Node | None, column: Column, units: Column, taken: Column, last: Node
) -> Steps[tuple[Node, Column | None]]:
    """Take a row, and the only one of each column that has no other.

    Returns the node that was removed last, and the columns that were taken; none if no row is left in another column.
    """
    while row:
        yield write(column, link=taken)
        taken, at = column, row
        while True:  # cover each column of the row
            n = yield read(at)
            if n.up:
                yield write(n.up, down=n.down)
                yield write(n.column, row=row)
            else:
                yield write(n.column, first=n.down, row=row)
            if n.down:
                yield write(n.down, up=n.up)
            yield write(at, trail=last)
            last = at
            other = (yield read(n.column)).first
            while other:  # remove the other nodes of each row that is left
                o = yield read(other)
                node = o.right
                while node != other:
                    k = yield read(node)
                    if k.up:
                        yield write(k.up, down=k.down)
                    else:
                        yield write(k.column, first=k.down)
                    if k.down:
                        yield write(k.down, up=k.up)
                    yield write(node, trail=last)
                    last = node
                    if not k.up and not k.down:
                        yield Contradiction()
                        return last, None
                    if not k.up or not k.down:
                        s = yield read(k.up or k.down)
                        if not s.up and not s.down:
                            yield write(k.column, link=units)
                            units = k.column
                    node = k.right
                other = o.down
            at = n.right
            if at == row:
                break
        u = yield read(units)
        while u.row:
            units = u.link
            u = yield read(units)
        row, column, units = u.first, units, u.link
    return last, taken


@procedure
def undo(last: Node, to: Node) -> Steps[None]:
    """Put back the nodes that were removed after another."""
    while last != to:
        n = yield read(last)
        if n.up:
            yield write(n.up, down=last)
            yield write(n.column, row=None)
        else:
            yield write(n.column, first=last, row=None)
        if n.down:
            yield write(n.down, up=last)
        last = n.trail


@procedure
def report(column: Column) -> Steps[None]:
    """Take the rows in the order in which they were found."""
    c = yield read(column)
    if c.row:
        yield report(c.link)
        yield Take(c.row.number)


_NONE, _ONLY = "there is no solution", "there is no other solution"


@frozen
class Chosen:
    """The state: the rows that have been taken, what was reported last, and the rows of the cover before this one."""

    problem: Problem
    taken: tuple[Row, ...] = ()
    reported: Report | Only | None = None
    first: tuple[Row, ...] = ()

    @property
    def is_cover(self) -> bool:
        """Whether each column is covered."""
        return {*self.problem.cover.columns} == {name for row in self.taken for name in row.columns}


class ExactCover(
    Program[Problem, Take | Report | Only, Chosen],
    HasScenes[Chosen],
    ReadsItems,
    ReadsText[Problem],
):
    """Sudokus of n x n cells and, given as texts, n queens, and any exact cover."""

    name = "exact-cover"
    sizes = range(1, 1001)
    problems = PROBLEMS
    actions = Forms(
        Form.of(Take, "Take the row of node {node}."),
        Form.of(Report, "Report that there is no solution."),
        Form.of(Only, "Report that there is no other solution."),
    )
    notes = Forms(Form.of(Guess, "Guess {node}."), Form.of(Contradiction, "Contradiction."))
    main = solve
    datasets = frozenset({"sudoku", "mini_sudoku", "n_queens"})
    wanted = 1

    def item(self, told: Mapping[str, Any]) -> str:
        rows = told["puzzle"]
        if told["source_dataset"] != "n_queens":
            return "".join(str(cell) for row in rows for cell in row)
        squares = ((i, j) for i, row in enumerate(rows, 1) for j, square in enumerate(row, 1) if square == "Q")
        return f"queens {len(rows)} with [{', '.join(f'{i}/{j}' for i, j in squares)}]"

    def answer_to(self, told: Mapping[str, Any], problem: Problem) -> Answer:
        """Return the squares as `told` has them: `_` for one without a queen."""
        blank = "_" if told["source_dataset"] == "n_queens" else "."

        def answer(state: Chosen) -> str:
            squares = evolve(problem.cover.scene(state.taken, ""), box=None)
            return squares.draw(2 * squares.width).replace(".", blank)

        return Answer(self, problem, answer)

    def read(self, text: str) -> Problem:
        found = [each for _, each in sudokus((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())]
        if len(found) > 1:
            raise ValueError(f"there are {len(found)} problems; --problems runs a file of several")
        return self.problems.parse("".join(found).strip())

    def texts(self, lines: Lines) -> Lines:
        return sudokus(lines)

    def _problem(self, n: int, rng: random.Random) -> Problem:
        return sudoku(n, rng) if n <= len(SYMBOLS) else matrix(n, rng)

    def size(self, problem: Problem) -> int:
        return problem.size

    def begin(self, problem: Problem) -> tuple[Call, Sequence[Record]]:
        later: Any = None
        none = Column(link=later)
        bottom = Node(right=later, column=none, trail=later)
        none.link, bottom.right, bottom.trail = none, bottom, bottom
        columns = {name: Column(link=none) for name in problem.cover.columns}
        rings = [
            [Node(right=bottom, column=columns[name], trail=bottom) for name in row.columns]
            for row in problem.cover.rows
        ]
        nodes = {column: list[Node]() for column in columns.values()}
        for ring in rings:
            linked([*ring, ring[0]], "right")
            for node in ring:
                nodes[node.column].append(node)
        for column, each in nodes.items():
            column.first = linked(each, "down")
            linked(reversed(each), "up")
        return begun(solve(linked(columns.values()), none, bottom, self.wanted == 2), flat(*rings))

    def initial(self, problem: Problem) -> Chosen:
        return Chosen(problem)

    def apply(self, state: Chosen, action: Take | Report | Only) -> Chosen:
        if state.reported:
            raise ActionFault(f"it was reported that {self.effect(state, state.reported)}")
        if not isinstance(action, Take):
            return evolve(state, reported=action)
        if self.wanted == 2 and not state.first and state.is_cover:
            state = evolve(state, first=state.taken, taken=())
        rows = state.problem.cover.row_of
        if action.node > len(rows):
            raise ActionFault(f"there is no node N{action.node}")
        row = rows[action.node - 1]
        for other in state.taken:
            if {*row.columns} & {*other.columns}:
                raise ActionFault(f"{row.words} excludes {other.words}")
        return evolve(state, taken=(*state.taken, row))

    def is_goal(self, problem: Problem, state: Chosen) -> bool:
        """Return whether the covers are different ones or, if it was reported, a plain search finds as many."""
        if not state.reported:
            covers = {frozenset(each) for each in (state.first, state.taken) if each}
            return state.is_cover and len(covers) == self.wanted
        found = len([*islice(problem.cover.solutions(), 2)])
        return found == (1 if isinstance(state.reported, Only) else 0) and state.is_cover == (found == 1)

    def effect(self, state: Chosen, action: Take | Report | Only) -> str:
        """Return what the row stands for."""
        if isinstance(action, Take):
            return state.problem.cover.row_of[action.node - 1].words
        return _ONLY if isinstance(action, Only) else _NONE

    def scene(self, state: Chosen) -> Scene:
        words = counted(len(state.taken), "row") + ", another solution" * bool(state.first)
        words = self.effect(state, state.reported) if state.reported else words
        return state.problem.cover.scene(state.taken, words)


class TwoCovers(ExactCover):
    """Whether there is one solution only: it is found, and then another one, or it is reported that there is none."""

    name = "exact-cover-unique"
    speaks_as = "exact-cover"
    datasets = frozenset()
    wanted = 2
