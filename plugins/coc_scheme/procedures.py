"""What the machine calls: whole numbers of any size and sign, arguments and variables, and elements of blocks."""

from typing import cast

from coc_programs import Steps, new, procedure, read, write
from coc_scheme.records import About, Cell, Count, Decimal, Digit, Division, Env, Few, Node, Path, Tenth, Value

# ── whole numbers, as chains of digits ────────────────────────────────────────────────────────────────────────────────


@procedure
def added(a: Digit, b: Digit, carry: bool, minus: bool) -> Steps[Digit]:
    """Return a + b + carry; or, with minus, a - b - 1 + carry, where b counts with its digits turned over."""
    y = yield read(b)
    more: Decimal = (3 - y.digit if minus else y.digit) + (1 if carry else 0)
    if y.last and (more == 0 or more == 4):
        return a
    ended = y.last
    b = b if ended else y.rest
    x = yield read(a)
    total: Decimal = x.digit + more
    if x.last and ended:
        if total == 1:
            return (yield new(Digit, digit=1, rest=a))
        if total == 6:
            return (yield new(Digit, digit=2, rest=a))
        return x.rest
    digit: Few = total % 4
    rest: Digit = yield added(a if x.last else x.rest, b, total > 3, minus)
    if digit == 1 or digit == 2:
        return (yield new(Digit, digit=digit, rest=rest))
    return (yield joined(digit, rest))


@procedure
def joined(digit: Few, rest: Digit) -> Steps[Digit]:
    """Return a digit before others, without it if it says nothing."""
    z = yield read(rest)
    if z.last and z.digit == digit:
        return rest
    return (yield new(Digit, digit=digit, rest=rest))


@procedure
def same(a: Digit, b: Digit) -> Steps[bool]:
    """Return whether two numbers are equal."""
    while True:
        x = yield read(a)
        digit, last, a = x.digit, x.last, x.rest
        y = yield read(b)
        if y.digit != digit or y.last != last:
            return False
        if last:
            return True
        b = y.rest


@procedure
def less(a: Digit, b: Digit) -> Steps[bool]:
    """Return whether a is less than b."""
    below = False
    while True:
        x = yield read(a)
        digit, last = x.digit, x.last
        a = a if last else x.rest
        y = yield read(b)
        if last and y.last:
            return below if digit == y.digit else digit > y.digit
        below = below if digit == y.digit else digit < y.digit
        b = b if y.last else y.rest


@procedure
def times(a: Digit, b: Digit) -> Steps[Digit]:
    """Return a * b."""
    y = yield read(b)
    if y.last and y.digit == 0:
        return b
    return (yield product(a, b))


@procedure
def product(a: Digit, b: Digit) -> Steps[Digit]:
    """Return a * b, where b is not 0."""
    x = yield read(a)
    if x.last:
        if x.digit == 0:
            return a
        return (yield added(x.rest, b, True, True))
    digit: Few = x.digit
    part: Digit = yield product(x.rest, b)
    part = yield new(Digit, digit=0, rest=part)
    while digit > 0:
        digit = digit - 1
        part = yield added(part, b, False, False)
    return part


@procedure
def divide(a: Digit, b: Digit, remainder: bool) -> Steps[Digit | None]:
    """Return the quotient, rounded down, or the remainder, for b from 0; None for 0."""
    y = yield read(b)
    if y.last:
        return None
    found: Division = yield divided(a, b)
    f = yield read(found)
    return f.rest if remainder else f.quotient


@procedure
def divided(a: Digit, b: Digit) -> Steps[Division]:
    """Return the quotient of a and b, rounded down, and the remainder, where b is above 0."""
    x = yield read(a)
    if x.last:
        rest: Digit = a
        if x.digit == 3:
            rest = yield added(b, a, False, False)
        return (yield new(Division, quotient=a, rest=rest))
    digit: Few = x.digit
    part: Division = yield divided(x.rest, b)
    p = yield read(part)
    quotient: Digit = p.quotient
    rest = yield joined(digit, p.rest)
    digit = 0
    while not (yield less(rest, b)):
        digit = digit + 1
        rest = yield added(rest, b, True, True)
    quotient = yield joined(digit, quotient)
    return (yield new(Division, quotient=quotient, rest=rest))


@procedure
def tenth(a: Digit) -> Steps[Tenth]:
    """Return the quotient of a and ten, and the remainder, where a is not below 0."""
    x = yield read(a)
    if x.last:
        return (yield new(Tenth, quotient=a, rest=0))
    digit: Few = x.digit
    part: Tenth = yield tenth(x.rest)
    p = yield read(part)
    rest: Decimal = (4 * p.rest + digit) % 10
    digit = (4 * p.rest + digit) // 10
    quotient: Digit = yield joined(digit, p.quotient)
    return (yield new(Tenth, quotient=quotient, rest=rest))


# ── arguments, variables, and elements ────────────────────────────────────────────────────────────────────────────────


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
    number, left = z.kind == "number", cast(Digit, z.first)
    z = yield read(a)
    if (z.kind == "number" and number) or (z.kind == "char" and not number):
        return (yield same(left, cast(Digit, z.first)))
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
    whole = cast(Digit, z.first)
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
def within(index: Digit, about: About) -> Steps[bool]:
    """Return whether an index is from 0, and below the length."""
    b = yield read(about)
    if not (yield less(index, b.length)):
        return False
    i = yield read(index)
    while not i.last:
        i = yield read(i.rest)
    return i.digit == 0


@procedure
def planted(node: Node, at: Digit, about: About) -> Steps[Node]:
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
