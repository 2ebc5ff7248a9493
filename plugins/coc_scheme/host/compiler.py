"""A program as records of the machine. Code is made from its end, so that each operation knows the next."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import Factory, define

from coc_programs import Record
from coc_scheme import records as of
from coc_scheme.host.core import Core, Variable
from coc_scheme.host.data import Data, Places
from coc_scheme.host.prelude import Parts, definition, given as known_as, inside
from coc_scheme.host.reader import Form, Symbol, deep

ARITHMETIC = {"add", "sub", "mul", "quo", "rem"}
TESTS = {"ifpair", "ifnumber", "ifchar", "ifprocedure", "ifsort", "ifeqv", "less", "more", "same"}
CALLING = {"apply", "call/cc", "call-with-current-continuation", "call-with-values", "dynamic-wind", "force", "%guard"}
"""Procedures of the prelude whose last call may be of one of the program: so they leave nothing behind."""


@define
class Program:
    """A program as records.

    Attributes:
        arguments: The arguments of `run`.
        records: All records.
        lines: The line of the program of each code record that has one, by the record's number.
    """

    arguments: tuple[Any, ...]
    records: list[Record]
    lines: dict[int, int] = Factory(dict)


@deep(100_000)
def compiled(parts: Parts) -> Program:
    """Return a program as records."""
    return Compiler().program(parts)


class Compiler(Data):
    """Makes records of one program."""

    def __init__(self) -> None:
        super().__init__()
        self._later, self._entries = list[tuple[Any, Any]](), list[tuple[Any, Any]]()
        self._throughout = dict[Variable, Core]()

    # ── variables ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _variable(self, variable: Variable, scope: Places, next: Any) -> Any:
        if not variable.top:
            up, over = self._find(variable, scope)
            if up < 8 and over < (4 if up < 4 else 2):
                pushes = next.op == "push"
                way = f"{'push' if pushes else 'var'}{'abcdefgh'[up]}{'abcd'[over]}"
                return self.code(way, next.next if pushes else next)
            return self.code("far", next, self.path(up, over))
        if self._fixed(variable) is not None:
            return self._const(self.once(self._closure, variable), next)
        unbound = self.code("const", self.fault("unbound variable:"), self.datum(Symbol(variable.name)))
        return self.code("global", next, self.once(self._glob, variable), unbound)

    def _find(self, variable: Variable, scope: Places) -> tuple[int, Any]:
        up = 0
        for each in scope:
            if variable in each:
                return (up, each[variable]) if isinstance(each, dict) else (up, len(each) - 1 - each.index(variable))
            up += not isinstance(each, dict)
        raise AssertionError(variable)

    def _fixed(self, variable: Variable) -> Core | None:
        value = self._throughout.get(variable) or definition(variable)
        return value if value is not None and value[0] == "lambda" and not variable.sets else None

    def _closure(self, variable: Variable) -> Any:
        made = self.make(of.Value, kind="closure", first=None, second=self.base)
        self._later.append((made, self._fixed(variable)))
        return made

    def _entry(self, variable: Variable) -> Any:
        made = self.make(of.Code, op="goto", arg=self.base, alt=self.bottom)
        self._entries.append((made, self.once(self._closure, variable)))
        return made

    def _glob(self, variable: Variable) -> Any:
        value = definition(variable)
        return self.make(of.Global, value=self.datum(value[1]) if value and value[0] == "const" else None)

    # ── code ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _const(self, value: Any, next: Any) -> Any:
        return self.code("pushconst", next.next, value) if next.op == "push" else self.code("const", next, value)

    def fault(self, message: str) -> Any:
        """Return the code that raises an error for the value at hand, on the line that is being compiled."""
        return self.once(self._fault, message, max(self.line, 0))

    def _fault(self, message: str, line: int) -> Any:
        code = self.once(self._entry, known_as("%fault"))
        told = self.datum(Symbol(message)) if message[0] == "%" else self.once(self.text, message)
        for each in (self.datum(line), told):
            code = self.code("pushconst", code, each)
        if message[-1] == ":" or message[0] == "%":
            return self.code("push", code)
        return self.code("pushconst", code, self.void)

    def value(self, x: Core, scope: Places, next: Any) -> Any:
        """Return code that puts the value of a form at hand, then goes on."""
        return self._at(x, scope, self._value, next)

    def _at(self, x: Core, scope: Places, make: Callable[..., Any], *following: Any) -> Any:
        """Make code for a form on its line."""
        before = self.line
        self.line = (x[0] in ("op", "call") and x[-1]) or self.line
        made = make(x, scope, *following)
        self.line = before
        return made

    def _value(self, x: Core, scope: Places, next: Any) -> Any:
        match x:
            case ("const", datum):
                return self._const(self.datum(datum), next)
            case ("ref", variable):
                return self._variable(variable, scope, next)
            case ("set", variable, value):
                code = self._const(self.void, next)
                if variable.top:
                    return self.value(value, scope, self.code("define", code, self.once(self._glob, variable)))
                path = self.path(*self._find(variable, scope))
                return self.value(value, scope, self.code("assign", code, path))
            case ("if", test, yes, no):
                return self._decide(test, scope, self.value(yes, scope, next), self.value(no, scope, next))
            case ("or", one, other):
                code = self.code("push", next.next) if next.op == "push" else next
                return self.value(one, scope, self.code("branch", code, self.false, self.value(other, scope, next)))
            case ("seq", forms):
                for each in reversed(forms):
                    next = self.value(each, scope, next)
                return next
            case ("lambda", variables, rest, body):
                return self.code("close", next, self.procedure(variables, rest, body, scope))
            case ("letrec", variables, values, body):
                return self._letrec([*zip(variables, values, strict=True)], body, scope, next)
            case ("op", operation, *_) if operation in TESTS:
                return self._decide(x, scope, self._const(self.true, next), self._const(self.false, next))
            case ("op", *_):
                return self._operation(x, scope, next)
        return self._call(x, scope, next)

    def _operation(self, x: Core, scope: Places, next: Any) -> Any:
        _, operation, sort, message, given, _ = x
        if operation == "halt":
            return self.halt
        if operation in ARITHMETIC:
            return self._arithmetic(x, scope, next, None)
        if operation == "apply":
            code = self.code("apply", None, self.count(0), self.fault(message))
            return self._framed(self._values(given, scope, code), next)
        arg = self.once(self.sort, sort) if sort else self.once(self.decimals) if operation == "tenth" else None
        if operation == "set":
            next = self._const(self.void, next)
        return self._values(given, scope, self.code(operation, next, arg, self.fault(message) if message else None))

    def _values(self, given: Sequence[Core], scope: Places, next: Any) -> Any:
        return self._pushed(given[:-1], scope, self.value(given[-1], scope, next)) if given else next

    def _pushed(self, given: Sequence[Core], scope: Places, next: Any) -> Any:
        for each in reversed(given):
            next = self.value(each, scope, self.code("push", next))
        return next

    def _framed(self, code: Any, next: Any) -> Any:
        if next is self.back:
            return code
        if self.line > 0:
            self.lines.setdefault(next.number, self.line)
        return self.code("frame", code, self.bottom, next)

    def _arithmetic(self, x: Core, scope: Places, yes: Any, no: Any) -> Any:
        _, what, _, message, given, _ = x
        constant = given[1][0] == "const" and type(given[1][1]) is int
        right = self.digits(given[1][1]) if constant else None
        how = self.make(of.Arith, what=what, right=right, yes=yes, no=no)
        code = self.code("withconst" if constant else "numeric", None, how, self.fault(message))
        return self._values(given[:1] if constant else given, scope, code)

    def _call(self, x: Core, scope: Places, next: Any) -> Any:
        _, procedure, given, _ = x
        code = None
        match procedure:
            case ("lambda", variables, None, body) if len(variables) == len(given):
                code = self.code("enter", self.value(body, [variables, *scope], self.back), self.bottom)
            case ("ref", variable):
                code = self._jump(variable, len(given), scope)
                if next is self.back and self.line > 0 and definition(variable) and variable.name not in CALLING:
                    next = self.code("return")  # so that an error in it finds the line
        if code is None:
            code = self.code("call", None, self.count(len(given)), self.fault("%call"))
            code = self.value(procedure, scope, code)
        return self._framed(self._pushed(given, scope, code), next)

    def _jump(self, variable: Variable, count: int, scope: Places) -> Any:
        if variable.top:
            value = self._fixed(variable)
            return self.once(self._entry, variable) if value and value[2] is None and len(value[1]) == count else None
        up, code = self._find(variable, scope)
        if isinstance(code, int):
            return None
        while up:
            code = self.code(f"leave{'abcdefgh'[min(up, 8) - 1]}", code)
            up -= min(up, 8)
        return code

    def _decide(self, x: Core, scope: Places, yes: Any, no: Any) -> Any:
        match x:
            case ("const", datum):
                return no if datum is False else yes
            case ("if", test, one, other):
                return self._decide(test, scope, self._decide(one, scope, yes, no), self._decide(other, scope, yes, no))
            case ("or", one, other):
                return self._decide(one, scope, yes, self._decide(other, scope, yes, no))
            case ("op", operation, *_) if operation in TESTS:
                return self._at(x, scope, self._test, yes, no)
        return self.value(x, scope, self.code("branch", yes, self.false, no))

    def _test(self, x: Core, scope: Places, yes: Any, no: Any) -> Any:
        match x:
            case ("op", "less" | "more" | "same", *_):
                return self._arithmetic(x, scope, yes, no)
            case ("op", "ifeqv", _, _, [one, ("const", datum)], _) if isinstance(datum, Symbol | bool | None) or (
                type(datum) is Form and not datum
            ):  # each of these is one record wherever it stands
                return self.value(one, scope, self.code("branch", no, self.datum(datum), yes))
        _, operation, sort, _, given, _ = x
        arg = self.once(self.sort, sort) if sort else None
        return self._values(given, scope, self.code(operation, yes, arg, no))

    def procedure(self, variables: Sequence[Variable], rest: Variable | None, body: Core, scope: Places) -> Any:
        """Return a procedure without its variables."""
        code = self.value(body, [[*variables, *([rest] if rest else [])], *scope], self.back)
        return self.make(
            of.Lambda, count=self.count(len(variables)), rest=self.nil if rest else None, body=code, bottom=self.bottom
        )

    def _letrec(self, pairs: Sequence[tuple[Variable, Core]], body: Core, scope: Places, next: Any) -> Any:
        parts = [part for part in inside([*pairs, body]) if isinstance(part, tuple)]
        uses = Counter(part[1] for part in parts if part[0] == "ref")
        calls = Counter((part[1][1], len(part[2])) for part in parts if part[0] == "call" and part[1][0] == "ref")
        jumps = {  # procedures that are called and not used otherwise
            variable: self.code("enter", None, self.bottom)
            for variable, value in pairs
            if value[0] == "lambda" and value[2] is None and not variable.sets
            and uses[variable] == calls[variable, len(value[1])]
        }  # fmt: skip
        others = [pair for pair in pairs if pair[0] not in jumps]
        inner: Places = [variable for variable, _ in others], *scope
        inner = ([jumps, *inner] if others else [jumps, *scope]) if jumps else inner
        for variable, value in pairs:
            if variable in jumps:
                jumps[variable].next = self.value(value[3], [value[1], *inner], self.back)
        code = self.value(body, inner, self.back)
        for variable, value in reversed(others):
            path = self.path(*self._find(variable, inner))
            code = self.value(value, inner, self.code("assign", code, path))
        if others:
            code = self.code("enter", code, self.bottom)
            for _ in others:
                code = self._const(self.void, self.code("push", code))
        return self._framed(code, next)

    def program(self, parts: Parts) -> Program:
        """Return a program as records."""
        self._throughout = _procedures(parts)
        code = self.halt
        for variable, x in reversed(parts):
            if variable is None:
                code = self.value(x, [], code)
            elif variable not in self._throughout:
                code = self.value(x, [], self.code("define", code, self.once(self._glob, variable)))
        while self._later:
            made, (_, variables, rest, body) = self._later.pop()
            made.first = self.procedure(variables, rest, body, [])
        for made, closure in self._entries:
            made.next = closure.first.body
        symbols = known_as("%symbols")
        if (self._glob, symbols) in self.known:
            for each in self.symbols:
                self.known[self._glob, symbols].value = self.pair(each, self.known[self._glob, symbols].value)
        return Program((code, self.void, self.base, self.bottom, self.last), self.records, self.lines)


def _procedures(parts: Parts) -> dict[Variable, Core]:
    """Return the variables that are procedures throughout: no form before their definition can come to them."""
    found = {variable: x for variable, x in parts if variable is not None and x[0] == "lambda" and not variable.sets}
    reached, defined, early = set[Any](), set[Variable](), set[Variable]()
    for variable, x in parts:
        if variable in found:
            defined.add(variable)
            continue
        queue = [x]
        for each in queue:
            new = {part for part in inside(each) if isinstance(part, Variable) and part in found} - reached
            reached |= new
            queue += [found[part] for part in new]
        early |= reached - defined
    return {variable: x for variable, x in found.items() if variable not in early}
