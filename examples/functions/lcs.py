"""The length of the longest common subsequence of two texts."""

from coc_programs import Function, Steps, each, new, procedure, read, write
from coc_programs.library import List, Number, Text, less, same, successor, zero


@procedure
def lcs(a: Text, b: Text) -> Steps[Number]:
    """Return the length, by a row of lengths that is changed for each character of the first text."""
    none: Number = yield zero()
    row: List[Number] = yield new(List)
    for _ in each(b):
        row = yield new(List, first=none, next=row)
    left = none
    for character in each(a):
        cell = row
        left, before = none, none  # the length in the cell before, as it is now and as it was
        for other in each(b):
            c = yield read(cell)
            above = c.first
            if (yield same(character, other)):
                left = yield successor(before)
            elif (yield less(left, above)):
                left = above
            yield write(cell, first=left)
            cell, before = c.next, above
    return left


class Lcs(Function):
    """Two texts of n letters."""

    main = lcs

    def draw(self, n, rng):
        return tuple("".join(rng.choices("abc", k=n)) for _ in range(2))

    def reference(self, a, b):
        row = [0] * (len(b) + 1)
        for x in a:
            before, row = row, [0]
            for at, y in enumerate(b):
                row.append(before[at] + 1 if x == y else max(before[at + 1], row[at]))
        return row[-1]
