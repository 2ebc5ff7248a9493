"""Sliding puzzles: runs on the heap beside the program as it stands, and beside searches written here."""

import random
import re
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from coc_algorithms.tiles import Tiles
from coc_core.domain import parse_problem, why_unsolvable
from coc_core.errors import ActionFault, UsageError
from tests.support.heap_runs import HeapRuns

TILES = Tiles()
RUNS = HeapRuns(TILES)


def after_each(tiles, side):
    gap = tiles.index(0)
    for row, column in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        y, x = gap // side + row, gap % side + column
        if 0 <= y < side and 0 <= x < side:
            other, changed = y * side + x, list(tiles)
            changed[gap], changed[other] = tiles[other], 0
            yield tuple(changed)


@cache
def distances(side, most=99):
    """How many moves each board of this side is away from the goal, by breadth-first search up to so many."""
    goal = (*range(1, side * side), 0)
    found, level = {goal: 0}, [goal]
    for board in level:
        for other in after_each(board, side):
            if other not in found and found[board] < most:
                found[other] = found[board] + 1
                level.append(other)
    return found


def play(tiles, lines, side):
    """The board after actions, each the slide of a tile beside the gap."""
    for line in lines:
        place, gap = int(re.fullmatch(r"Slide the tile at P(\d+)\.", line)[1]) - 1, tiles.index(0)
        changed = list(tiles)
        changed[gap], changed[place] = tiles[place], 0
        assert tuple(changed) in after_each(tiles, side)
        tiles = tuple(changed)
    return tiles


def check(problem, fewest):
    lines = [TILES.actions.format(action) for action in RUNS.actions(problem)]
    side = problem.side
    assert play(problem.tiles, lines, side) == (*range(1, side * side), 0)
    assert len(lines) == fewest


def board(tiles):
    return parse_problem(TILES, " ".join(map(str, tiles)))


def test_all_boards_of_two_by_two():
    assert len(distances(2)) == 12
    for tiles, fewest in distances(2).items():
        check(board(tiles), fewest)


@settings(max_examples=20)
@given(st.sampled_from(sorted(distances(3, 14).items())))
def test_runs_are_shortest(found):
    check(board(found[0]), found[1])


@pytest.mark.slow
def test_three_hundred_8_puzzles():
    assert len(distances(3)) == 181_440
    for seed in range(300):
        problem = TILES.problem(3, seed)
        check(problem, distances(3)[problem.tiles])


def test_half_of_all_boards_are_unsolvable():
    for seed in range(100):
        tiles = random.Random(seed).sample(range(4), 4)
        assert (why_unsolvable(TILES, board(tiles)) is None) == (tuple(tiles) in distances(2))
    assert (
        RUNS(parse_problem(TILES, "2 1 3 4 5 6 7 8 0")).unsolvable
        == "to exchange two tiles takes an odd number of exchanges"
    )
    assert all(TILES.problem(n, seed).is_solvable for n in (2, 3, 4) for seed in range(20))


@pytest.mark.parametrize("text", ["1 2 3 4 5 6 7 8 9", "1 2 3 0 0 6 7 8 4", "1 2 0", "0", "1 2 3 4 5 6 7 8 0 9"])
def test_bad_problems(text):
    with pytest.raises(UsageError, match="a board has the numbers 0 to 3, 0 to 8 or 0 to 15, each once"):
        parse_problem(TILES, text)
    with pytest.raises(UsageError, match="'x' is not a plain decimal number"):
        parse_problem(TILES, "1 2 3 x")


def test_rules():
    problem = parse_problem(TILES, "1 2 3 4 5 6 7 0 8")
    slide = TILES.actions.parse("Slide the tile at P9.")
    assert TILES.render(problem, 80) == "1 2 3\n4 5 6\n7 . 8"
    assert TILES.is_goal(problem, TILES.apply(problem, slide))
    assert not TILES.is_goal(problem, problem)
    assert len(list(TILES.neighbours(problem))) == 3
    with pytest.raises(ActionFault, match="P1 is not beside the gap at P8"):
        TILES.apply(problem, TILES.actions.parse("Slide the tile at P1."))
