"""The machine that runs Scheme: one operation after another, on five registers.

x is the code to run, a the value at hand, e the variables, s the operands, k what to return to. What waits is in
records, not on coc's stack: so a continuation is a value, a tail call leaves nothing behind, and an error is a jump.
"""

from typing import Literal, cast

from attrs import frozen

from coc_programs import Steps, new, procedure, read, write
from coc_scheme import records as of
from coc_scheme.procedures import added, alike, divide, find, gathered, less, place, same, tenth, times

Sign = Literal["zero", "one", "two", "three", "end", "fresh"]
PUSHES = tuple(name for name in of.UP if name.startswith("push"))
DECIMALS = {f"c{number}": number for number in range(10)}
TESTS = {"ifpair": "pair", "ifnumber": "number", "ifchar": "char", "ifprocedure": "closure"}
SIGNS: tuple[Sign, ...] = ("zero", "one", "two", "three")


@frozen
class Send:
    """An action: the next digit of the number of a character to print, lowest first; its end; or a line begins."""

    sign: Sign


@frozen
class At:
    """An action: there was an error in what would have come back to this code."""

    code: of.Code


@procedure
def run(x: of.Code, a: of.Value, e: of.Env, s: of.Cell, k: of.Frame) -> Steps[None]:
    """Run code until it halts."""
    while True:
        c = yield read(x)
        x = c.next
        if c.op in of.UP:
            up: of.Deep = of.UP[c.op]
            over: of.Few = of.OVER[c.op]
            pushes = c.op in PUSHES
            v = yield read(e)
            while up > 0:
                up = up - 1
                v = yield read(v.up)
            t = yield read(v.cells)
            while over > 0:
                over = over - 1
                t = yield read(t.next)
            if pushes:
                s = yield new(of.Cell, value=t.value, next=s)
            else:
                a = t.value
        elif c.op == "const":
            a = cast(of.Value, c.arg)
        elif c.op == "push":
            s = yield new(of.Cell, value=a, next=s)
        elif c.op == "pushconst":
            s = yield new(of.Cell, value=cast(of.Value, c.arg), next=s)
        elif c.op == "global":
            alt = cast(of.Code, c.alt)
            g = yield read(cast(of.Global, c.arg))
            if g.value:
                a = g.value
            else:
                x = alt
        elif c.op == "frame":
            k = yield new(of.Frame, code=cast(of.Code, c.alt), env=e, stack=s, next=k)
            s = cast(of.Cell, c.arg)
        elif c.op == "branch":
            if a == cast(of.Value, c.arg):
                x = cast(of.Code, c.alt)
        elif c.op == "enter":
            e = yield new(of.Env, cells=s, up=e)
            s = cast(of.Cell, c.arg)
        elif c.op == "goto":  # a call of a procedure that is known
            bottom = cast(of.Cell, c.alt)
            e = yield new(of.Env, cells=s, up=cast(of.Env, c.arg))
            s = bottom
        elif c.op in of.LEAVES:  # before a call of a procedure that is known, of some scope around
            up = of.LEAVES[c.op]
            v = yield read(e)
            while up > 0:
                up = up - 1
                v = yield read(v.up)
            e = v.up
        elif c.op == "return":
            f = yield read(k)
            x, e, s, k = f.code, f.env, f.stack, f.next
        elif c.op == "close":
            a = yield new(of.Value, kind="closure", first=cast(of.Lambda, c.arg), second=e)
        elif c.op == "call" or c.op == "apply":
            count, alt = cast(of.Count, c.arg), cast(of.Code, c.alt)
            if c.op == "apply":
                t = yield read(s)
                item = a
                a = t.value
                s = t.next
                z = yield read(item)
                while z.kind == "pair":
                    item = cast(of.Value, z.second)
                    s = yield new(of.Cell, value=cast(of.Value, z.first), next=s)
                    m = yield read(count)
                    if m.more:
                        count = m.more
                    else:
                        fresh = yield new(of.Count, less=count)
                        yield write(count, more=fresh)
                        count = fresh
                    z = yield read(item)
            z = yield read(a)
            if z.kind == "closure":
                up_env = cast(of.Env, z.second)
                p = yield read(cast(of.Lambda, z.first))
                bottom = p.bottom
                if p.rest:
                    body = p.body
                    cells: of.Cell | None = yield gathered(count, p.count, s, p.rest)
                    if cells:
                        e = yield new(of.Env, cells=cells, up=up_env)
                        s = bottom
                        x = body
                    else:
                        x = alt
                elif p.count == count:
                    x = p.body
                    e = yield new(of.Env, cells=s, up=up_env)
                    s = bottom
                else:
                    x = alt
            else:
                x = alt
        elif c.op == "numeric" or c.op == "withconst":
            alt, how = cast(of.Code, c.alt), cast(of.Arith, c.arg)
            left: of.Digit | None = None
            if c.op == "numeric":
                t = yield read(s)
                s = t.next
                z = yield read(t.value)
                if z.kind == "number":
                    left = cast(of.Digit, z.first)
                else:
                    x, a = alt, z
                    continue
            z = yield read(a)
            if z.kind != "number":
                x = alt
                continue
            right = cast(of.Digit, z.first)
            w = yield read(how)
            x = w.yes
            if w.right:
                left, right = right, w.right
            if w.what == "same":
                if not (yield same(left, right)):
                    x = w.no
            elif w.what == "less":
                if not (yield less(left, right)):
                    x = w.no
            elif w.what == "more":
                if not (yield less(right, left)):
                    x = w.no
            else:
                made: of.Digit | None = None
                if w.what == "add":
                    made = yield added(left, right, False, False)
                elif w.what == "sub":
                    made = yield added(left, right, True, True)
                elif w.what == "mul":
                    made = yield times(left, right)
                else:
                    remainder = w.what == "rem"
                    made = yield divide(left, right, remainder)
                if made:
                    a = yield new(of.Value, kind="number", first=made)
                else:
                    x = alt
        elif c.op == "car" or c.op == "cdr":
            first, alt = c.op == "car", cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind == "pair":
                a = cast(of.Value, z.first) if first else cast(of.Value, z.second)
            else:
                x = alt
        elif c.op == "cons":
            t = yield read(s)
            s = t.next
            a = yield new(of.Value, kind="pair", first=t.value, second=a)
        elif c.op in TESTS:
            kind, alt = c.op, cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind != TESTS[kind]:
                x = alt
        elif c.op == "ifsort":
            sort, alt = cast(of.Value, c.arg), cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind != sort:
                x = alt
        elif c.op == "ifeqv":
            alt = cast(of.Code, c.alt)
            t = yield read(s)
            s = t.next
            if t.value != a:
                if not (yield alike(t.value, a)):
                    x = alt
        elif c.op == "define":
            yield write(cast(of.Global, c.arg), value=a)
        elif c.op == "far":
            cell: of.Cell = yield find(cast(of.Path, c.arg), e)
            t = yield read(cell)
            a = t.value
        elif c.op == "assign":
            cell = yield find(cast(of.Path, c.arg), e)
            yield write(cell, value=a)
        elif c.op == "capture":
            a = yield new(of.Value, kind="continuation", first=k)
        elif c.op == "throw":
            t = yield read(s)
            z = yield read(t.value)
            f = yield read(cast(of.Frame, z.first))
            x, e, s, k = f.code, f.env, f.stack, f.next
        elif c.op == "ref":
            alt, sort = cast(of.Code, c.alt), cast(of.Value, c.arg)
            t = yield read(s)
            s = t.next
            node: of.Node | None = yield place(t.value, a, sort)
            if node:
                n = yield read(node)
                a = n.item
            else:
                x = alt
        elif c.op == "set":
            alt, sort = cast(of.Code, c.alt), cast(of.Value, c.arg)
            t = yield read(s)
            item = t.value
            t = yield read(t.next)
            s = t.next
            node = yield place(t.value, a, sort)
            if node:
                yield write(node, item=item)
            else:
                x = alt
        elif c.op == "block":
            sort, alt = cast(of.Value, c.arg), cast(of.Code, c.alt)
            t = yield read(s)
            s = t.next
            z = yield read(t.value)
            if z.kind == "number":
                d = yield read(cast(of.Digit, z.first))
                about = yield new(of.About, length=d, fill=a)
                if d.last:  # there are no elements
                    a = yield new(of.Value, kind=sort, second=about)
                else:
                    root = yield new(of.Node, item=a)
                    a = yield new(of.Value, kind=sort, first=root, second=about)
            else:
                x, a = alt, z
        elif c.op == "length":
            sort, alt = cast(of.Value, c.arg), cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind == sort:
                b = yield read(cast(of.About, z.second))
                a = yield new(of.Value, kind="number", first=b.length)
            else:
                x = alt
        elif c.op == "sort":
            alt = cast(of.Code, c.alt)
            z = yield read(a)
            if isinstance(z.kind, of.Value):
                a = cast("of.Value", z.kind)  # type: ignore[redundant-cast]
            else:
                x = alt
        elif c.op == "setcar" or c.op == "setcdr":
            first, alt = c.op == "setcar", cast(of.Code, c.alt)
            t = yield read(s)
            s = t.next
            z = yield read(t.value)
            if z.kind == "pair":
                if first:
                    yield write(z, first=a)
                else:
                    yield write(z, second=a)
            else:
                x, a = alt, z
        elif c.op == "asnumber" or c.op == "aschar":
            number, alt = c.op == "asnumber", cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind == "char" and number:
                a = yield new(of.Value, kind="number", first=cast(of.Digit, z.first))
            elif z.kind == "number" and not number:
                a = yield new(of.Value, kind="char", first=cast(of.Digit, z.first))
            else:
                x = alt
        elif c.op == "tenth":  # a pair of the last digit in base ten, as a character, and the number without it
            decimals = cast(of.Decimals, c.arg)
            z = yield read(a)
            found: of.Tenth = yield tenth(cast(of.Digit, z.first))
            q = yield read(found)
            rest = q.rest
            a = yield new(of.Value, kind="number", first=q.quotient)
            names = yield read(decimals)
            for name in ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"):
                if rest == DECIMALS[name]:
                    a = yield new(of.Value, kind="pair", first=getattr(names, name), second=a)
        elif c.op == "fresh":
            yield Send("fresh")
        elif c.op == "trail":
            f = yield read(k)
            while f.next != f:
                yield At(f.code)
                f = yield read(f.next)
        elif c.op == "put":
            alt = cast(of.Code, c.alt)
            z = yield read(a)
            if z.kind == "char":
                yield put(cast(of.Digit, z.first))
            else:
                x = alt
        else:
            return


@procedure
def put(d: of.Digit) -> Steps[None]:
    """Print a character."""
    z = yield read(d)
    while not z.last:
        yield Send(SIGNS[z.digit])
        z = yield read(z.rest)
    yield Send("end")
