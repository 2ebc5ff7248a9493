"""Exact covers, found or proved to be none by Algorithm X with dancing links (D. Knuth, Dancing Links, 2000).

A row of the matrix is a ring of nodes, and a column a chain of the nodes of all rows that are left. Where only one row
is left in a column, it is taken at once, so there are few guesses; where none is left, the last guess was wrong. Nodes
are put back one by one, in reverse order. There are no sizes of columns, and so no numbers.
"""

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen

from coc_algorithms.cover_problems import PROBLEMS, SYMBOLS, Cover, Row, has_no_cover, matrix, sudoku
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


class Root(Record):
    """The node that was removed last, and the first of the linked columns whose rows were taken."""

    last: Node
    taken: Column


@frozen
class Take:
    """Take a row, which is named by one of its nodes."""

    node: int


@frozen
class NoSolution:
    """Report that there is no solution."""


@frozen
class Guess:
    """A note: the row of a node is taken, to see what follows."""

    node: int


@frozen
class Contradiction:
    """A note: a column has no row left."""


@procedure
def solve(root: Root, none: Column, columns: Column) -> Steps[None]:
    """Find an exact cover and take its rows, or report that there is none. A chain of linked columns ends at `none`."""
    units = none
    for column in chain(columns, "next"):
        if not column.first:
            yield NoSolution()
            return
        node = yield read(column.first)
        if not node.down:
            yield write(column, link=units)
            units = column
    r = yield read(root)
    u = yield read(units)
    found = True
    if u.first:
        found = yield take(root, u.first, units, u.link, none, r.last)
    if found:
        found = yield search(root, none, columns)
    if not found:
        yield NoSolution()
        return
    r = yield read(root)
    yield report(r.taken)


@procedure
def search(root: Root, none: Column, columns: Column) -> Steps[bool]:
    """Cover the columns that are left; the first rows that do are tried first. Returns whether it is possible."""
    column = yield choose(columns)
    if not column:
        return True
    r = yield read(root)
    c = yield read(column)
    for node in chain(c.first, "down"):
        yield Guess(node.number)
        found = yield take(root, node, column, none, r.taken, r.last)
        if found:
            found = yield search(root, none, columns)
        if found:
            return True
        now = yield read(root)
        yield undo(now.last, r.last)
    return False


@procedure
def choose(columns: Column | None) -> Steps[Column | None]:
    """Yield the first column with two rows or, if there is none, the first that is left; None if all are covered."""
    while columns:
        c = yield read(columns)
        if not c.row:
            column: Column = yield pair(columns, columns)
            return column
        columns = c.next
    return None


@procedure
def pair(columns: Column | None, first: Column) -> Steps[Column]:
    """Yield the first column with two rows or, if there is none, another."""
    for c in chain(columns, "next"):
        if not c.row:
            node = yield read(c.first)
            below = yield read(node.down)
            if not below.down:
                return c
    return first


@procedure
def take(root: Root, row: Node, column: Column, units: Column, taken: Column, last: Node) -> Steps[bool]:
    """Take a row, and the only one of each column that has no other. Returns whether no column is left without any."""
    while True:
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
            c = yield read(n.column)
            other = c.first
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
                        yield write(root, last=last)
                        yield Contradiction()
                        return False
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
        if not u.first:
            yield write(root, last=last, taken=taken)
            return True
        row, column, units = u.first, units, u.link


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


_NODE = item_codec("N", "node")
_NONE = "there is no solution"


@frozen(eq=False)
class Rows:
    """The rows of a problem, and that of each node."""

    rows: tuple[Row, ...]
    nodes: tuple[int, ...]


@lru_cache(8)
def rows_of(problem: Cover) -> Rows:
    """Return the rows of a problem."""
    rows = tuple(problem.rows())
    return Rows(rows, tuple(index for index, row in enumerate(rows) for _ in row.columns))


@frozen
class Chosen:
    """The state: the rows that have been taken, by index, and whether it was reported that there is no cover."""

    problem: Cover
    taken: tuple[int, ...] = ()
    reported: bool = False


class ExactCover(Program[Cover, Take | NoSolution, Chosen], ReadsMoves[Take | NoSolution, Chosen], ReadsItems):
    """Sudokus of n x n cells and, given as texts, n queens, pentominoes, and any exact cover."""

    name = "exact-cover"
    sizes = range(1, 1001)
    problems = PROBLEMS
    actions = Forms(
        Form.of(Take, "Take the row of node {node}.", node=_NODE),
        Form.of(NoSolution, "Report that there is no solution."),
    )
    notes = Forms(Form.of(Guess, "Guess {node}.", node=_NODE), Form.of(Contradiction, "Contradiction."))
    main = solve
    datasets = frozenset({"sudoku", "mini_sudoku"})

    def item(self, told: Mapping[str, Any]) -> str:
        return "".join(str(cell) for row in told["puzzle"] for cell in row)

    def _problem(self, n: int, rng: random.Random) -> Cover:
        return sudoku(n, rng) if n <= len(SYMBOLS) else matrix(n, rng)

    def size(self, problem: Cover) -> int:
        return problem.size

    def begin(self, problem: Cover) -> tuple[Call, Sequence[Record]]:
        later: Any = None
        none = Column(link=later)
        bottom = Node(right=later, column=none, trail=later)
        none.link, bottom.right, bottom.trail = none, bottom, bottom
        columns = {name: Column(link=none) for name in problem.columns()}
        for column, following in pairwise(columns.values()):
            column.next = following
        nodes: list[Node] = []
        last: dict[Hashable, Node] = {}
        for row in rows_of(problem).rows:
            ring = [Node(right=bottom, column=columns[name], trail=bottom) for name in row.columns]
            for name, node, right in zip(row.columns, ring, (*ring[1:], ring[0]), strict=True):
                node.right = right
                if name in last:
                    node.up, last[name].down = last[name], node
                else:
                    columns[name].first = node
                last[name] = node
            nodes += ring
        root = Root(last=bottom, taken=none)
        first = next(iter(columns.values()))
        return solve(root, none, first), [*nodes, bottom, *columns.values(), none, root]

    def initial(self, problem: Cover) -> Chosen:
        return Chosen(problem)

    def apply(self, state: Chosen, action: Take | NoSolution) -> Chosen:
        if state.reported:
            raise ActionFault("it was reported that there is no solution")
        if isinstance(action, NoSolution):
            return evolve(state, reported=True)
        found = rows_of(state.problem)
        if action.node > len(found.nodes):
            raise ActionFault(f"there is no node N{action.node}")
        index = found.nodes[action.node - 1]
        for other in state.taken:
            if {*found.rows[index].columns} & {*found.rows[other].columns}:
                raise ActionFault(f"{found.rows[index].words} excludes {found.rows[other].words}")
        return evolve(state, taken=(*state.taken, index))

    def is_goal(self, problem: Cover, state: Chosen) -> bool:
        """Return whether each column is covered or, if it was reported, no cover is found by a plain search."""
        if state.reported:
            return has_no_cover(problem)
        rows = rows_of(problem).rows
        return {*problem.columns()} == {name for index in state.taken for name in rows[index].columns}

    def effect(self, state: Chosen, action: Take | NoSolution) -> str:
        """Return what the row stands for."""
        after = self.apply(state, action)
        return _NONE if isinstance(action, NoSolution) else rows_of(state.problem).rows[after.taken[-1]].words

    def actions_for(self, state: Chosen, move: str) -> Sequence[Take | NoSolution]:
        if move == _NONE:
            return (NoSolution(),)
        found = rows_of(state.problem)
        for node, index in enumerate(found.nodes, 1):
            if found.rows[index].words == move and index not in state.taken:
                return (Take(node),)
        raise ValueError(f"no row stands for {quoted(move)}")

    def render(self, state: Chosen, width: int) -> str:
        rows = rows_of(state.problem).rows
        drawn = state.problem.picture([rows[index] for index in state.taken])
        return f"{drawn}\n{_NONE if state.reported else counted(len(state.taken), 'row')}"
