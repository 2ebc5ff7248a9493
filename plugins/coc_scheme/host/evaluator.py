"""The reference: the core evaluated by Python functions, with Python's numbers and lists, and no machine.

What a form becomes takes its variables and what to do with its value, and returns the next function to call with two
arguments. So nothing is deep, and a continuation is a function like any other.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import add, attrgetter, eq, floordiv, gt, lt, mod, mul, sub
from typing import Any

from attrs import define, frozen

from coc_scheme.host.core import Core, Variable
from coc_scheme.host.prelude import definition, given as known_as, parts_of
from coc_scheme.host.reader import Char, Form, Symbol, Vector, deep

Bounce = tuple[Callable[[Any, Any], Any], Any, Any]
Then = Callable[[Any], Bounce]
Code = Callable[[Any, Then], Bounce]


@define(eq=False)
class Pair:
    """A pair."""

    first: Any
    second: Any


@define(eq=False)
class Block:
    """Elements, and what all blocks of a kind share."""

    sort: Any
    items: list[Any]


@frozen(eq=False)
class Closure:
    """A procedure with its variables."""

    variables: Sequence[Variable]
    rest: Variable | None
    body: Core
    scope: Any


class _Halt(Exception):
    """The program has ended."""


_NIL: Any = object()
_ON_NUMBERS: dict[str, Callable[[int, int], Any]] = {
    "add": add, "sub": sub, "mul": mul, "quo": floordiv, "rem": mod, "less": lt, "more": gt, "same": eq,
}  # fmt: skip
_ON_VALUES: dict[str, Callable[..., Any]] = {
    "cons": Pair, "car": attrgetter("first"), "cdr": attrgetter("second"), "asnumber": ord,
    "setcar": lambda x, value: setattr(x, "first", value), "setcdr": lambda x, value: setattr(x, "second", value),
    "ifpair": lambda x: isinstance(x, Pair), "ifnumber": lambda x: type(x) is int,
    "ifchar": lambda x: isinstance(x, Char), "ifprocedure": lambda x: isinstance(x, Closure),
    "ifeqv": lambda x, y: type(x) is type(y) and x == y if type(x) in (int, Char) else x is y,
    "aschar": lambda x: Char(chr(x)), "tenth": lambda x: Pair(Char(x % 10), x // 10),
    "sort": lambda x: Pair(Block("string", [*map(Char, getattr(x.sort, "name", x.sort))]), _NIL),
}  # fmt: skip


def evaluated(text: str, most: int) -> str | None:
    """Return what a program prints, but for the lines of its errors; None if it takes more than so many calls."""
    with deep(100_000):
        evaluator = _Evaluator(parts_of(text))
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
    def __init__(self, parts: Sequence[tuple[Variable | None, Core]]) -> None:
        self.printed, self._parts = list[str](), parts
        self._top, self._symbols, self._codes = dict[Variable, Any](), dict[str, Block](), dict[int, Any]()

    def part(self, place: int, _: Any) -> Bounce:
        """Begin with a form of the program."""
        if place == len(self._parts):
            raise _Halt
        variable, x = self._parts[place]

        def then(value: Any) -> Bounce:
            if variable is not None:
                self._top[variable] = value
            return self.part, place + 1, None

        return self.code(x), None, then

    def code(self, x: Core) -> Code:
        """Return what a form of the core becomes."""
        if id(x) not in self._codes:
            self._codes[id(x)] = x, getattr(self, f"_{x[0]}")(*x[1:])
        return self._codes[id(x)][1]  # type: ignore[no-any-return]

    def called(self, procedure: Any, given: Sequence[Any], line: int, then: Then) -> Bounce:
        """Call a procedure."""
        if isinstance(procedure, Closure):
            count = len(procedure.variables)
            if len(given) == count or (len(given) > count and procedure.rest):
                scope: dict[Any, Any] = {None: then, **dict(zip(procedure.variables, given, strict=False))}
                if procedure.rest:
                    scope[procedure.rest] = _listed(given[count:], _NIL)
                return self.code(procedure.body), (scope, procedure.scope), then
        return self.fault(procedure, "%call", line, then)

    def fault(self, value: Any, message: str, line: int, then: Then) -> Bounce:
        """Raise the error of an operation for a value."""
        told = self.datum(Symbol(message) if message[0] == "%" else message)
        given = value if message[0] == "%" or message[-1] == ":" else None, told, max(line, 0)
        return self.called(self.variables(known_as("%fault"), None)[known_as("%fault")], given, line, then)

    def variables(self, variable: Variable, scope: Any) -> dict[Variable, Any]:
        """Return the variables among which one is; it has no value there if it has none."""
        while scope is not None and variable not in scope[0]:
            scope = scope[1]
        if scope is None and variable not in self._top and (x := definition(variable)) is not None:
            self._top[variable] = Closure(x[1], x[2], x[3], None) if x[0] == "lambda" else self.datum(x[1])
        return self._top if scope is None else scope[0]

    def datum(self, x: Any) -> Any:
        """Return a datum of the program as a value."""
        if isinstance(x, Symbol):
            if x not in self._symbols:
                made, every = Block("symbol", [self.datum(str(x))]), known_as("%symbols")
                self._symbols[x], self._top[every] = made, Pair(made, self.variables(every, None)[every])
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
            found = self.variables(variable, scope)
            if variable in found:
                return then(found[variable])
            return self.fault(self.datum(Symbol(variable.name)), "unbound variable:", 0, then)

        return fetch

    def _set(self, variable: Variable, x: Core) -> Code:
        code = self.code(x)

        def assign(scope: Any, then: Then) -> Bounce:
            def with_value(value: Any) -> Bounce:
                self.variables(variable, scope)[variable] = value
                return _deliver, then, None

            return code, scope, with_value

        return assign

    def _if(self, test: Core, yes: Core, no: Core) -> Code:
        decide, ways = self.code(test), (self.code(yes), self.code(no))
        return lambda scope, then: (decide, scope, lambda value: (ways[value is False], scope, then))

    def _or(self, one: Core, other: Core) -> Code:
        kept = Variable("-")
        return self.code(("call", ("lambda", [kept], None, ("if", ("ref", kept), ("ref", kept), other)), [one], 0))

    def _seq(self, forms: Sequence[Core]) -> Code:
        *first, last = map(self.code, forms)
        return lambda scope, then: self._each(first, scope, lambda _: (last, scope, then))

    def _lambda(self, variables: Sequence[Variable], rest: Variable | None, body: Core) -> Code:
        return lambda scope, then: then(Closure(variables, rest, body, scope))

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
        constant = operation in _ON_NUMBERS and given[1][0] == "const" and type(given[1][1]) is int
        at_fault = 0 if constant or operation in ("setcar", "setcdr", "block") else -1

        def with_values(values: Sequence[Any], then: Then) -> Bounce:
            try:
                return _deliver, then, work(*values)
            except (AttributeError, TypeError, IndexError, ZeroDivisionError):
                wrong = values[0] if operation in _ON_NUMBERS and type(values[0]) is not int else values[at_fault]
                return self.fault(wrong, message, line, then)

        match operation:
            case "capture":  # what the procedure around returns to
                return lambda scope, then: then(scope[0][None])
            case "throw":
                return lambda scope, then: self._each(codes, scope, lambda values: (_deliver, *values))
            case "apply":
                return lambda scope, then: self._each(
                    codes, scope, lambda values: self.called(values[0], [*_unlisted(values[1])], line, then)
                )
        work = self._work(operation, sort)
        return lambda scope, then: self._each(codes, scope, lambda values: with_values(values, then))

    def _each(
        self, codes: Sequence[Code], scope: Any, then: Callable[[Any], Bounce], done: tuple[Any, ...] = ()
    ) -> Bounce:
        """Evaluate forms in order."""
        if len(done) == len(codes):
            return then(done)
        return codes[len(done)], scope, lambda value: self._each(codes, scope, then, (*done, value))

    def _work(self, operation: str, sort: Any) -> Callable[..., Any]:
        """Return what does an operation: AttributeError or the like if it can't be done."""
        if operation in _ON_NUMBERS:
            return lambda *values: _ON_NUMBERS[operation](*map(_whole, values))

        def items(block: Any) -> Any:
            return block.items if block.sort == sort else _refuse()

        def block(length: Any, fill: Any) -> Block:
            made = Block(sort, [fill] * _whole(length))
            if sort == "symbol":
                self._symbols["".join(fill.items)] = made
            return made

        def halt() -> None:
            raise _Halt

        others: dict[str, Callable[..., Any]] = {
            "block": block, "length": lambda x: len(items(x)), "ref": lambda x, k: items(x)[_whole(k, 0)],
            "set": lambda x, item, k: items(x).__setitem__(_whole(k, 0), item),
            "ifsort": lambda x: isinstance(x, Block) and x.sort == sort,
            "put": lambda x: self.printed.append(x if isinstance(x, Char) else _refuse()), "halt": halt,
            "fresh": lambda: self.printed.extend([] if self.printed[-1:] in ([], ["\n"]) else "\n"),
            "trail": lambda: None,
        }  # fmt: skip
        return _ON_VALUES.get(operation) or others[operation]


def _refuse() -> Any:
    raise TypeError


def _whole(x: Any, least: int | None = None) -> int:
    return x if type(x) is int and (least is None or x >= least) else _refuse()


def _listed(items: Any, end: Any) -> Any:
    for item in reversed([*items]):
        end = Pair(item, end)
    return end


def _unlisted(x: Any) -> Iterator[Any]:
    while isinstance(x, Pair):
        yield x.first
        x = x.second
