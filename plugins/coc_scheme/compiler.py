"""A program as records of the machine. Code is made from its end, so that each operation knows the next."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen

from coc_programs import Record
from coc_scheme import records as of
from coc_scheme.expander import Core, Expander, Sort, Variable
from coc_scheme.prelude import INLINE, definition, prelude, program_scope
from coc_scheme.reader import Char, Form, Symbol, Vector, deep, read_program

ARITHMETIC = {"add", "sub", "mul", "quo", "rem"}
COMPARED = {"<": ("less", True), ">": ("more", True), "<=": ("more", False), ">=": ("less", False), "=": ("same", True)}
NO_NUMBER = "not a number"
WRONG = {**dict.fromkeys(("add", "sub", "mul", "<", ">", "<=", ">=", "="), NO_NUMBER),
    "quo": "no number, or a division by zero", "rem": "no number, or a division by zero", "asnumber": "not a character",
    "aschar": "not a number", "put": "not a character", "call": "%call", "block": "not a length", "car": "car of no pair",
    "cdr": "cdr of no pair", "setcar": "set-car! of no pair", "setcdr": "set-cdr! of no pair",
    "sort": "not a block",
}  # fmt: skip
TELLING = {"error", "raise", "raise-continuable"}
"""Procedures that are told the line on which they are called."""

_OUTPUT = {"display", "write", "write-char", "write-string", "newline", "write-shared", "write-simple"}

@frozen
class Parts:
    """The forms of a program in the core, each with the variable that it defines, or None.

    Attributes:
        known: The variables that are procedures throughout.
    """

    each: Sequence[tuple[Variable | None, Core]]
    known: frozenset[Variable]

    @classmethod
    def of(cls, text: str) -> "Parts":
        """Expand a program; SchemeError if it is none."""
        forms = read_program(text)
        names = mentioned(forms)
        scope = program_scope(names)
        parts = Expander(scope, prelude()[0]).program(forms)
        if parts and parts[-1][0] is None and not _OUTPUT & names:
            answer, write = (("ref", each) for each in (prelude()[0].names["%answer"], scope.find("write")))
            parts[-1] = (None, ("call", answer, [write, parts[-1][1]], 0))
        return cls(parts, frozenset(safe(parts)))


def complaint(operation: str, sort: Any) -> str:
    """Return what is wrong where an operation can't be done; empty if it always can."""
    name = sort.name if isinstance(sort, Sort) else str(sort)
    if operation in ("ref", "set"):
        return f"no {name}, or no such element"
    return f"not a {name}" if operation == "length" else WRONG.get(operation, "")


Places = Sequence[Any]  # scopes, the inmost first: lists of variables, and mappings of procedures that are known


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
def compiled(parts: "Parts") -> Program:
    """Return a program as records."""
    return Compiler().program(parts)


class Compiler:
    """Makes records of one program."""

    def __init__(self) -> None:
        self.records, self.lines = list[Record](), dict[int, int]()
        self._line, self._known = 0, dict[Any, Any]()
        self.zero = self.make(of.Digit, digit=0, last=True, rest=None)
        self.minus = self.make(of.Digit, digit=3, last=True, rest=self.zero)
        self.zero.rest = self.minus
        self.nil, self.true, self.false, self.void = (self.make(of.Value, kind="word") for _ in range(4))
        self.halt, self.back = self.code("halt"), self.code("return")
        self.bottom = self.make(of.Cell, value=self.void, next=None)
        self.bottom.next = self.bottom
        self.base = self.make(of.Env, cells=self.bottom, up=None)
        self.base.up = self.base
        self.last = self.make(of.Frame, code=self.halt, env=self.base, stack=self.bottom, next=None)
        self.last.next = self.last
        self.counts = [self.make(of.Count)]
        self._pending = list[tuple[Record, Core]]()
        self._throughout = frozenset[Variable]()
        self._symbols = list[Record]()

    def make(self, kind: type[Record], /, **fields: Any) -> Any:
        """Return a new record."""
        self.records.append(kind(**fields))
        return self.records[-1]

    def code(self, op: str, next: Any = None, arg: Any = None, alt: Any = None) -> Any:
        """Return new code, for the line that is being compiled."""
        made = self.make(of.Code, op=op, next=next, arg=arg, alt=alt)
        if self._line:
            self.lines[len(self.records)] = self._line
        return made

    def once(self, make: Callable[..., Any], *key: Any) -> Any:
        """Return what a function makes of some arguments, made once."""
        if (make, *key) not in self._known:
            self._known[make, *key] = make(*key)
        return self._known[make, *key]

    # ── data ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def digits(self, number: int) -> Any:
        """Return the first digit of a number."""
        digits = list[int]()
        while number not in (0, -1):
            digits.append(number % 4)
            number //= 4
        rest = self.minus if number else self.zero
        for digit in reversed(digits):
            rest = self.make(of.Digit, digit=digit, rest=rest)
        return rest

    def number(self, number: int) -> Any:
        """Return a number as a value."""
        return self.make(of.Value, kind="number", first=self.digits(number))

    def char(self, char: str) -> Any:
        """Return a character as a value."""
        return self.make(of.Value, kind="char", first=self.digits(ord(char)))

    def pair(self, first: Any, second: Any) -> Any:
        """Return a pair."""
        return self.make(of.Value, kind="pair", first=first, second=second)

    def sort(self, sort: Any) -> Any:
        """Return what blocks of a sort have as their kind: a pair with its name."""
        named = sort.name if isinstance(sort, Sort) else str(sort)
        return self.pair(self.nil if named == "string" else self.text(named), self.nil)

    def text(self, text: str) -> Any:
        """Return a string."""
        return self.block("string", [self.once(self.char, each) for each in text])

    def symbol(self, name: str) -> Any:
        """Return a symbol."""
        self._symbols.append(self.block("symbol", [self.text(name)]))
        return self._symbols[-1]

    def block(self, sort: Any, items: Sequence[Any]) -> Any:
        """Return a string, a vector or the like."""
        fill = items[0] if items else self.void
        about = self.make(of.About, length=self.digits(len(items)), fill=fill)
        root = self.make(of.Node, item=fill) if items else None
        for index, item in enumerate(items):
            node, rest = root, index
            while rest:
                way, rest = "abcd"[rest % 4], rest // 4
                if getattr(node, way) is None:
                    setattr(node, way, self.make(of.Node, item=fill))
                node = getattr(node, way)
            node.item = item
        return self.make(of.Value, kind=self.once(self.sort, sort), first=root, second=about)

    def datum(self, x: Any) -> Any:
        """Return a datum of a program as a value."""
        match x:
            case bool():
                return self.true if x else self.false
            case int():
                return self.once(self.number, x)
            case None:
                return self.void
            case Char():
                return self.once(self.char, str(x))
            case Symbol():
                return self.once(self.symbol, str(x))
            case str():
                return self.text(x)
            case Vector():
                return self.block("vector", [self.datum(each) for each in x])
            case bytes():
                return self.block("bytevector", [self.datum(each) for each in x])
            case Sort():
                return self.once(self.sort, x)
        end = self.nil if x.tail is None else self.datum(x.tail)
        for each in reversed(x):
            end = self.pair(self.datum(each), end)
        return end

    def count(self, number: int) -> Any:
        """Return a number of arguments."""
        while len(self.counts) <= number:
            self.counts.append(self.make(of.Count, less=self.counts[-1]))
            self.counts[-2].more = self.counts[-1]
        return self.counts[number]

    def path(self, up: int, over: int) -> Any:
        """Return the way to a variable."""
        if not (up or over):
            return self.make(of.Path, way="here")
        rest = self.once(self.path, max(up - 1, 0), over if up else over - 1)
        return self.make(of.Path, way="up" if up else "over", next=rest)

    def decimals(self) -> Any:
        """Return the characters from 0 to 9."""
        return self.make(of.Decimals, **{f"c{digit}": self.once(self.char, str(digit)) for digit in range(10)})

    # ── variables ─────────────────────────────────────────────────────────────────────────────────────────────────

    def variable(self, variable: Variable, scope: Places, next: Any) -> Any:
        """Return code that fetches a variable."""
        if not variable.top:
            up, over = self.find(variable, scope)
            if up < 8 and over < (4 if up < 4 else 2):
                pushes = next.op == "push"
                way = f"{'push' if pushes else 'var'}{'abcdefgh'[up]}{'abcd'[over]}"
                return self.code(way, next.next if pushes else next)
            return self.code("far", next, self.once(self.path, up, over))
        if self.procedure(variable) is not None:
            return self.const(self.once(self.closure, variable), next)
        unbound = self.code("const", self.fault("unbound variable"), self.datum(Symbol(variable.name)))
        return self.code("global", next, self.once(self.glob, variable), unbound)

    def find(self, variable: Variable, scope: Places) -> tuple[int, Any]:
        """Return where a variable is: how many scopes up, and how far from its end; of a known procedure its code."""
        up = 0
        for each in scope:
            if variable in each:
                return (up, each[variable]) if isinstance(each, dict) else (up, len(each) - 1 - each.index(variable))
            up += not isinstance(each, dict)
        raise AssertionError(variable)

    def procedure(self, variable: Variable) -> Core | None:
        """Return what a variable of the top level is defined as if it is the same procedure throughout; else None."""
        value = variable.value if variable in self._throughout else definition(variable)
        return value if value is not None and value[0] == "lambda" and not variable.sets else None

    def closure(self, variable: Variable) -> Any:
        """Return a procedure of the top level as a value, whose code will be made."""
        made = self.make(of.Value, kind="closure", first=None, second=self.base)
        self._pending.append((made, self.procedure(variable)))
        return made

    def entry(self, variable: Variable) -> Any:
        """Return the code that a call of a procedure of the top level jumps to."""
        closure, line, self._line = self.once(self.closure, variable), self._line, 0
        made = self.code("goto", arg=self.base, alt=self.bottom)
        self._pending.append((made, closure))
        self._line = line
        return made

    def glob(self, variable: Variable) -> Any:
        """Return a variable of the top level; one of the prelude has its value."""
        value = definition(variable)
        return self.make(of.Global, value=self.datum(value[1]) if value and value[0] == "const" else None)

    # ── code ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def const(self, value: Any, next: Any) -> Any:
        """Return code for a constant."""
        return self.code("pushconst", next.next, value) if next.op == "push" else self.code("const", next, value)

    def fault(self, message: str) -> Any:
        """Return the code that raises an error for the value at hand, on the line that is being compiled."""
        return self.once(self._fault, message, self._line)

    def _fault(self, message: str, line: int) -> Any:
        names = prelude()[0].names
        code = self.once(self.entry, names[Symbol("%fault")])
        for each in (line, Symbol(message) if message[0] == "%" else message):
            code = self.code("pushconst", code, self.datum(each))
        return self.code("push", code)

    def value(self, x: Core, scope: Places, next: Any) -> Any:
        """Return code that puts the value of a form at hand, then goes on."""
        match x:
            case ("const", datum):
                return self.const(self.datum(datum), next)
            case ("ref", variable):
                return self.variable(variable, scope, next)
            case ("set", variable, value):
                code = self.const(self.void, next)
                if variable.top:
                    return self.value(value, scope, self.code("define", code, self.once(self.glob, variable)))
                return self.value(value, scope, self.code("assign", code, self.once(self.path, *self.find(variable, scope))))
            case ("if", test, yes, no):
                return self.test(test, scope, self.value(yes, scope, next), self.value(no, scope, next))
            case ("or", one, other):
                code = self.code("push", next.next) if next.op == "push" else next
                return self.value(one, scope, self.code("branch", code, self.false, self.value(other, scope, next)))
            case ("seq", forms):
                for each in reversed(forms):
                    next = self.value(each, scope, next)
                return next
            case ("lambda", variables, rest, body):
                return self.code("close", next, self.lambda_(variables, rest, body, scope))
            case ("letrec", variables, values, body):
                return self.letrec(variables, values, body, scope, next)
            case ("test", *_):
                return self.test(x, scope, self.const(self.true, next), self.const(self.false, next))
            case ("prim", operation, sort, given, line):
                return self.at(line, self.operation, operation, sort, given, scope, next)
            case ("call", procedure, given, line):
                return self.at(line, self.call, procedure, given, scope, next)
        raise AssertionError(x)

    def at(self, line: int, make: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function makes while code is for a line."""
        before, self._line = self._line, line or self._line
        try:
            return make(*arguments)
        finally:
            self._line = before

    def operation(self, operation: str, sort: Any, given: Sequence[Core], scope: Places, next: Any) -> Any:
        """Return the code of an operation with its operands."""
        if operation == "halt":
            return self.halt
        if operation in ARITHMETIC:
            return self.arithmetic(operation, given, scope, next, None)
        if operation == "apply":
            code = self.code("apply", None, self.count(0), self.fault("%call"))
            return self.framed(self.values(given, scope, code), next)
        arg = self.once(self.sort, sort) if sort else self.once(self.decimals) if operation == "tenth" else None
        message = complaint(operation, sort)
        if operation == "set":
            next = self.const(self.void, next)
        return self.values(given, scope, self.code(operation, next, arg, self.fault(message) if message else None))

    def values(self, given: Sequence[Core], scope: Places, next: Any) -> Any:
        """Return code that makes operands of some values, and leaves the last at hand."""
        return self.pushed(given[:-1], scope, self.value(given[-1], scope, next)) if given else next

    def pushed(self, given: Sequence[Core], scope: Places, next: Any) -> Any:
        """Return code that makes operands of some values."""
        for each in reversed(given):
            next = self.value(each, scope, self.code("push", next))
        return next

    def framed(self, code: Any, next: Any) -> Any:
        """Return code that comes back to the next, unless that is the end of a procedure."""
        return code if next is self.back else self.code("frame", code, self.bottom, next)

    def arithmetic(self, what: str, given: Sequence[Core], scope: Places, yes: Any, no: Any) -> Any:
        """Return the code of an operation with two numbers."""
        fault, constant = self.fault(complaint(what, None) or NO_NUMBER), given[1][0] == "const" and type(given[1][1]) is int
        right = self.once(self.number, given[1][1]).first if constant else None
        how = self.make(of.Arith, what=what, right=right, yes=yes, no=no)
        code = self.code("withconst" if constant else "numeric", None, how, fault)
        return self.values(given[:1] if constant else given, scope, code)

    def call(self, procedure: Core, given: Sequence[Core], scope: Places, next: Any) -> Any:
        """Return the code of a call."""
        match procedure:
            case ("lambda", variables, None, body) if len(variables) == len(given):
                code = self.value(body, [variables, *scope], self.back)
                return self.framed(self.pushed(given, scope, self.code("enter", code, self.bottom)), next)
            case ("ref", variable):
                names = prelude()[0].names
                if self._line and variable is names.get(variable.name) and variable.name in TELLING:
                    variable, given = names[f"%{variable.name}-at"], [("const", self._line), *given]
                    procedure = ("ref", variable)
                code = self.known(variable, len(given), scope)
            case _:
                code = None
        if code is None:
            code = self.code("call", None, self.count(len(given)), self.fault("%call"))
            code = self.value(procedure, scope, code)
        return self.framed(self.pushed(given, scope, code), next)

    def known(self, variable: Variable, count: int, scope: Places) -> Any:
        """Return the code of a call of a procedure that is known, after its arguments; None if it is not."""
        if variable.top:
            value = self.procedure(variable)
            return self.once(self.entry, variable) if value and value[2] is None and len(value[1]) == count else None
        up, code = self.find(variable, scope)
        if isinstance(code, int):
            return None
        while up:
            code = self.code(f"leave{'abcdefgh'[min(up, 8) - 1]}", code)
            up -= min(up, 8)
        return code

    def test(self, x: Core, scope: Places, yes: Any, no: Any) -> Any:
        """Return code that goes one of two ways."""
        match x:
            case ("const", datum):
                return no if datum is False else yes
            case ("if", test, one, other):
                return self.test(test, scope, self.test(one, scope, yes, no), self.test(other, scope, yes, no))
            case ("or", one, other):
                return self.test(one, scope, yes, self.test(other, scope, yes, no))
            case ("test", operation, sort, given, line):
                return self.at(line, self._test, operation, sort, given, scope, yes, no)
        return self.value(x, scope, self.code("branch", yes, self.false, no))

    def _test(self, operation: str, sort: Any, given: Sequence[Core], scope: Places, yes: Any, no: Any) -> Any:
        if operation == "not":
            return self.test(given[0], scope, no, yes)
        if operation == "null":
            return self.value(given[0], scope, self.code("branch", no, self.nil, yes))
        if operation in COMPARED:
            what, straight = COMPARED[operation]
            return self.arithmetic(what, given, scope, *((yes, no) if straight else (no, yes)))
        if operation == "ifeqv" and given[1][0] == "const" and isinstance(given[1][1], Symbol | bool | None):
            return self.value(given[0], scope, self.code("branch", no, self.datum(given[1][1]), yes))
        return self.values(given, scope, self.code(operation, yes, self.once(self.sort, sort) if sort else None, no))

    def lambda_(self, variables: Sequence[Variable], rest: Variable | None, body: Core, scope: Places) -> Any:
        """Return a procedure without its variables."""
        code = self.value(body, [[*variables, *([rest] if rest else [])], *scope], self.back)
        return self.make(
            of.Lambda, count=self.count(len(variables)), rest=self.nil if rest else None, body=code, bottom=self.bottom
        )

    def letrec(self, variables: Sequence[Variable], values: Sequence[Core], body: Core, scope: Places, next: Any) -> Any:
        """Return the code of definitions for each other. A procedure that is only called needs no variable."""
        pairs = [*zip(variables, values, strict=True)]
        jumps = {
            variable: self.code("enter", None, self.bottom)
            for variable, value in pairs
            if value[0] == "lambda" and value[2] is None and not variable.values and not variable.sets
            and variable.calls <= {len(value[1])}
        }  # fmt: skip
        others = [pair for pair in pairs if pair[0] not in jumps]
        inner: Places = [variable for variable, _ in others], *scope
        inner = ([jumps, *inner] if others else [jumps, *scope]) if jumps else inner
        for variable, value in pairs:
            if variable in jumps:
                jumps[variable].next = self.value(value[3], [value[1], *inner], self.back)
        code = self.value(body, inner, self.back)
        for variable, value in reversed(others):
            code = self.value(value, inner, self.code("assign", code, self.once(self.path, *self.find(variable, inner))))
        if others:
            code = self.code("enter", code, self.bottom)
            for _ in others:
                code = self.const(self.void, self.code("push", code))
        return self.framed(code, next)

    def program(self, parts: Parts) -> Program:
        """Return a program as records."""
        self._throughout = parts.known
        code = self.halt
        for variable, x in reversed(parts.each):
            if variable is None:
                code = self.value(x, [], code)
            elif variable not in self._throughout:
                code = self.value(x, [], self.code("define", code, self.once(self.glob, variable)))
        while self._pending:
            made, x = self._pending.pop()
            if isinstance(x, tuple):
                made.first = self.lambda_(*x[1:], [])
            elif x.first is None:
                self._pending.insert(0, (made, x))
            else:
                made.next = x.first.body
        symbols = prelude()[0].names[Symbol("%symbols")]
        if (self.glob, symbols) in self._known:
            for each in self._symbols:
                self._known[self.glob, symbols].value = self.pair(each, self._known[self.glob, symbols].value)
        return Program((code, self.void, self.base, self.bottom, self.last), self.records, self.lines)


def mentioned(x: Any) -> set[Any]:
    """Return the symbols in a datum."""
    if isinstance(x, list):
        return set().union(*map(mentioned, x), mentioned(getattr(x, "tail", None)))
    return {x} if isinstance(x, Symbol) else set()


def safe(parts: Sequence[tuple[Variable | None, Core]]) -> set[Variable]:
    """Return the variables that are procedures throughout: no form before their definition can come to them."""
    found = {variable: x for variable, x in parts if variable is not None and x[0] == "lambda" and not variable.sets}
    for variable, x in found.items():
        variable.value = x
    seen = set[Variable]()

    def reach(x: Any) -> None:
        queue = [x]
        while queue:
            x = queue.pop()
            if isinstance(x, Variable):
                if x in found and x not in seen:
                    seen.add(x)
                    queue.append(found[x])
            elif isinstance(x, tuple | list):
                queue.extend(x)

    early, defined = set[Variable](), set[Variable]()
    for variable, x in parts:
        if variable in found:
            defined.add(variable)
        else:
            reach(x)
            early |= seen - defined
    return {*found} - early
