from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from coc_algorithms.cover_problems import Matrix, Queens, Sudoku, Tiling
from coc_algorithms.dancing_links import Contradiction, Guess, NoSolution, Take
from coc_algorithms.exact_cover import Chosen, ExactCover
from coc_algorithms.plain_cover import covers
from coc_core.domain import parse_problem
from coc_core.errors import ActionFault, UsageError
from tests.support.for_each import for_each
from tests.support.heap_runs import HeapRuns

COVER = ExactCover()
RUNS = HeapRuns(COVER)
MOST_PROMPTS = 160
HARD = {  # published ones, each with its only solution
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..":
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..":
    "162857493534129678789643521475312986913586742628794135356478219241935867897261354",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....":
    "751846239892371465643259871238197546974562318165438927319684752527913684486725193",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1":
    "174385962293467158586192734451923876928674315367851249719548623635219487842736591",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...":
    "839465712146782953752391486391824675564173829287659341628537194913248567475916238",
    ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...":
    "693784512487512936125963874932651487568247391741398625319475268856129743274836159",
}  # fmt: skip


def taken(problem, most_prompts=MOST_PROMPTS):
    """The columns of the rows of a run's solution; None if it reports that there is none."""
    state = RUNS(problem).state
    assert len(RUNS.targets) <= most_prompts
    if state.reported:
        assert not state.taken
        return None
    rows = list(problem.rows())
    return [rows[index].columns for index in state.taken]


def check_cover(problem, found):
    """Each column is in exactly one of the rows."""
    assert sorted(map(str, problem.columns())) == sorted(str(name) for row in found for name in row)


def check_sudoku(problem, found, box_height):
    """Each row, column and box has all digits, and the givens are where they were."""
    n = problem.size
    grid = [[None] * n for _ in range(n)]
    for (_, i, j), (_, _, value), *_ in found:
        grid[i][j] = value
    width, every = n // box_height, set(range(n))
    for i in range(n):
        assert {*grid[i]} == {row[i] for row in grid} == every
        top, left = i // box_height * box_height, i % box_height * width
        assert {value for row in grid[top : top + box_height] for value in row[left : left + width]} == every
    symbols = "123456789ABCDEFGHIJKLMNOP"
    assert all(given in ("0", ".", symbols[grid[p // n][p % n]]) for p, given in enumerate(problem.cells))


@for_each(("cells", "solution"), HARD.items())
def test_hard_sudokus_are_solved(cells, solution):
    state = RUNS(Sudoku(cells)).state
    assert COVER.is_goal(Sudoku(cells), state)
    assert COVER.render(state, 80).replace(" ", "").replace("\n", "") == solution


@st.composite
def matrices(draw):
    count = draw(st.integers(1, 7))
    row = st.sets(st.integers(1, count), min_size=1).map(lambda columns: tuple(sorted(columns)))
    return Matrix(count, tuple(draw(st.lists(row, max_size=12))))


@given(matrices())
def test_any_cover_is_found_or_reported_to_be_none(problem):
    actions = RUNS.actions(problem)
    state = COVER.initial(problem)
    for action in actions:
        state = COVER.apply(state, action)
    assert COVER.is_goal(problem, state)
    found = taken(problem)
    assert (found is None) == (next(covers(problem), None) is None) == (actions == [NoSolution()])
    if found is not None:
        check_cover(problem, found)
