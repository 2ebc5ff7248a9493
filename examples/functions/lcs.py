"""The length of the longest common subsequence of two texts."""

from coc_programs import Function, Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import Number, Text, less, same, successor, zero


class Cell(Record):
    """A character of the second text, and the length for the texts up to here."""

    character: Number
    length: Number
    next: "Cell | None" = None


@procedure
def lcs(a: Text, b: Text) -> Steps[Number]:
    """Return the length, by a row of cells that is changed for each character of the first text."""
    none: Number = yield zero()
    row: Cell | None = yield cells(b, none)
    last = none
    for character in each(a):
        last = yield pass_over(row, character, none)
    return last


@procedure
def cells(text: Text, none: Number) -> Steps[Cell | None]:
    """Return the cells of a text, with the length 0."""
    x = yield read(text)
    if not x.next:
        return None
    character = x.first
    rest: Cell | None = yield cells(x.next, none)
    return (yield new(Cell, character=character, length=none, next=rest))


@procedure
def pass_over(row: Cell | None, character: Number, none: Number) -> Steps[Number]:
    """Change the lengths for one character more of the first text; return the last."""
    left, before = none, none  # the length in the cell before, as it is now and as it was
    for cell in chain(row, "next"):
        above, length = cell.length, cell.length
        if (yield same(cell.character, character)):
            length = yield successor(before)
        elif (yield less(length, left)):
            length = left
        yield write(cell, length=length)
        left, before = length, above
    return left


class Lcs(Function):
    """Two texts of n letters."""

    main = lcs

    def draw(self, n, rng):
        return tuple("".join(rng.choices("abc", k=n)) for _ in range(2))

    def reference(self, a, b):
        row = [0] * (len(b) + 1)
        for x in a:
            before = 0
            for at, y in enumerate(b, 1):
                before, row[at] = row[at], before + 1 if x == y else max(row[at], row[at - 1])
        return row[-1]
