"""An interpreter of Brainfuck, whose cells hold whole numbers of any size."""

from collections import defaultdict
from typing import Annotated, Literal

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import List, Number, Text, add, extended, minus_one, successor, zero

What = Literal["more", "less", "right", "left", "put", "get", "begin", "end", "halt"]
SIGNS = {"+": "more", "-": "less", ">": "right", "<": "left", ".": "put", ",": "get", "[": "begin", "]": "end"}
MEANING = tuple({ord(sign) % 64: what for sign, what in SIGNS.items()}.get(number, "halt") for number in range(64))
"""What a character does, by its number without the highest digit."""


PYTHON = {"+": "tape[at] += 1", "-": "tape[at] -= 1", ">": "at += 1", "<": "at -= 1", ".": "output.append(tape[at])"}
PYTHON |= {",": "tape[at] = next(given, 0)", "[": "while tape[at]:", "]": "pass"}


class Op(Record):
    """What a character does, the one after it, and the one of the other bracket."""

    what: What
    next: "Op | None" = None
    other: "Op | None" = None


class Cell(Record):
    """A cell of the tape, with its neighbours."""

    value: Number
    left: "Cell | None" = None
    right: "Cell | None" = None


@procedure
def brainfuck(code: Text, given: List[Number]) -> Steps[List[Number]]:
    """Run a program with an input, and return its output; after the input, it gets 0."""
    op: Op = yield compiled(code)
    none: Number = yield zero()
    minus: Number = yield minus_one()
    output: List[Number] = yield new(List)
    end = output
    cell: Cell = yield new(Cell, value=none)
    while True:
        o = yield read(op)
        op = o.next
        if o.what == "halt":
            return output
        if o.what == "put":
            end = yield extended(end, (yield read(cell)).value)
        elif o.what == "get":
            x = yield read(given)
            given = x.next or given
            yield write(cell, value=x.first or none)
        elif o.what == "more":
            value: Number = yield successor((yield read(cell)).value)
            yield write(cell, value=value)
        elif o.what == "less":
            value = yield add((yield read(cell)).value, minus)
            yield write(cell, value=value)
        elif o.what == "begin" or o.what == "end":
            is_begin, other = o.what == "begin", o.other
            v = yield read((yield read(cell)).value)
            if is_begin == (v.last and v.digit == 0):
                op = (yield read(other)).next
        elif o.what == "left":
            left: Cell | None = (yield read(cell)).left
            if not left:
                left = yield new(Cell, value=none, right=cell)
                yield write(cell, left=left)
            cell = left
        else:
            right: Cell | None = (yield read(cell)).right
            if not right:
                right = yield new(Cell, value=none, left=cell)
                yield write(cell, right=right)
            cell = right


@procedure
def compiled(code: Text) -> Steps[Op]:
    """Return the first of the operations of a program."""
    first: Op = yield new(Op, what="halt")
    last = first
    opened: List[Op] = yield new(List)
    for character in each(code):
        what: What = yield meaning(character)
        fresh: Op = yield new(Op, what="halt")
        yield write(last, what=what, next=fresh)
        if what == "begin":
            opened = yield new(List, first=last, next=opened)
        elif what == "end":
            b = yield read(opened)
            if b.next:
                opened = b.next
                yield write(last, other=b.first)
                yield write(b.first, other=last)
        last = fresh
    return first


@procedure
def meaning(character: Number) -> Steps[What]:
    """Return what a character does."""
    x = yield read(character)
    number: Annotated[int, range(16)] = x.digit
    x = yield read(x.rest)
    number = number + 4 * x.digit
    return MEANING[number + 16 * (yield read(x.rest)).digit]


class Brainfuck(Function):
    """A program that adds n numbers, or doubles each, or gives them back."""

    main = brainfuck

    def draw(self, n, rng):
        code = rng.choice((">,[[<+>-],]<.", ",[[>++<-]>.>,]", ",[.,]"))
        return code, [rng.randint(1, 9) for _ in range(n)]

    def reference(self, code, given):
        lines, names = list[str](), {"tape": defaultdict(int), "at": 0, "output": [], "given": iter(given)}
        for place, sign in enumerate(code):
            depth = code[:place].count("[") - code[:place].count("]")
            lines.append(" " * depth + PYTHON[sign])
        exec("\n".join(lines), names)
        return names["output"]
