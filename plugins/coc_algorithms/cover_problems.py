"""Problems of exact cover: their texts, a plain search against which a run is judged, and which are drawn."""

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from math import isqrt
from typing import Annotated, Any

from attrs import field, frozen

from coc_algorithms.shared import numbers
from coc_core.domain import Column, Scene
from coc_core.text import Form, Forms, list_of, quoted

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"


@frozen
class Row:
    """A row of the matrix: the columns that it covers, what it stands for, and what it puts in which squares."""

    columns: Sequence[Any]
    words: str
    marks: Mapping[int, str] = field(factory=dict, eq=False)


@frozen(eq=False)
class Cover:
    """A matrix, of whose rows some have to be chosen such that each column is in exactly one of them.

    Attributes:
        cells: The squares of a picture without rows.
        width: How many squares of a picture are in a line.
        box: How many rows and columns of squares are a box.
    """

    columns: Iterable[Hashable]
    rows: Sequence[Row]
    cells: str
    width: int
    box: tuple[int, int] | None = None

    @cached_property
    def row_of(self) -> Sequence[Row]:
        """The row of each node."""
        return [row for row in self.rows for _ in row.columns]

    def solutions(self) -> Iterator[tuple[Row, ...]]:
        """Return all exact covers, one by one, found by a plain search that takes a column with the fewest rows."""
        left: dict[Hashable, list[Row]] = {name: [] for name in self.columns}
        for row in self.rows:
            for name in row.columns:
                left[name].append(row)
        return _solutions(left)

    def scene(self, taken: Iterable[Row], text: str) -> Scene:
        """Return the squares, with the marks of some rows."""
        marks = {place: mark for row in taken for place, mark in row.marks.items()}
        squares = (
            Column(cell, look="given")
            if cell != "."
            else Column(marks.get(place, ""), look="path" if place in marks else "")
            for place, cell in enumerate(self.cells)
        )
        return Scene(tuple(squares), kind="grid", width=self.width, box=self.box, text=text)


def _solutions(left: Mapping[Hashable, Sequence[Row]]) -> Iterator[tuple[Row, ...]]:
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
        for found in _solutions(rest):
            yield (row, *found)


def box_height(side: int) -> int:
    """Return the height of a Sudoku's boxes, which are as square as can be, and no higher than wide."""
    return max(height for height in range(1, isqrt(side) + 1) if side % height == 0)


@frozen
class Sudoku:
    """A Sudoku of n x n cells, row by row: digits, then letters, and `.` or `0` for a blank."""

    cells: str

    def __attrs_post_init__(self) -> None:
        n = self.size
        if n * n != len(self.cells) or not 1 <= n <= len(SYMBOLS) or {*self.cells} - {*"0.", *SYMBOLS[:n]}:
            raise ValueError(
                f"{quoted(self.cells, 24)} is not a Sudoku of n x n cells, such as 81, each a dot or one of the first "
                f"n of {SYMBOLS}; other problems are 'queens 8' and 'cover 3 by [[1, 2], [3]]'"
            )

    @property
    def size(self) -> int:
        return isqrt(len(self.cells))

    @cached_property
    def cover(self) -> Cover:
        """One digit for each cell, and one cell for each digit in each row, column and box."""
        n, rows = self.size, list[Row]()
        height = box_height(n)
        for (place, given), (value, symbol) in product(enumerate(self.cells), enumerate(SYMBOLS[:n])):
            if given in ("0", ".", symbol):
                row, column = divmod(place, n)
                box = row // height * height + column // (n // height)
                covered = ("cell", row, column), ("row", row, value), ("column", column, value), ("box", box, value)
                rows.append(Row(covered, f"{symbol} in row {row + 1}, column {column + 1}", {place: symbol}))
        columns = product(("cell", "row", "column", "box"), range(n), range(n))
        return Cover([*columns], rows, self.cells.replace("0", "."), n, (height, n // height))


@frozen
class Queens:
    """n queens on a board of n x n squares, none of which attacks another."""

    size: int

    @property
    def given(self) -> tuple[tuple[int, ...], ...]:
        """The row and column of each queen that stands already, from 1."""
        return ()

    def __attrs_post_init__(self) -> None:
        if self.size > 40:
            raise ValueError(f"there can be 40 queens, not {self.size}")

    @cached_property
    def cover(self) -> Cover:
        """One queen for each rank and file, and one or, as a row of its own, none for each diagonal."""
        n, diagonals = self.size, range(2 * self.size - 1)
        placed = {square[0]: square[1] for square in self.given}
        squares = [
            Row(
                (("rank", i), ("file", j), ("rising", i + j), ("falling", n - 1 + i - j)),
                f"a queen in row {i + 1}, column {j + 1}",
                {i * n + j: "Q"},
            )
            for i, j in product(range(n), repeat=2)
            if placed.get(i + 1, j + 1) == j + 1
        ]
        lines = [*product(("rising", "falling"), diagonals)]
        unused = [Row((line,), f"no queen on {line[0]} diagonal {line[1] + 1}") for line in lines]
        return Cover([*product(("rank", "file"), range(n)), *lines], squares + unused, "." * n * n, n)


@frozen
class QueensAgain(Queens):
    """Some queens stand already, each on a row and a column from 1."""

    placed: Annotated[tuple[tuple[int, ...], ...], list_of(numbers("/"), "square")]

    @property
    def given(self) -> tuple[tuple[int, ...], ...]:
        return self.placed

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        rows = [square[0] for square in self.placed if len(square) == 2 and {*square} <= {*range(1, self.size + 1)}]
        if len({*rows}) < len(self.placed):
            raise ValueError(f"the squares are not row/column, of 1 to {self.size}, in different rows")


@frozen
class Matrix:
    """Any exact cover: how many columns there are, and the columns of each row, from 1."""

    size: int
    rows: tuple[tuple[int, ...], ...]

    def __attrs_post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if not row or len({*row}) < len(row) or not {*row} <= {*range(1, self.size + 1)}:
                raise ValueError(f"row {number} does not have different columns of 1 to {self.size}")

    @cached_property
    def cover(self) -> Cover:
        """The matrix; a picture says by which row each column is covered."""
        numbered = enumerate(self.rows, 1)
        rows = [Row(row, f"row {number}", {column - 1: str(number) for column in row}) for number, row in numbered]
        return Cover(range(1, self.size + 1), rows, "." * self.size, 20)


Problem = Sudoku | Queens | QueensAgain | Matrix
PROBLEMS: Forms[Problem] = Forms(
    Form.of(QueensAgain, "queens {size} with {placed}"),
    Form.of(Queens, "queens {size}"),
    Form.of(Matrix, "cover {size} by {rows}"),
    Form.of(Sudoku, "{cells}"),
)


def sudoku(side: int, rng: random.Random) -> Sudoku:
    """Draw a Sudoku: blank some cells of a complete one, of which rows, columns and digits have been shuffled.

    One of up to 9 x 9 cells has one solution only; a larger one may have several.
    """
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
    for place in rng.sample(range(side * side), round(side * side * (rng.uniform(0.5, 0.7) if side <= 9 else 0.4))):
        given, cells[place] = cells[place], "."
        if side <= 9 and len([*islice(Sudoku("".join(cells)).cover.solutions(), 2)]) > 1:
            cells[place] = given
    return Sudoku("".join(cells))


def matrix(count: int, rng: random.Random) -> Matrix:
    """Draw an exact cover of so many columns: rows that are one, and others that are in the way."""
    left, rows = rng.sample(range(1, count + 1), count), list[list[int]]()
    while left:
        length = rng.randint(1, 8)
        rows.append(left[:length])
        left = left[length:]
    rows += [rng.sample(range(1, count + 1), rng.randint(1, 8)) for _ in range(len(rows) // 2)]
    return Matrix(count, tuple(tuple(sorted(row)) for row in rng.sample(rows, len(rows))))
