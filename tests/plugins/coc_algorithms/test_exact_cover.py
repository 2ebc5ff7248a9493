import re
from itertools import islice

import pytest
from hypothesis import given, settings, strategies as st

from coc_algorithms.cover_problems import Matrix, Queens, Sudoku
from coc_algorithms.exact_cover import Chosen, ExactCover, Only, Take, TwoCovers
from coc_algorithms.shared import Report
from coc_core.domain import parse_problem
from coc_core.errors import ActionFault, UsageError
from tests.support.for_each import for_each
from tests.support.heap_runs import HeapRuns

COVER = ExactCover()
RUNS = HeapRuns(COVER)
MOST_PROMPTS, MOST_STEPS = 125, 200_000
HARD = {  # published ones, each with its only solution
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..":
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..":
    "162857493534129678789643521475312986913586742628794135356478219241935867897261354",
}  # fmt: skip


def taken(problem):
    """The columns of the rows of a run's solution; None if it reports that there is none."""
    state = RUNS(problem).state
    assert len(RUNS.targets) <= MOST_PROMPTS
    if state.reported:
        assert not state.taken
        return None
    return [row.columns for row in state.taken]


def check_cover(problem, found):
    """Each column is in exactly one of the rows."""
    assert sorted(map(str, problem.cover.columns)) == sorted(str(name) for row in found for name in row)


def check_sudoku(problem, found):
    """Each row, column and box has all digits, and the givens are where they were."""
    n = problem.size
    grid = [[None] * n for _ in range(n)]
    for (_, i, j), (_, _, value), *_ in found:
        grid[i][j] = value
    height, every = max(height for height in range(1, n + 1) if n % height == 0 and height * height <= n), set(range(n))
    width = n // height
    for i in range(n):
        assert {*grid[i]} == {row[i] for row in grid} == every
        top, left = i // height * height, i % height * width
        assert {value for row in grid[top : top + height] for value in row[left : left + width]} == every
    symbols = "123456789ABCDEFGHIJKLMNOP"
    assert all(given in ("0", ".", symbols[grid[p // n][p % n]]) for p, given in enumerate(problem.cells))


@for_each(("cells", "solution"), HARD.items())
def test_hard_sudokus_are_solved(cells, solution):
    machine = RUNS(Sudoku(cells))
    assert COVER.is_goal(Sudoku(cells), machine.state)
    assert re.sub(r"[-+|\s]", "", COVER.render(machine.state, 80)) == f"{solution}81rows"
    assert machine.steps <= MOST_STEPS


@st.composite
def matrices(draw):
    count = draw(st.integers(1, 7))
    row = st.sets(st.integers(1, count), min_size=1).map(lambda columns: tuple(sorted(columns)))
    return Matrix(count, tuple(draw(st.lists(row, max_size=12))))


@settings(max_examples=12)
@given(matrices())
def test_any_cover_is_found_or_reported_to_be_none(problem):
    actions, found = RUNS.actions(problem), taken(problem)
    assert (found is None) == (not any(problem.cover.solutions())) == (actions == [Report()])
    if found is not None:
        check_cover(problem, found)


@for_each("n", (1, 4, 6, 7))
def test_a_drawn_sudoku_is_solved(n):
    problem = COVER.problem(n)
    assert COVER.size(problem) == n
    check_sudoku(problem, taken(problem))


def test_a_drawn_sudoku_has_one_solution():
    assert len(list(islice(COVER.problem(6).cover.solutions(), 2))) == 1


def test_a_larger_problem_that_is_drawn_is_a_matrix():
    problem = COVER.problem(300)
    assert isinstance(problem, Matrix)
    check_cover(problem, taken(problem))


@for_each("cells", ("44" + "." * 14, "1234" * 4, "12.." + "...3" + "." * 8, "123." + "..4." + "...4" + "...."))
def test_a_sudoku_without_a_solution_is_reported(cells):
    assert taken(Sudoku(cells)) is None


@for_each("n", range(1, 7))
def test_queens_attack_no_other(n):
    found = taken(Queens(n))
    if n in (2, 3):
        assert found is None
    else:
        queens = [row for row in found if len(row) > 1]
        places = [(i, j) for (_, i), (_, j), *_ in queens]
        for lines in zip(*((i, j, i + j, i - j) for i, j in places), strict=True):
            assert len({*lines}) == n


def test_rows_that_exclude_each_other_are_not_both_taken():
    problem = Matrix(3, ((1, 2), (2, 3), (3,)))
    state = COVER.apply(COVER.initial(problem), Take(1))
    assert state == COVER.apply(COVER.initial(problem), Take(2)) == Chosen(problem, (problem.cover.rows[0],))
    with pytest.raises(ActionFault, match="row 2 excludes row 1"):
        COVER.apply(state, Take(3))
    with pytest.raises(ActionFault, match="there is no node N6"):
        COVER.apply(state, Take(6))
    assert not COVER.is_goal(problem, state)
    assert COVER.is_goal(problem, COVER.apply(state, Take(5)))


TWO = TwoCovers()
RUNS_OF_TWO = HeapRuns(TWO)


@settings(max_examples=12)
@given(matrices())
def test_a_second_cover_is_found_or_reported_to_be_none(problem):
    state, covers = RUNS_OF_TWO(problem).state, [*islice(problem.cover.solutions(), 2)]
    assert TWO.is_goal(problem, state)
    assert state.reported == (Report(), Only(), None)[len(covers)]
    assert len({frozenset(each) for each in (state.first, state.taken) if each}) == len(covers)


def test_what_is_said_of_a_second_cover_is_checked():
    one, two = Matrix(1, ((1,),)), Matrix(1, ((1,), (1,)))
    for problem, actions, right in (
        (one, [Take(1), Only()], True), (one, [Report()], False), (one, [Only()], False), (one, [Take(1)], False),
        (two, [Take(1), Take(2)], True), (two, [Take(1), Take(1)], False), (two, [Take(1), Only()], False),
    ):  # fmt: skip
        state = TWO.initial(problem)
        for action in actions:
            state = TWO.apply(state, action)
        assert TWO.is_goal(problem, state) is right
    assert "another solution" in TWO.render(TWO.apply(TWO.apply(TWO.initial(two), Take(1)), Take(2)), 80)


def test_a_report_is_right_only_if_there_is_no_solution():
    solvable, unsolvable = Matrix(1, ((1,),)), Matrix(2, ((1,),))
    reported = [COVER.apply(COVER.initial(problem), Report()) for problem in (solvable, unsolvable)]
    assert not COVER.is_goal(solvable, reported[0])
    assert COVER.is_goal(unsolvable, reported[1])
    with pytest.raises(ActionFault, match="it was reported"):
        COVER.apply(reported[0], Take(1))


@for_each(
    ("text", "message"),
    {
        "123": "'123' is not a Sudoku of n x n cells",
        "7...............": "'7...............' is not a Sudoku of n x n cells",
        "queens x": "'x' is not a plain decimal number",
        "queens 41": "there can be 40 queens",
        "queens 4 with [1/1, 1/2]": "the squares are not row/column, of 1 to 4, in different rows",
        "queens 0": "no problem of size n=0",
        "cover 2 by [[1, 3]]": "row 1 does not have different columns of 1 to 2",
        "cover 2 by [[1], []]": "row 2 does not have",
        "cover 0 by []": "no problem of size n=0",
    }.items(),
)
def test_a_bad_problem_is_refused(text, message):
    with pytest.raises(UsageError, match=message.replace("[", r"\[")) as error:
        parse_problem(COVER, text)
    assert "\n" not in str(error.value)


def test_problems_are_written_as_usual():
    assert parse_problem(COVER, "1..." * 4) == Sudoku("1..." * 4)
    assert parse_problem(COVER, "1000" * 4).size == 4
    assert parse_problem(COVER, "." * 256).size == 16
    assert parse_problem(COVER, "queens 8") == Queens(8)
    assert parse_problem(COVER, "cover 3 by [[1, 2], [3]]") == Matrix(3, ((1, 2), (3,)))


def test_states_are_drawn():
    empty = COVER.initial(Sudoku("12.." + "0" * 12))
    assert COVER.render(empty, 80) == "1 2 | . .\n. . | . .\n----+----\n. . | . .\n. . | . .\n0 rows"
    assert COVER.effect(empty, Take(9)) == "1 in row 1, column 3"
    assert COVER.effect(empty, Report()) == "there is no solution"
    assert COVER.render(COVER.apply(empty, Report()), 80).endswith("\nthere is no solution")
    queens = COVER.initial(Queens(2))
    assert COVER.render(COVER.apply(COVER.apply(queens, Take(1)), Take(18)), 80) == "Q .\n. .\n2 rows"
    assert COVER.effect(queens, Take(1)) == "a queen in row 1, column 1"
    matrix = COVER.initial(Matrix(3, ((1, 2), (3,))))
    assert COVER.render(COVER.apply(matrix, Take(3)), 80) == ". . 2\n1 row"
