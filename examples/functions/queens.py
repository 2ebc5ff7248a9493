"""Queens on a board, of which none is in the row, column or diagonal of another."""

from typing import cast

from coc_programs import Function, Steps, new, procedure, read
from coc_programs.library import List, Number, add, less, same, subtract, successor, zero


@procedure
def queens(n: Number) -> Steps[List[Number] | None]:
    """Return a column for each row of a board, the last row first; None if there are none."""
    none: Number = yield zero()
    placed: List[Number] = yield new(List)
    return (yield extend(placed, none, n))


@procedure
def extend(placed: List[Number], row: Number, n: Number) -> Steps[List[Number] | None]:
    """Return the columns of all rows, given those of the first rows."""
    if (yield same(row, n)):
        return placed
    following: Number = yield successor(row)
    column: Number = yield zero()
    while (yield less(column, n)):
        if (yield is_free(column, placed)):
            more: List[Number] = yield new(List, first=column, next=placed)
            found: List[Number] | None = yield extend(more, following, n)
            if found:
                return found
        column = yield successor(column)
    return None


@procedure
def is_free(column: Number, placed: List[Number]) -> Steps[bool]:
    """Return whether a queen of the next row may stand in a column."""
    distance: Number = yield zero()
    x = yield read(placed)
    while x.next:
        other, placed = cast(Number, x.first), x.next
        distance = yield successor(distance)
        if (yield same(column, other)):
            return False
        aside: Number = yield subtract(column, other)
        if (yield same(aside, distance)):
            return False
        aside = yield add(aside, distance)
        a = yield read(aside)
        if a.last and a.digit == 0:
            return False
        x = yield read(placed)
    return True


class Queens(Function):
    """n queens."""

    main = queens

    def draw(self, n, rng):
        return rng.randint(0, n)

    def reference(self, n):
        def extend(placed):
            if len(placed) == n:
                return placed[::-1]
            for column in range(n):
                if all(abs(column - other) not in (0, len(placed) - row) for row, other in enumerate(placed)):
                    if (found := extend([*placed, column])) is not None:
                        return found
            return None

        return extend([])
