"""An interpreter of Brainfuck, whose cells hold whole numbers of any size."""

from typing import Annotated, Literal, cast

from coc_programs import Function, Record, Steps, new, procedure, read, write
from coc_programs.library import List, Number, Text, add, extended, minus_one, successor, zero

What = Literal["more", "less", "right", "left", "put", "get", "begin", "end", "halt"]
SIGNS = {"+": "more", "-": "less", ">": "right", "<": "left", ".": "put", ",": "get", "[": "begin", "]": "end"}
MEANING = tuple({ord(sign) % 64: what for sign, what in SIGNS.items()}.get(number, "halt") for number in range(64))
"""What a character does, by its number without the highest digit."""


class Op(Record):
    """What a character does, the one after it, and the one of the other bracket."""

    what: What
    next: "Op | None" = None
    other: "Op | None" = None


class Open(Record, letters="B"):
    """A bracket that is open, and the one around it."""

    op: Op
    outer: "Open | None" = None


class Cell(Record):
    """A cell of the tape, with its neighbours."""

    value: Number
    left: "Cell | None" = None
    right: "Cell | None" = None


@procedure
def brainfuck(code: Text, given: List[Number]) -> Steps[List[Number]]:
    """Run a program with an input, and return its output; at the end of the input it gets 0."""
    op: Op = yield compiled(code)
    none: Number = yield zero()
    minus: Number = yield minus_one()
    output: List[Number] = yield new(List)
    end = output
    cell: Cell = yield new(Cell, value=none)
    while True:
        o = yield read(op)
        op = o.next
        if o.what == "put":
            c = yield read(cell)
            end = yield extended(end, c.value)
        elif o.what == "get":
            value: Number = none
            x = yield read(given)
            if x.next:
                value, given = cast(Number, x.first), x.next
            yield write(cell, value=value)
        elif o.what == "more" or o.what == "less":
            is_more = o.what == "more"
            c = yield read(cell)
            if is_more:
                value = yield successor(c.value)
            else:
                value = yield add(c.value, minus)
            yield write(cell, value=value)
        elif o.what == "right":
            c = yield read(cell)
            if not c.right:
                fresh: Cell = yield new(Cell, value=none, left=cell)
                yield write(cell, right=fresh)
                cell = fresh
            else:
                cell = c.right
        elif o.what == "left":
            c = yield read(cell)
            if not c.left:
                fresh = yield new(Cell, value=none, right=cell)
                yield write(cell, left=fresh)
                cell = fresh
            else:
                cell = c.left
        elif o.what == "begin" or o.what == "end":
            is_begin, other = o.what == "begin", o.other
            c = yield read(cell)
            v = yield read(c.value)
            if is_begin == (v.last and v.digit == 0):
                o = yield read(other)
                op = o.next
        else:
            return output


@procedure
def compiled(code: Text) -> Steps[Op]:
    """Return the first of the operations of a program."""
    first: Op = yield new(Op, what="halt")
    last = first
    opened: Open | None = None
    x = yield read(code)
    while x.next:
        code = x.next
        what: What = yield meaning(x.first)
        fresh: Op = yield new(Op, what="halt")
        yield write(last, what=what, next=fresh)
        if what == "begin":
            opened = yield new(Open, op=last, outer=opened)
        elif what == "end" and opened:
            b = yield read(opened)
            begin, opened = b.op, b.outer
            yield write(last, other=begin)
            yield write(begin, other=last)
        last = fresh
        x = yield read(code)
    return first


@procedure
def meaning(character: Number) -> Steps[What]:
    """Return what a character does."""
    x = yield read(character)
    low: Annotated[int, range(4)] = x.digit
    x = yield read(x.rest)
    number: Annotated[int, range(16)] = low + 4 * x.digit
    x = yield read(x.rest)
    return MEANING[number + 16 * x.digit]


class Brainfuck(Function):
    """A program that adds n numbers, or doubles each, or gives them back."""

    main = brainfuck

    def draw(self, n, rng):
        code = rng.choice((">,[[<+>-],]<.", ",[>++<-]>.", ">+[,.[->]<]" , ",[.,]"))
        return code, [rng.randint(1, 9) for _ in range(n)]

    def reference(self, code, given):
        cells, at, output, given, here, stack, other = {}, 0, [], iter(given), 0, [], {}
        for place, sign in enumerate(code):
            if sign == "[":
                stack.append(place)
            elif sign == "]":
                other[place] = stack.pop()
                other[other[place]] = place
        while here < len(code):
            value = cells.get(at, 0)
            match code[here]:
                case "+" | "-" as sign:
                    cells[at] = value + (1 if sign == "+" else -1)
                case "<" | ">" as sign:
                    at += 1 if sign == ">" else -1
                case ".":
                    output.append(value)
                case ",":
                    cells[at] = next(given, 0)
                case "[" if not value:
                    here = other[here]
                case "]" if value:
                    here = other[here]
            here += 1
        return output
