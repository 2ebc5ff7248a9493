"""Sudokus and mazes as people write them."""

import random

import pytest
from hypothesis import given, strategies as st

from coc_algorithms.cover_problems import SYMBOLS
from coc_algorithms.exact_cover import ExactCover
from coc_algorithms.maze import Maze
from coc_algorithms.written import grid, mazes, scenarios, sudokus
from coc_core.domain import parse_problem
from coc_core.errors import ArtefactError, UsageError

COVER, MAZE = ExactCover(), Maze()


def found(read, text):
    return [*read((number, line) for number, line in enumerate(text.splitlines(keepends=True), 1) if line.strip())]


def ruled(cells, n):
    """With lines between boxes and columns of blanks."""
    rows = [" ".join(cells[place : place + n]) for place in range(0, n * n, n)]
    return "\n------+------+------\n".join(
        "\n".join(f"| {row} |" for row in rows[at : at + 3]) for at in range(0, n, 3)
    )


def numbered(cells, n):
    words = [str(SYMBOLS.index(cell) + 1) if cell in SYMBOLS else "0" for cell in cells]
    return "\n".join(" ".join(words[place : place + n]) for place in range(0, n * n, n))


STYLES = [
    lambda cells, n: cells,
    lambda cells, n: cells.replace(".", "0"),
    lambda cells, n: cells.replace(".", "*"),
    lambda cells, n: f"{cells} # a name",
    lambda cells, n: f"{cells},{cells}",
    lambda cells, n: "\n".join(cells[place : place + n] for place in range(0, n * n, n)),
    ruled,
    numbered,
]


@given(
    st.integers(0, 99), st.lists(st.tuples(st.sampled_from([9, 16]), st.sampled_from(STYLES)), min_size=1, max_size=4)
)
def test_sudokus_in_any_style_are_read(seed, chosen):
    rng, texts, cells = random.Random(seed), [], []
    for n, style in chosen:
        drawn = (
            "".join(rng.choice([".", ".", symbol]) for symbol in rng.choices(SYMBOLS[:n], k=n * n - 1)) + SYMBOLS[n - 1]
        )
        cells.append(drawn)
        texts.append(style(drawn, n))
    heading = rng.choice(["", f"{len(texts)}\n", "# a comment\n", "Grid 01\n"])
    between = rng.choice(["\n\n", "\nGrid 02\n", "\n# a comment\n\n"])
    assert [each for _, each in found(sudokus, heading + between.join(texts))] == cells
    if len(cells) == 1:
        assert parse_problem(COVER, heading + texts[0]).cells.replace("0", ".") == cells[0]


def test_other_problems_small_sudokus_and_lines_that_are_none_are_kept():
    text = "1234341221434321\n....3...........\nqueens 6\ncover 1 by [[1]]\n1234\nabc\n1"
    assert [each.strip() for _, each in found(sudokus, text)] == text.split("\n")
    assert [number for number, _ in found(sudokus, "\n\n" + text)] == [*range(3, 10)]
    assert found(sudokus, "1") == [(1, "1")]
    with pytest.raises(UsageError, match="there are 2 problems; --problems runs a file of several"):
        parse_problem(COVER, "queens 6\nqueens 5")
    with pytest.raises(UsageError, match="'abc' is not a Sudoku"):
        parse_problem(COVER, "abc")


def test_mazes_of_several_lines_are_read():
    one, other = "#####\n#A  #\n#.# #\n#__E#", "S.\n.G"
    texts = ["grid [#####, #S..#, #.#.#, #..G#]", "grid [S., .G]"]
    assert [grid(each) for each in (one, other)] == texts
    assert grid("\n" + one.replace("#", "█") + "\n\n") == texts[0]
    assert grid("S\n..G") == "grid [S.., ..G]"
    read = found(mazes, f"{one}\n\n{texts[1]}\n{other}\ngraph [1-2] from 1 to 2\n")
    assert [number for number, _ in read] == [1, 6, 7, 9]
    assert [MAZE.problems.format(parse_problem(MAZE, text)) for _, text in read] == [
        *texts, texts[1], "graph [1-2] from 1 to 2"
    ]  # fmt: skip
    for text, message in (
        ("S1\n.G", "a maze has no '1'"),
        ("S.\n..", "one G, the goal"),
    ):
        with pytest.raises(UsageError, match=message):
            parse_problem(MAZE, text)


def test_where_one_has_been_is_drawn():
    problem = parse_problem(MAZE, "S..\n##.\n..G")
    state = MAZE.initial(problem)
    for cell in (2, 3, 6, 9):
        state = MAZE.apply(state, MAZE.actions.parse(f"Go to C{cell}."))
    assert MAZE.render(state, 80) == "S o o\n# # o\n. . @"


def test_scenarios_of_movingai_are_read(tmp_path):
    (tmp_path / "small.map").write_text("type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n")
    file = tmp_path / "small.scen"
    line = "0\t{}\t4\t2\t{}\t{}\t2\t0\t2\n"
    file.write_text("version 1\n" + line.format("maps/small.map", 0, 0) + line.format("small.map", 1, 0))
    assert [*scenarios(MAZE, file)] == [(2, "grid [S.G#, ###.]"), (3, "grid [.SG#, ###.]")]
    for text in (
        line.format("none.map", 0, 0), line.format("small.map", 0, 1), line.format("small.map", 9, 0),
        line.format("small.map", -1, 0), line.format("small.map", 2, 0), line.format("small.map", "x", 0), "1 2 3\n",
    ):  # fmt: skip
        file.write_text(text)
        with pytest.raises(ArtefactError, match=r"small\.scen, line 1: no scenario on a map that is there"):
            [*scenarios(MAZE, file)]
