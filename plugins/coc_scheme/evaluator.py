"""The reference: the core evaluated by Python functions, with Python's numbers and lists, and no machine.

What a form becomes takes its variables and what to do with its value, and returns the next function to call with two
arguments. So nothing is deep, and a continuation is a function like any other.
"""

from collections.abc import Callable, Sequence
from operator import add, floordiv, ge, gt, le, lt, mod, mul, sub
from typing import Any

from attrs import define, frozen

from coc_scheme.compiler import TELLING, WRONG, Parts, complaint
from coc_scheme.expander import Core, Variable
from coc_scheme.prelude import definition, prelude
from coc_scheme.reader import Char, Form, Symbol, Vector, deep

Bounce = tuple[Callable[[Any, Any], Any], Any, Any]
Then = Callable[[Any], Bounce]


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


_NIL = Pair(None, None)
_COMPUTED: dict[str, Callable[[int, int], int]] = {"add": add, "sub": sub, "mul": mul, "quo": floordiv, "rem": mod}
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "<": lt, ">": gt, "<=": le, ">=": ge, "=": lambda one, other: one == other,
}  # fmt: skip


@deep(100_000)
def evaluate(parts: Parts, most: int) -> str | None:
    """Return what a program prints, but for the lines of its errors; None if it takes more than so many calls."""
    evaluator = _Evaluator(parts)
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
        self.printed, self._parts, self._names = list[str](), parts, prelude()[0].names
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

    def code(self, x: Core) -> Callable[[Any, Then], Bounce]:
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
        return self.fault(procedure, Symbol("%call"), line, then)

    def fault(self, value: Any, message: str, line: int, then: Then) -> Bounce:
        """Raise the error of an operation for a value."""
        message = message if isinstance(message, Symbol) else Block("string", [*map(Char, message)])
        given = value, self.datum(message) if isinstance(message, Symbol) else message, line
        return self.called(self.value(self._names["%fault"]), given, line, then)

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
                every = self._names["%symbols"]
                self._top[every] = Pair(made, self._top.get(every, _NIL))
            return self._symbols[x]
        if isinstance(x, Char) or not isinstance(x, str | list | bytes):
            return x
        if isinstance(x, Form):
            return _listed(map(self.datum, x), _NIL if x.tail is None else self.datum(x.tail))
        items = map(Char, x) if isinstance(x, str) else map(self.datum, x)
        return Block("string" if isinstance(x, str) else "vector" if isinstance(x, Vector) else "bytevector", [*items])

    # ── forms of the core ─────────────────────────────────────────────────────────────────────────────────────────

    def _const(self, x: Any) -> Callable[[Any, Then], Bounce]:
        value = self.datum(x)
        return lambda scope, then: then(value)

    def _ref(self, variable: Variable) -> Callable[[Any, Then], Bounce]:
        def fetch(scope: Any, then: Then) -> Bounce:
            while scope is not None:
                if variable in scope[0]:
                    return then(scope[0][variable])
                scope = scope[1]
            try:
                value = self.value(variable)
            except KeyError:
                return self.fault(self.datum(Symbol(variable.name)), "unbound variable", 0, then)
            return then(value)

        return fetch

    def _set(self, variable: Variable, x: Core) -> Callable[[Any, Then], Bounce]:
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

    def _if(self, test: Core, yes: Core, no: Core) -> Callable[[Any, Then], Bounce]:
        decide, ways = self.code(test), (self.code(yes), self.code(no))
        return lambda scope, then: (decide, scope, lambda value: (ways[value is False], scope, then))

    def _or(self, one: Core, other: Core) -> Callable[[Any, Then], Bounce]:
        first, second = self.code(one), self.code(other)
        return lambda scope, then: (
            first, scope, lambda value: (second, scope, then) if value is False else (_deliver, then, value)
        )  # fmt: skip

    def _seq(self, forms: Sequence[Core]) -> Callable[[Any, Then], Bounce]:
        codes = [self.code(each) for each in forms]
        return lambda scope, then: self._each(codes, scope, lambda values: (_deliver, then, values[-1]), then)

    def _lambda(self, *x: Any) -> Callable[[Any, Then], Bounce]:
        return lambda scope, then: then(self.closure(("lambda", *x), scope))

    def _letrec(self, variables: Sequence[Variable], values: Sequence[Core], body: Core) -> Callable[[Any, Then], Bounce]:
        sets = [("set", variable, value) for variable, value in zip(variables, values, strict=True)]
        code = self._seq([*sets, body])
        return lambda scope, then: (code, (dict.fromkeys(variables), scope), then)

    def _call(self, procedure: Core, given: Sequence[Core], line: int) -> Callable[[Any, Then], Bounce]:
        if procedure[0] == "ref" and line and procedure[1] is self._names.get(procedure[1].name):
            if (name := procedure[1].name) in TELLING:
                procedure, given = ("ref", self._names[f"%{name}-at"]), [("const", line), *given]
        codes = [self.code(each) for each in (*given, procedure)]
        return lambda scope, then: self._each(
            codes, scope, lambda values: self.called(values[-1], values[:-1], line, then)
        )

    def _prim(self, operation: str, sort: Any, given: Sequence[Core], line: int) -> Callable[[Any, Then], Bounce]:
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
            wrong, value = self.operate(operation, sort, values, constant)
            return self.fault(value, complaint(operation, sort), line, then) if wrong else (_deliver, then, value)

        return lambda scope, then: self._each(codes, scope, lambda values: with_values(values, scope, then))

    _test = _prim

    def _each(self, codes: Sequence[Any], scope: Any, then: Callable[[tuple[Any, ...]], Bounce], last: Any = None) -> Bounce:
        """Evaluate forms in order. The last is in the place of all if it is told what follows."""

        def at(place: int, done: tuple[Any, ...]) -> Bounce:
            if place == len(codes):
                return then(done)
            if last is not None and place == len(codes) - 1:
                return codes[place], scope, last
            return codes[place], scope, lambda value: at(place + 1, (*done, value))

        return at(0, ())

    def operate(self, operation: str, sort: Any, values: Sequence[Any], constant: bool) -> tuple[bool, Any]:
        """Return whether an operation can't be done, and its value, or the one that it can't be done with."""
        one, *others = values or (None,)
        other = others[0] if others else None
        numbers = type(one) is int and type(other) is int
        if operation in _COMPUTED or operation in _COMPARED:
            if not numbers or (operation in ("quo", "rem") and other == 0):
                return True, one if constant or type(one) is not int else other
            return False, {**_COMPUTED, **_COMPARED}[operation](one, other)
        is_sort = isinstance(one, Block) and one.sort == sort
        match operation:
            case "cxr" | "car" | "cdr":
                found = isinstance(one, Pair) and one is not _NIL
                return not found, (one.first if operation == "car" else one.second) if found else one
            case "cons":
                return False, Pair(one, other)
            case "setcar" | "setcdr":
                if not isinstance(one, Pair) or one is _NIL:
                    return True, one
                setattr(one, "first" if operation == "setcar" else "second", other)
                return False, None
            case "not":
                return False, one is False
            case "null":
                return False, one is _NIL
            case "ifpair":
                return False, isinstance(one, Pair) and one is not _NIL
            case "ifnumber":
                return False, type(one) is int
            case "ifchar":
                return False, isinstance(one, Char)
            case "ifprocedure":
                return False, isinstance(one, Closure)
            case "ifsort":
                return False, is_sort
            case "ifeqv":
                same = type(one) is type(other) and one == other if type(one) in (int, Char) else one is other
                return False, same
            case "asnumber":
                return (False, ord(one)) if isinstance(one, Char) else (True, one)
            case "aschar":
                return False, Char(chr(one))
            case "tenth":
                return False, Pair(Char(one % 10), one // 10)
            case "block":
                if type(one) is not int:
                    return True, one
                made = Block(sort, [other] * one)
                if sort == "symbol":
                    self._symbols["".join(other.items)] = made
                return False, made
            case "length":
                return (False, len(one.items)) if is_sort else (True, one)
            case "ref" | "set":
                index = values[-1]
                if not is_sort or type(index) is not int or not 0 <= index < len(one.items):
                    return True, index
                if operation == "set":
                    one.items[index] = other
                return False, one.items[index] if operation == "ref" else None
            case "sort":
                name = one.sort if isinstance(one.sort, str) else one.sort.name
                return False, Pair(Block("string", [*map(Char, name)]), _NIL)
            case "put":
                if not isinstance(one, Char):
                    return True, one
                self.printed.append(one)
            case "fresh":
                if self.printed and self.printed[-1] != "\n":
                    self.printed.append("\n")
            case "halt":
                raise _Halt
        return False, None


def _listed(items: Any, end: Any) -> Any:
    for item in reversed([*items]):
        end = Pair(item, end)
    return end


def _unlisted(x: Any) -> Any:
    while isinstance(x, Pair) and x is not _NIL:
        yield x.first
        x = x.second
