"""The reference: the core evaluated by Python functions, with Python's numbers and lists, and no machine.

What a form becomes takes its variables and what to do with its value, and returns the next function to call with two
arguments. So nothing is deep, and a continuation is a function like any other.
"""

from collections.abc import Callable, Sequence
from operator import add, eq, floordiv, gt, lt, mod, mul, sub
from typing import Any

from attrs import define, frozen

from coc_scheme.host.core import Core, Variable
from coc_scheme.host.prelude import Parts, definition, given as known_as
from coc_scheme.host.reader import Char, Form, Symbol, Vector, deep

Bounce = tuple[Callable[[Any, Any], Any], Any, Any]
Then = Callable[[Any], Bounce]
Code = Callable[[Any, Then], Bounce]


@define(eq=False, slots=True)
class Pair:
    """A pair."""

    first: Any
    second: Any


@define(eq=False, slots=True)
class Block:
    """Elements, and what all blocks of a kind share."""

    sort: Any
    items: list[Any]


@frozen(eq=False, slots=True)
class Closure:
    """A procedure with its variables."""

    variables: Sequence[Variable]
    rest: Variable | None
    code: Callable[[Any, Any], Bounce]
    scope: Any


class _Halt(Exception):
    """The program has ended."""


class _Wrong(Exception):
    """An operation can't be done with a value."""


_NIL: Any = object()
_ON_NUMBERS: dict[str, Callable[[int, int], Any]] = {
    "add": add, "sub": sub, "mul": mul, "quo": floordiv, "rem": mod, "less": lt, "more": gt, "same": eq,
}  # fmt: skip


def evaluated(text: str, most: int) -> str | None:
    """Return what a program prints, but for the lines of its errors; None if it takes more than so many calls."""
    with deep(100_000):
        evaluator = _Evaluator(Parts.of(text))
        call: Bounce = evaluator.part, 0, None
        try:
            for _ in range(most):
                function, one, other = call
                call = function(one, other)
        except _Halt:
            return "".join(evaluator.printed)
    return None


def _deliver(then: Then, value: Any) -> Bounce:
    return then(value)


class _Evaluator:
    def __init__(self, parts: Parts) -> None:
        self.printed, self._parts = list[str](), parts
        self._top, self._symbols, self._codes = dict[Variable, Any](), dict[str, Block](), dict[int, Any]()
        for variable in parts.known:
            self._top[variable] = self.closure(variable.value, None)

    def part(self, place: int, _: Any) -> Bounce:
        """Begin with a form of the program."""
        if place == len(self._parts.each):
            raise _Halt
        variable, x = self._parts.each[place]

        def then(value: Any) -> Bounce:
            if variable is not None:
                self._top[variable] = value
            return self.part, place + 1, None

        return (self.part, place + 1, None) if variable in self._parts.known else (self.code(x), None, then)

    def code(self, x: Core) -> Code:
        """Return what a form of the core becomes."""
        if id(x) not in self._codes:
            self._codes[id(x)] = x, getattr(self, f"_{x[0]}")(*x[1:])
        return self._codes[id(x)][1]  # type: ignore[no-any-return]

    def closure(self, x: Core, scope: Any) -> Closure:
        """Return a procedure, whose body is looked at once it is called."""
        code: Any = None

        def later(variables: Any, then: Then) -> Bounce:
            nonlocal code
            code = code or self.code(x[3])
            return code(variables, then)  # type: ignore[no-any-return]

        return Closure(x[1], x[2], later, scope)

    def called(self, procedure: Any, given: Sequence[Any], line: int, then: Then) -> Bounce:
        """Enter a procedure."""
        if isinstance(procedure, Closure):
            variables, count = procedure.variables, len(procedure.variables)
            if len(given) == count or (len(given) > count and procedure.rest):
                scope: dict[Any, Any] = {None: then, **dict(zip(variables, given, strict=False))}
                if procedure.rest:
                    scope[procedure.rest] = _listed(given[count:], _NIL)
                return procedure.code, (scope, procedure.scope), then
        return self.fault(procedure, "%call", line, then)

    def fault(self, value: Any, message: str, line: int, then: Then) -> Bounce:
        """Raise the error of an operation for a value."""
        told = self.datum(Symbol(message) if message[0] == "%" else message)
        given = value if message[0] == "%" or message[-1] == ":" else None, told, max(line, 0)
        return self.called(self.value(known_as("%fault")), given, line, then)

    def value(self, variable: Variable) -> Any:
        """Return the value of a variable of the top level; KeyError if it has none."""
        if variable not in self._top and (x := definition(variable)) is not None:
            self._top[variable] = self.closure(x, None) if x[0] == "lambda" else self.datum(x[1])
        return self._top[variable]

    def datum(self, x: Any) -> Any:
        """Return a datum of the program as a value."""
        if isinstance(x, Symbol):
            if x not in self._symbols:
                made = self._symbols[x] = Block("symbol", [Block("string", [*map(Char, str(x))])])
                every = known_as("%symbols")
                self._top[every] = Pair(made, self._top.get(every, _NIL))
            return self._symbols[x]
        if isinstance(x, Char) or not isinstance(x, str | list | bytes):
            return x
        if isinstance(x, Form):
            return _listed(map(self.datum, x), _NIL if x.tail is None else self.datum(x.tail))
        items = map(Char, x) if isinstance(x, str) else map(self.datum, x)
        return Block("string" if isinstance(x, str) else "vector" if isinstance(x, Vector) else "bytevector", [*items])

    # ── forms of the core ─────────────────────────────────────────────────────────────────────────────────────────

    def _const(self, x: Any) -> Code:
        value = self.datum(x)
        return lambda scope, then: then(value)

    def _ref(self, variable: Variable) -> Code:
        def fetch(scope: Any, then: Then) -> Bounce:
            while scope is not None:
                if variable in scope[0]:
                    return then(scope[0][variable])
                scope = scope[1]
            try:
                value = self.value(variable)
            except KeyError:
                return self.fault(self.datum(Symbol(variable.name)), "unbound variable:", 0, then)
            return then(value)

        return fetch

    def _set(self, variable: Variable, x: Core) -> Code:
        code = self.code(x)

        def assign(scope: Any, then: Then) -> Bounce:
            def with_value(value: Any) -> Bounce:
                around = scope
                while around is not None and variable not in around[0]:
                    around = around[1]
                (self._top if around is None else around[0])[variable] = value
                return _deliver, then, None

            return code, scope, with_value

        return assign

    def _if(self, test: Core, yes: Core, no: Core) -> Code:
        decide, ways = self.code(test), (self.code(yes), self.code(no))
        return lambda scope, then: (decide, scope, lambda value: (ways[value is False], scope, then))

    def _or(self, one: Core, other: Core) -> Code:
        first, second = self.code(one), self.code(other)
        return lambda scope, then: (
            first, scope, lambda value: (second, scope, then) if value is False else (_deliver, then, value)
        )  # fmt: skip

    def _seq(self, forms: Sequence[Core]) -> Code:
        codes = [self.code(each) for each in forms]
        return lambda scope, then: self._each(codes, scope, lambda values: (_deliver, then, values[-1]), then)

    def _lambda(self, *x: Any) -> Code:
        return lambda scope, then: then(self.closure(("lambda", *x), scope))

    def _letrec(self, variables: Sequence[Variable], values: Sequence[Core], body: Core) -> Code:
        sets = [("set", variable, value) for variable, value in zip(variables, values, strict=True)]
        code = self._seq([*sets, body])
        return lambda scope, then: (code, (dict.fromkeys(variables), scope), then)

    def _call(self, procedure: Core, given: Sequence[Core], line: int) -> Code:
        codes = [self.code(each) for each in (*given, procedure)]
        return lambda scope, then: self._each(
            codes, scope, lambda values: self.called(values[-1], values[:-1], line, then)
        )

    def _op(self, operation: str, sort: Any, message: str, given: Sequence[Core], line: int) -> Code:
        codes = [self.code(each) for each in given]
        constant = len(given) == 2 and given[1][0] == "const" and type(given[1][1]) is int

        def with_values(values: tuple[Any, ...], scope: Any, then: Then) -> Bounce:
            match operation, values:
                case ("capture", _):  # what the procedure around returns to
                    return _deliver, then, scope[0][None]
                case ("throw", (where, value)):
                    return _deliver, where, value
                case ("apply", (procedure, items)):
                    return self.called(procedure, [*_unlisted(items)], line, then)
            try:
                return _deliver, then, self.operate(operation, sort, values, constant)
            except _Wrong as wrong:
                return self.fault(wrong.args[0], message, line, then)

        return lambda scope, then: self._each(codes, scope, lambda values: with_values(values, scope, then))

    def _each(
        self, codes: Sequence[Any], scope: Any, then: Callable[[tuple[Any, ...]], Bounce], last: Any = None
    ) -> Bounce:
        """Evaluate forms in order. The last is in the place of all if it is told what follows."""

        def at(place: int, done: tuple[Any, ...]) -> Bounce:
            if place == len(codes):
                return then(done)
            if last is not None and place == len(codes) - 1:
                return codes[place], scope, last
            return codes[place], scope, lambda value: at(place + 1, (*done, value))

        return at(0, ())

    def operate(self, operation: str, sort: Any, values: Sequence[Any], constant: bool) -> Any:
        """Return the value of an operation; _Wrong, with the value at fault, if it can't be done."""
        if operation in _ON_NUMBERS:
            one, other = values
            if type(one) is not int or type(other) is not int or (operation in ("quo", "rem") and other == 0):
                raise _Wrong(one if constant or type(one) is not int else other)
            return _ON_NUMBERS[operation](one, other)
        if operation in ("ref", "set", "length", "ifsort"):
            block, *others = values
            right = isinstance(block, Block) and block.sort == sort
            if operation == "ifsort":
                return right
            if operation == "length":
                return len(block.items) if right else _wrong(block)
            item, index = others if len(others) > 1 else (None, *others)
            if not right or type(index) is not int or not 0 <= index < len(block.items):
                raise _Wrong(index)
            if operation == "ref":
                return block.items[index]
            block.items[index] = item
        elif operation == "block":
            length, fill = values
            made = Block(sort, [fill] * length) if type(length) is int else _wrong(length)
            if sort == "symbol":
                self._symbols["".join(fill.items)] = made
            return made
        elif operation == "put":
            self.printed.append(values[0] if isinstance(values[0], Char) else _wrong(values[0]))
        elif operation == "fresh" and self.printed and self.printed[-1] != "\n":
            self.printed.append("\n")
        elif operation == "halt":
            raise _Halt
        return _OPERATIONS[operation](*values) if operation in _OPERATIONS else None


def _wrong(value: Any) -> Any:
    raise _Wrong(value)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other if type(one) in (int, Char) else one is other


def _name_of(block: Block) -> Pair:
    return Pair(Block("string", [*map(Char, getattr(block.sort, "name", block.sort))]), _NIL)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "cons": Pair,
    "car": lambda x: x.first if isinstance(x, Pair) else _wrong(x),
    "cdr": lambda x: x.second if isinstance(x, Pair) else _wrong(x),
    "setcar": lambda x, value: setattr(x, "first", value) if isinstance(x, Pair) else _wrong(x),
    "setcdr": lambda x, value: setattr(x, "second", value) if isinstance(x, Pair) else _wrong(x),
    "ifpair": lambda x: isinstance(x, Pair),
    "ifnumber": lambda x: type(x) is int,
    "ifchar": lambda x: isinstance(x, Char),
    "ifprocedure": lambda x: isinstance(x, Closure),
    "ifeqv": _same,
    "asnumber": lambda x: ord(x) if isinstance(x, Char) else _wrong(x),
    "aschar": lambda x: Char(chr(x)),
    "tenth": lambda x: Pair(Char(x % 10), x // 10),
    "sort": _name_of,
}


def _listed(items: Any, end: Any) -> Any:
    for item in reversed([*items]):
        end = Pair(item, end)
    return end


def _unlisted(x: Any) -> Any:
    while isinstance(x, Pair):
        yield x.first
        x = x.second
