"""What the machine calls: a quotient, arguments and variables, and elements of blocks."""

from typing import cast

from coc_programs import Steps, new, procedure, read, write
from coc_programs.library import Division, Number, divided, less, same
from coc_scheme.records import About, Cell, Count, Env, Node, Path, Value


@procedure
def divide(a: Number, b: Number, remainder: bool) -> Steps[Number | None]:
    """Return the quotient, rounded down, or the remainder, for b from 0; None for 0."""
    y = yield read(b)
    if y.last:
        return None
    found: Division = yield divided(a, b)
    f = yield read(found)
    return f.rest if remainder else f.quotient


@procedure
def gathered(count: Count, needed: Count, s: Cell, rest: Value) -> Steps[Cell | None]:
    """Return the operands with all after those that are needed as one list; None if there are too few."""
    while count != needed:
        n = yield read(count)
        if not n.less:
            return None
        count = n.less
        t = yield read(s)
        s = t.next
        rest = yield new(Value, kind="pair", first=t.value, second=rest)
    return (yield new(Cell, value=rest, next=s))


@procedure
def find(path: Path, e: Env) -> Steps[Cell]:
    """Return the variable at the end of a path."""
    p = yield read(path)
    v = yield read(e)
    while p.way == "up":
        v = yield read(v.up)
        p = yield read(p.next)
    cell = v.cells
    while p.way == "over":
        t = yield read(cell)
        cell = t.next
        p = yield read(p.next)
    return cell


@procedure
def alike(v: Value, a: Value) -> Steps[bool]:
    """Return whether two values are the same number or character."""
    z = yield read(v)
    if z.kind != "number" and z.kind != "char":
        return False
    number, left = z.kind == "number", cast(Number, z.first)
    z = yield read(a)
    if (z.kind == "number" and number) or (z.kind == "char" and not number):
        return (yield same(left, cast(Number, z.first)))
    return False


@procedure
def place(block: Value, index: Value, sort: Value) -> Steps[Node | None]:
    """Return where an element of a block is; nodes are made when first needed. None: of another sort, or no index."""
    z = yield read(block)
    if z.kind != sort or not z.first:
        return None
    node, about = cast(Node, z.first), cast(About, z.second)
    z = yield read(index)
    if z.kind != "number":
        return None
    whole = cast(Number, z.first)
    at = whole
    while True:
        i = yield read(at)
        if i.last:
            return node if i.digit == 0 else None
        n = yield read(node)
        child = n.a if i.digit == 0 else n.b if i.digit == 1 else n.c if i.digit == 2 else n.d
        if not child:
            if not (yield within(whole, about)):
                return None
            return (yield planted(node, at, about))
        node, at = child, i.rest


@procedure
def within(index: Number, about: About) -> Steps[bool]:
    """Return whether an index is from 0, and below the length."""
    b = yield read(about)
    if not (yield less(index, b.length)):
        return False
    i = yield read(index)
    while not i.last:
        i = yield read(i.rest)
    return i.digit == 0


@procedure
def planted(node: Node, at: Number, about: About) -> Steps[Node]:
    """Return the end of the way to an element, made of new nodes."""
    b = yield read(about)
    fill = b.fill
    i = yield read(at)
    while not i.last:
        fresh = yield new(Node, item=fill)
        if i.digit == 0:
            yield write(node, a=fresh)
        elif i.digit == 1:
            yield write(node, b=fresh)
        elif i.digit == 2:
            yield write(node, c=fresh)
        else:
            yield write(node, d=fresh)
        node = fresh
        i = yield read(i.rest)
    return node
