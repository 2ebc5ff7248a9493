"""Exact covers by a plain search, against which a run is judged, and by which problems are drawn."""

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from coc_algorithms.cover_problems import SYMBOLS, Cover, Matrix, Row, Sudoku, box_height


def covers(problem: Cover) -> Iterator[tuple[Row, ...]]:
    """Return all exact covers, one by one, found by a plain search that takes a column with the fewest rows."""

    def search(left: Mapping[Hashable, Sequence[Row]]) -> Iterator[tuple[Row, ...]]:
        if not left:
            yield ()
            return
        for row in min(left.values(), key=len):
            names = {*row.columns}
            rest = {
                name: [other for other in rows if names.isdisjoint(other.columns)]
                for name, rows in left.items()
                if name not in names
            }
            for found in search(rest):
                yield (row, *found)

    left: dict[Hashable, list[Row]] = {name: [] for name in problem.columns()}
    for row in problem.rows():
        for name in row.columns:
            left[name].append(row)
    return search(left)


@lru_cache(8)
def has_no_cover(problem: Cover) -> bool:
    """Return whether there is no exact cover."""
    return next(covers(problem), None) is None


_ALWAYS_UNIQUE = 9
"""The largest side of a Sudoku that is drawn with one solution only. Larger ones may have several."""


def sudoku(side: int, rng: random.Random) -> Sudoku:
    """Draw a Sudoku: blank some cells of a complete one, of which rows, columns and digits have been shuffled."""
    height = box_height(side)
    width = side // height

    def lines(boxes: int, each: int) -> list[tuple[int, int]]:
        return [(box, inner) for box in rng.sample(range(boxes), boxes) for inner in rng.sample(range(each), each)]

    symbols = rng.sample(SYMBOLS[:side], side)
    columns = lines(height, width)
    cells = [
        symbols[(inner * width + band + box * width + column) % side]
        for band, inner in lines(width, height)
        for box, column in columns
    ]
    blanks = round(side * side * (rng.uniform(0.5, 0.7) if side <= _ALWAYS_UNIQUE else 0.4))
    for place in rng.sample(range(side * side), blanks):
        given, cells[place] = cells[place], "."
        if side <= _ALWAYS_UNIQUE and len(list(islice(covers(Sudoku("".join(cells))), 2))) > 1:
            cells[place] = given
    return Sudoku("".join(cells))


def matrix(count: int, rng: random.Random) -> Matrix:
    """Draw an exact cover of so many columns: rows that are one, and others that are in the way."""
    left = rng.sample(range(1, count + 1), count)
    rows = list[tuple[int, ...]]()
    while left:
        length = rng.randint(1, 8)
        rows.append(tuple(sorted(left[:length])))
        left = left[length:]
    others = (rng.sample(range(1, count + 1), rng.randint(1, 8)) for _ in range(len(rows) // 2))
    rows += (tuple(sorted(other)) for other in others)
    return Matrix(count, tuple(rng.sample(rows, len(rows))))
