"""Exact covers by Algorithm X with dancing links."""

from attrs import frozen

from coc_core.program import Record, Steps, chain, procedure, read, write


class Node(Record):
    """That a row has a one in a column.

    Attributes:
        up: The node above it in its column; None for the first one.
        down: The node below it in its column.
        right: The next node of its row, and after the last one the first.
        trail: The node that was removed before this one, if it has been.
    """

    up: "Node | None" = None
    down: "Node | None" = None
    right: "Node"
    column: "Column"
    trail: "Node"


class Column(Record):
    """A column.

    Attributes:
        first: The first node of the rows that are left.
        row: A node of the row that covers the column.
        next: The next column, whether it is covered or not.
        link: The next one of the columns that have to be covered by the only row that is left or, once covered, the
            next one of those whose row was taken before.
    """

    first: Node | None = None
    row: Node | None = None
    next: "Column | None" = None
    link: "Column"


class Root(Record):
    """What there is one of."""

    last: Node
    taken: Column


@frozen
class Guess:
    """A note: a row is taken, to see what follows."""

    node: int


@frozen
class Contradiction:
    """A note: a column has no row left."""


@frozen
class Take:
    """Take a row, which is named by one of its nodes."""

    node: int


@frozen
class NoSolution:
    """Report that there is no solution."""


@procedure
def solve(root: Root, none: Column, columns: Column) -> Steps[None]:
    """Find an exact cover, and take its rows, or report that there is none."""
    units = none
    for column in chain(columns, "next"):
        if not column.first:
            yield NoSolution()
            return
        node = yield read(column.first)
        if not node.down:
            yield write(column, link=units)
            units = column
    r = yield read(root)
    u = yield read(units)
    if u.first:
        found = yield take(root, u.first, units, u.link, none, r.last)
        if not found:
            yield NoSolution()
            return
    if (yield search(root, none, columns)):
        r = yield read(root)
        yield report(r.taken)
        return
    yield NoSolution()


@procedure
def search(root: Root, none: Column, columns: Column | None) -> Steps[bool]:
    column = yield choose(columns)
    if not column:
        return True
    r = yield read(root)
    c = yield read(column)
    for node in chain(c.first, "down"):
        yield Guess(node.number)
        if (yield take(root, node, column, none, r.taken, r.last)):
            if (yield search(root, none, columns)):
                return True
        now = yield read(root)
        yield undo(now.last, r.last)
    return False


@procedure
def choose(columns: Column | None) -> Steps[Column | None]:
    column = columns
    while column:
        c = yield read(column)
        if not c.row:
            return (yield pair(column, column))
        column = c.next
    return None


@procedure
def pair(column: Column | None, first: Column) -> Steps[Column]:
    for c in chain(column, "next"):
        if not c.row:
            node = yield read(c.first)
            below = yield read(node.down)
            if not below.down:
                return c
    return first


@procedure
def take(root: Root, row: Node, column: Column, units: Column, taken: Column, last: Node) -> Steps[bool]:
    while True:
        yield write(column, link=taken)
        taken = column
        at = row
        while True:
            n = yield read(at)
            if n.up:
                yield write(n.up, down=n.down)
                yield write(n.column, row=row)
            else:
                yield write(n.column, first=n.down, row=row)
            if n.down:
                yield write(n.down, up=n.up)
            yield write(at, trail=last)
            last = at
            c = yield read(n.column)
            other = c.first
            while other:
                o = yield read(other)
                node = o.right
                while node != other:
                    k = yield read(node)
                    if k.up:
                        yield write(k.up, down=k.down)
                    else:
                        yield write(k.column, first=k.down)
                    if k.down:
                        yield write(k.down, up=k.up)
                    yield write(node, trail=last)
                    last = node
                    if not k.up and not k.down:
                        yield write(root, last=last)
                        yield Contradiction()
                        return False
                    if not k.up or not k.down:
                        s = yield read(k.up or k.down)
                        if not s.up and not s.down:
                            yield write(k.column, link=units)
                            units = k.column
                    node = k.right
                other = o.down
            at = n.right
            if at == row:
                break
        u = yield read(units)
        while u.row:
            units = u.link
            u = yield read(units)
        if not u.first:
            yield write(root, last=last, taken=taken)
            return True
        row = u.first
        column = units
        units = u.link


@procedure
def undo(last: Node, to: Node) -> Steps[None]:
    while last != to:
        n = yield read(last)
        if n.up:
            yield write(n.up, down=last)
            yield write(n.column, row=None)
        else:
            yield write(n.column, first=last, row=None)
        if n.down:
            yield write(n.down, up=last)
        last = n.trail


@procedure
def report(column: Column) -> Steps[None]:
    c = yield read(column)
    if c.row:
        yield report(c.link)
        yield Take(c.row.number)
