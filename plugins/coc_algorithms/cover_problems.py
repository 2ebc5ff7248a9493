"""Problems of exact cover: their texts, a plain search against which a run is judged, and which are drawn."""

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import isqrt
from typing import Annotated, Any

from attrs import field, frozen

from coc_core.text import Codec, Form, Forms, list_of, parse_decimal, quoted

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
MOST_QUEENS = 40
MOST_SQUARES = 60


@frozen
class Row:
    """A row of the matrix: the columns that it covers, and what it stands for, in words."""

    columns: Sequence[Any]
    words: str


class Cover(ABC):
    """A problem: choose rows such that each column is in exactly one of them."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How large it is."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """Return all rows, in order."""

    @abstractmethod
    def columns(self) -> Iterable[Hashable]:
        """Return all columns, in order."""

    @abstractmethod
    def picture(self, taken: Sequence[Row]) -> str:
        """Return a picture of some rows."""


def box_height(side: int) -> int:
    """Return the height of a Sudoku's boxes, which are as square as can be, and no higher than wide."""
    return max(height for height in range(1, isqrt(side) + 1) if side % height == 0)


@frozen(slots=False)
class Sudoku(Cover):
    """A Sudoku of n x n cells, row by row: digits, then letters, and `.` or `0` for a blank."""

    cells: str = field()

    @cells.validator
    def _check(self, _: object, cells: str) -> None:
        n = isqrt(len(cells))
        if n * n != len(cells) or not 1 <= n <= len(SYMBOLS):
            raise ValueError(
                f"{quoted(cells, 24)} has {len(cells)} characters, a Sudoku n x n, such as 81; other problems are "
                "'queens 8', 'tiling 6x10', and 'cover 3 by [[1, 2], [3]]'"
            )
        if bad := {*cells} - {*"0.", *SYMBOLS[:n]}:
            raise ValueError(f"{min(bad)!r} is not a cell of a Sudoku of {n} x {n}: 1 to {SYMBOLS[n - 1]}, or a dot")

    @property
    def size(self) -> int:
        return isqrt(len(self.cells))

    def columns(self) -> Iterator[Hashable]:
        n = range(self.size)
        return ((kind, i, j) for kind in ("cell", "row", "column", "box") for i in n for j in n)

    def rows(self) -> Iterator[Row]:
        n = self.size
        height = box_height(n)
        for place, given in enumerate(self.cells):
            row, column = divmod(place, n)
            box = row // height * height + column // (n // height)
            for value, symbol in enumerate(SYMBOLS[:n]):
                if given in "0." or given == symbol:
                    columns = ("cell", row, column), ("row", row, value), ("column", column, value), ("box", box, value)
                    yield Row(columns, f"{symbol} in row {row + 1}, column {column + 1}")

    def picture(self, taken: Sequence[Row]) -> str:
        n, cells = self.size, list(self.cells.replace("0", "."))
        for row in taken:
            _, i, j = row.columns[0]
            cells[i * n + j] = row.words[0]
        return "\n".join(" ".join(cells[i : i + n]) for i in range(0, n * n, n))


@frozen(slots=False)
class Queens(Cover):
    """n queens on a board of n x n squares, none of which attacks another."""

    n: int = field()

    @n.validator
    def _check(self, _: object, n: int) -> None:
        if n > MOST_QUEENS:
            raise ValueError(f"there can be {MOST_QUEENS} queens, not {n}")

    @property
    def size(self) -> int:
        return self.n

    def columns(self) -> Iterator[Hashable]:
        lines = (("rank", self.n), ("file", self.n), ("rising", 2 * self.n - 1), ("falling", 2 * self.n - 1))
        return ((kind, i) for kind, count in lines for i in range(count))

    def rows(self) -> Iterator[Row]:
        """Yield each square, and each diagonal without a queen."""
        n = self.n
        for i in range(n):
            for j in range(n):
                columns = ("rank", i), ("file", j), ("rising", i + j), ("falling", n - 1 + i - j)
                yield Row(columns, f"a queen in row {i + 1}, column {j + 1}")
        for kind in ("rising", "falling"):
            for i in range(2 * n - 1):
                yield Row(((kind, i),), f"no queen on {kind} diagonal {i + 1}")

    def picture(self, taken: Sequence[Row]) -> str:
        board = [["."] * self.n for _ in range(self.n)]
        for row in taken:
            if len(row.columns) > 1:
                (_, i), (_, j), *_ = row.columns
                board[i][j] = "Q"
        return "\n".join(map(" ".join, board))


PENTOMINOES = {
    "F": "01 02 10 11 21", "I": "00 10 20 30 40", "L": "00 10 20 30 31", "N": "00 10 11 21 31", "P": "00 01 10 11 20",
    "T": "00 01 02 11 21", "U": "00 02 10 11 12", "V": "00 10 20 21 22", "W": "00 10 11 21 22", "X": "01 10 11 12 21",
    "Y": "01 10 11 21 31", "Z": "00 01 11 21 22",
}  # fmt: skip
"""The squares of each, as row and column."""


def turned(squares: str) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the different ways to lay a piece down, each with its squares in order."""
    shape = [(int(square[0]), int(square[1])) for square in squares.split()]
    seen = set()
    for turn in range(8):
        shape = [(column, -row) for row, column in shape]
        if turn == 4:
            shape = [(row, -column) for row, column in shape]
        top, left = (min(square[axis] for square in shape) for axis in (0, 1))
        moved = tuple(sorted((row - top, column - left) for row, column in shape))
        if moved not in seen:
            seen.add(moved)
            yield moved


@frozen(slots=False)
class Tiling(Cover):
    """A board to tile with pentominoes, each at most once."""

    height: int
    width: int = field()

    @width.validator
    def _check(self, _: object, width: int) -> None:
        if not 1 <= self.height * width <= MOST_SQUARES:
            raise ValueError(f"the board has {self.height * width} squares; there are pieces for 1 to {MOST_SQUARES}")

    @property
    def size(self) -> int:
        return max(self.height, self.width)

    def columns(self) -> Iterator[Hashable]:
        narrow, long = sorted((self.height, self.width))
        for i in range(long):
            for j in range(narrow):
                yield (i, j) if long == self.height else (j, i)
        yield from PENTOMINOES

    def rows(self) -> Iterator[Row]:
        """Yield each piece in each place and, if there are too many, each piece unused."""
        for piece, squares in PENTOMINOES.items():
            for shape in turned(squares):
                for i in range(self.height - max(row for row, _ in shape)):
                    for j in range(self.width - max(column for _, column in shape)):
                        places = [(i + row, j + column) for row, column in shape]
                        words = ", ".join(f"{row + 1}/{column + 1}" for row, column in places)
                        yield Row((piece, *places), f"{piece} on {words}")
            if self.height * self.width < MOST_SQUARES:
                yield Row((piece,), f"{piece} unused")

    def picture(self, taken: Sequence[Row]) -> str:
        board = [["."] * self.width for _ in range(self.height)]
        for row in taken:
            piece, *places = row.columns
            for i, j in places:
                board[i][j] = piece
        return "\n".join(map(" ".join, board))


Numbers = Annotated[tuple[tuple[int, ...], ...], list_of(list_of(Codec(parse_decimal), "column"), "row")]


@frozen(slots=False)
class Matrix(Cover):
    """Any exact cover: how many columns there are, and the columns of each row, from 1."""

    count: int
    ones: Numbers = field()

    @ones.validator
    def _check(self, _: object, ones: tuple[tuple[int, ...], ...]) -> None:
        for number, row in enumerate(ones, 1):
            if not row or len({*row}) < len(row) or not {*row} <= {*range(1, self.count + 1)}:
                raise ValueError(f"row {number} does not have different columns of 1 to {self.count}")

    @property
    def size(self) -> int:
        return self.count

    def columns(self) -> Iterator[Hashable]:
        return iter(range(1, self.count + 1))

    def rows(self) -> Iterator[Row]:
        return (Row(row, f"row {number}") for number, row in enumerate(self.ones, 1))

    def picture(self, taken: Sequence[Row]) -> str:
        return "\n".join(f"{row.words}: {', '.join(map(str, row.columns))}" for row in taken) or "no row"


PROBLEMS: Forms[Cover] = Forms(
    Form.of(Queens, "queens {n}"),
    Form.of(Tiling, "tiling {height}x{width}"),
    Form.of(Matrix, "cover {count} by {ones}"),
    Form.of(Sudoku, "{cells}"),
)


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
