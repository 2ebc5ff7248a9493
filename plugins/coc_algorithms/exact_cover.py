"""Exact covers, found by Algorithm X with dancing links, or proved to be none."""

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen

from coc_algorithms.cover_problems import PROBLEMS, SYMBOLS, Cover, Row, has_no_cover, matrix, sudoku
from coc_algorithms.dancing_links import Column, Contradiction, Guess, Node, NoSolution, Root, Take, solve
from coc_core.domain import ReadsItems, ReadsMoves
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, counted, item_codec, quoted
from coc_programs import Call, Program, Record

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
