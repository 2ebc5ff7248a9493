"""One record of each kind that a program can have: all prompts follow from these, whatever the program."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from coc_programs import Call, Record
from coc_scheme import records as of
from coc_scheme.host.compiler import Compiler
from coc_scheme.machine import run


def every_kind() -> Iterator[Call | Record]:
    """Yield a call of the machine, and one record of each kind."""
    made = Compiler()
    x, v, cell, env, frame = made.halt, made.void, made.bottom, made.base, made.last
    digit, node = made.zero, of.Node(item=made.void)
    yield run(x, v, env, cell, frame)
    yield from (of.Digit(digit=each, rest=digit) for each in range(4))
    yield from (made.number(0), made.char("a"), made.pair(v, v), made.text(""), made.text("a"), made.decimals())
    yield from (of.Global(), of.Global(value=v))
    yield of.Path(way="up", next=made.path(0, 0))
    yield from (of.Path(way="over", next=made.path(0, 0)), made.path(0, 0))
    yield of.Value(kind="closure", first=made.procedure([], None, ("const", 0), []), second=env)
    for rest in (None, v):
        yield of.Lambda(count=made.count(0), rest=rest, body=x, bottom=cell)
    for children in product((None, node), repeat=4):
        yield of.Node(item=v, **dict(zip("abcd", children, strict=True)))
    for less, more in product((None, made.count(0)), repeat=2):
        yield of.Count(less=less, more=more)
    for what, right in product(list[Any](of.ON_DIGITS), (None, digit)):
        yield of.Arith(what=what, right=right, yes=x, no=x if what in ("less", "more", "same") else None)
    operands: dict[str, Any] = {
        "V": v, "G": of.Global(), "P": made.path(0, 0), "L": of.Lambda(count=made.count(0), body=x, bottom=cell),
        "C": cell, "E": env, "T": made.count(0), "W": of.Arith(what="add", yes=x), "I": made.decimals(),
    }  # fmt: skip
    for op, shape in of.OPERATIONS.items():
        alt = x if shape.endswith("-") else cell if shape.endswith("+C") else None
        yield of.Code(op=op, arg=operands.get(shape[:1]), next=x if "+" in shape else None, alt=alt)
    yield of.Frame(code=x, env=env, stack=cell, next=frame)
    yield from made.records
