"""Queens on a board, of which none is in the row, column or diagonal of another."""

from coc_programs import Function, Steps, each, new, procedure
from coc_programs.library import List, Number, less, predecessor, same, successor, zero


@procedure
def queens(n: Number) -> Steps[List[Number] | None]:
    """Return a column for each row of a board, the last row first; None if there are none."""
    return (yield extended_to(n, (yield zero()), (yield new(List))))


@procedure
def extended_to(n: Number, row: Number, placed: List[Number]) -> Steps[List[Number] | None]:
    """Return the columns of n rows, given those of the first rows."""
    if (yield same(row, n)):
        return placed
    row = yield successor(row)
    column: Number = yield zero()
    while (yield less(column, n)):
        if (yield is_free(column, placed)):
            found: List[Number] | None = yield extended_to(n, row, (yield new(List, first=column, next=placed)))
            if found:
                return found
        column = yield successor(column)
    return None


@procedure
def is_free(column: Number, placed: List[Number]) -> Steps[bool]:
    """Return whether a queen of the next row may stand in a column."""
    left, right = column, column
    for other in each(placed):
        left = yield predecessor(left)
        right = yield successor(right)
        if (yield same(other, column)) or (yield same(other, left)) or (yield same(other, right)):
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
            return [*placed]
        for column in range(n):
            is_free = all(abs(column - other) not in (0, row) for row, other in enumerate(placed, 1))
            if is_free and (found := self.reference(n, (column, *placed))) is not None:
                return found
        return None
