"""Exact covers, found or proved to be none by Algorithm X with dancing links (D. Knuth, Dancing Links, 2000).

A row of the matrix is a ring of nodes, and a column a chain of the nodes of all rows that are left. Where only one row
is left in a column, it is taken at once, so there are few guesses; where none is left, the last guess was wrong. Nodes
are put back one by one, in reverse order. There are no sizes of columns, and so no numbers.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import chain as flat
from typing import Annotated, Any

from attrs import evolve, frozen

from coc_algorithms.cover_problems import PROBLEMS, SYMBOLS, Problem, Row, matrix, sudoku
from coc_algorithms.shared import Report, begun, linked
from coc_core.domain import ReadsItems, ReadsMoves
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, counted, item_codec, quoted
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


@procedure
def solve(columns: Column, none: Column, last: Node) -> Steps[None]:
    """Find an exact cover and take its rows, or report that there is none. A chain of linked columns ends at `none`."""
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
    if taken:
        taken = yield search(columns, none, taken, last)
    if not taken:
        yield Report()
        return
    yield report(taken)


@procedure
def search(columns: Column, none: Column, taken: Column, last: Node) -> Steps[Column | None]:
    """Cover a column that is left, the first one with two rows if there is one, and then the others.

    Returns the columns whose rows were taken; none if nothing covers all columns.
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
        return taken
    for node in chain((yield read(column)).first, "down"):
        yield Guess(node.number)
        now, found = yield take(node, column, none, taken, last)
        if found:
            found = yield search(columns, none, found, now)
        if found:
            return found
        yield undo(now, last)
    return None


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


_NONE = "there is no solution"


@frozen
class Chosen:
    """The state: the rows that have been taken, and whether it was reported that there is no cover."""

    problem: Problem
    taken: tuple[Row, ...] = ()
    reported: bool = False


class ExactCover(Program[Problem, Take | Report, Chosen], ReadsMoves[Take | Report, Chosen], ReadsItems):
    """Sudokus of n x n cells and, given as texts, n queens, pentominoes, and any exact cover."""

    name = "exact-cover"
    sizes = range(1, 1001)
    problems = PROBLEMS
    actions = Forms(Form.of(Take, "Take the row of node {node}."), Form.of(Report, "Report that there is no solution."))
    notes = Forms(Form.of(Guess, "Guess {node}."), Form.of(Contradiction, "Contradiction."))
    main = solve
    datasets = frozenset({"sudoku", "mini_sudoku"})

    def item(self, told: Mapping[str, Any]) -> str:
        return "".join(str(cell) for row in told["puzzle"] for cell in row)

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
        return begun(solve(linked(columns.values()), none, bottom), flat(*rings))

    def initial(self, problem: Problem) -> Chosen:
        return Chosen(problem)

    def apply(self, state: Chosen, action: Take | Report) -> Chosen:
        if state.reported:
            raise ActionFault("it was reported that there is no solution")
        if isinstance(action, Report):
            return evolve(state, reported=True)
        rows = state.problem.cover.row_of
        if action.node > len(rows):
            raise ActionFault(f"there is no node N{action.node}")
        row = rows[action.node - 1]
        for other in state.taken:
            if {*row.columns} & {*other.columns}:
                raise ActionFault(f"{row.words} excludes {other.words}")
        return evolve(state, taken=(*state.taken, row))

    def is_goal(self, problem: Problem, state: Chosen) -> bool:
        """Return whether each column is covered or, if it was reported, no cover is found by a plain search."""
        if state.reported:
            return not problem.cover.is_possible
        return {*problem.cover.columns} == {name for row in state.taken for name in row.columns}

    def effect(self, state: Chosen, action: Take | Report) -> str:
        """Return what the row stands for."""
        return _NONE if isinstance(action, Report) else state.problem.cover.row_of[action.node - 1].words

    def actions_for(self, state: Chosen, move: str) -> Sequence[Take | Report]:
        found = {row.words: Take(node) for node, row in enumerate(state.problem.cover.row_of, 1)}
        if move != _NONE and move not in found:
            raise ValueError(f"no row stands for {quoted(move)}")
        return (found.get(move, Report()),)

    def render(self, state: Chosen, width: int) -> str:
        drawn = state.problem.cover.picture(state.taken)
        return f"{drawn}\n{_NONE if state.reported else counted(len(state.taken), 'row')}"
