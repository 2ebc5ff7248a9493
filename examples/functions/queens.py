"""Queens on a board, of which none is in the row, column or diagonal of another."""

from coc_programs import Function, Steps, each, new, procedure, read
from coc_programs.library import List, Number, add, less, same, subtract, successor, zero


@procedure
def queens(n: Number) -> Steps[List[Number] | None]:
    """Return a column for each row of a board, the last row first; None if there are none."""
    return (yield extend((yield new(List)), (yield zero()), n))


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
    for other in each(placed):
        distance = yield successor(distance)
        aside: Number = yield subtract(column, other)
        if (yield same(column, other)) or (yield same(aside, distance)):
            return False
        d = yield read((yield add(aside, distance)))
        if d.last and d.digit == 0:
            return False
    return True


class Queens(Function):
    """Up to n queens."""

    main = queens
    sizes = range(1, 13)

    def draw(self, n, rng):
        return rng.randint(0, n)

    def reference(self, n, placed=()):
        if len(placed) == n:
            return [*reversed(placed)]
        for column in range(n):
            is_free = all(abs(column - other) not in (0, len(placed) - row) for row, other in enumerate(placed))
            if is_free and (found := self.reference(n, (*placed, column))) is not None:
                return found
        return None
