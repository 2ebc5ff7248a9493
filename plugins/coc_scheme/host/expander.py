"""Macros and derived forms become a core of ten forms, in which each name is a variable.

A form of the core is a tuple: its name first, then its parts. `prim` and `test` have an operation of the machine, and
the sort of block that it is for, if it is for one. What may go wrong ends with the line of the program.

    ("const", datum)  ("ref", variable)  ("set", variable, value)  ("if", test, yes, no)  ("or", one, other)
    ("seq", forms)  ("lambda", variables, rest, body)  ("letrec", variables, values, body)
    ("call", procedure, arguments, line)  ("prim", operation, sort, arguments, line)  ("test", the same)
"""

from collections.abc import Sequence
from typing import Any, NoReturn

from coc_scheme.host.core import NOTHING, Core, Sort, Variable, call, in_place, sequence
from coc_scheme.host.macros import Alias, Macro, Scope, is_name, line_of, plain, rest_of, shown
from coc_scheme.host.reader import NOWHERE, Form, SchemeError, Symbol, Vector, deep

MOST = 5_000_000
"""How many parts macros may make of a form of the program."""

LIBRARIES = [
    Form(["scheme", name]) for name in ("base", "case-lambda", "char", "cxr", "lazy", "process-context", "write")
]
FEATURES = ("else", "r7rs", "exact-closed", "full-unicode", "coc")
_OTHERS = """/ atan call-with-output-file char-ready? close-input-port cos current-input-port define-library denominator
environment eval exp get-environment-variables include include-ci inexact input-port-open? load log numerator
open-input-bytevector open-input-file open-input-string open-output-file peek-char peek-u8 rationalize read
read-bytevector read-bytevector! read-char read-line read-string read-u8 sin sqrt tan u8-ready? with-output-to-file"""
MISSING = frozenset(_OTHERS.split())
"""What R7RS has, and this does not."""


class Expander:
    """Expands a program, or the prelude.

    Args:
        top: What names mean at the top level, at first.
        prelude: What they mean in the prelude.
    """

    def __init__(self, top: Scope, prelude: Scope) -> None:
        self._top, self._prelude, self._made = top, prelude, 0
        self._unbound = dict[Any, Variable]()

    @deep(20_000)
    def program(self, forms: Sequence[Any]) -> list[tuple[Variable | None, Core]]:
        """Return the forms of a program in the core, each with the variable that it defines, or None."""
        found, parts = list[tuple[Variable | None, Any, int]](), list[tuple[Variable | None, Core]]()
        for form in forms:
            self._made = 0
            found += self.definitions([form], self._top)
        for variable, x, line in found:
            self._made = 0
            try:
                parts.append((variable, self.expand(x, self._top, line)))
            except RecursionError:
                raise SchemeError(line, "macros go on for ever, or what they make is too deep") from None
        return parts

    def definitions(self, forms: Sequence[Any], scope: Scope) -> list[tuple[Variable | None, Any, int]]:
        """Enter what forms define into a scope; return each with its variable, or None, and its line."""
        found = list[tuple[Variable | None, Any, int]]()
        queue = [(form, 0) for form in reversed(forms)]
        while queue:
            x, line = queue.pop()
            line = line_of(x, line)
            meaning = self._meaning(x, scope)
            if isinstance(meaning, Macro):
                queue.append((self._expanded(meaning, x, scope, line), line))
            elif meaning in ("begin", "record", "import", "condition"):
                queue += [(form, line) for form in reversed(getattr(self, f"_{meaning}s")(x, scope, line))]
            elif meaning == "syntax" and len(x) == 3 and is_name(x[1]):
                scope.names[x[1]] = self._macro(x[2], scope, line)
            elif meaning == "define":
                found.append((*self._definition(x, scope, line), line))
            else:
                found.append((None, x, line))
        return found

    def expand(self, x: Any, scope: Scope, line: int) -> Core:
        """Return a form of the core; SchemeError if there is none."""
        while True:
            line = line_of(x, line)
            if is_name(x):
                variable = self._variable(x, scope, line)
                variable.values += 1
                return ("ref", variable)
            if not isinstance(x, Form):
                return ("const", plain(x))
            if not x or x.tail is not None:
                raise SchemeError(line, f"{shown(x)} is no expression")
            meaning = self._meaning(x, scope)
            if isinstance(meaning, Macro):
                x = self._expanded(meaning, x, scope, line)
                continue
            if isinstance(meaning, str):
                made = getattr(self, f"_{meaning}", self._misplaced)(x, scope, line)
                if isinstance(made, tuple):
                    return made
                x = made
                continue
            inline = meaning.inline if isinstance(meaning, Variable) else None
            begin = 2 if inline and inline.sort is True else 1
            given = [self.expand(each, scope, line) for each in x[begin:]]
            made = inline and in_place(meaning.name, inline, x[1] if begin == 2 else inline.sort, given, line)
            return made or call(self.expand(x[0], scope, line), given, line)

    def _expanded(self, macro: Macro, x: Form, scope: Scope, line: int) -> Any:
        """Return what stands for a use of a macro."""
        made, parts = macro.expand(x, scope)
        self._made += parts
        if not parts:
            wrong(x, line)
        if self._made > MOST:
            raise SchemeError(line, f"macros go on for ever, or make more than {MOST:,} parts")
        return made

    def body(self, forms: Sequence[Any], scope: Scope, line: int) -> Core:
        """Return forms with definitions of their own as one form of the core."""
        inner = Scope({}, scope)
        found = self.definitions(forms, inner)
        if not found or found[-1][0] is not None:
            raise SchemeError(line, "a body ends without an expression")
        last = max((place for place, each in enumerate(found, 1) if each[0] is not None), default=0)
        parts = [(variable or Variable("-"), self.expand(x, inner, at)) for variable, x, at in found[:last]]
        result = sequence([self.expand(x, inner, at) for _, x, at in found[last:]])
        return (
            ("letrec", [variable for variable, _ in parts], [value for _, value in parts], result) if parts else result
        )

    def _meaning(self, x: Any, scope: Scope) -> Any:
        """Return what the first name of a form means, if it is a form that begins with a name."""
        return scope.find(x[0]) if isinstance(x, Form) and x and x.tail is None and is_name(x[0]) else None

    def _variable(self, name: Any, scope: Scope, line: int) -> Variable:
        found = scope.find(name)
        if found is None and plain(name) in MISSING:
            raise SchemeError(line, f"{plain(name)} is not supported")
        if found is None:
            return self._unbound.setdefault(plain(name), Variable(plain(name), top=True))
        if not isinstance(found, Variable):
            raise SchemeError(line, f"{plain(name)} stands where a value is expected")
        return found

    def _given(self, name: str) -> Alias:
        """Return a name that means what it means in the prelude."""
        return Alias(Symbol(name), self._prelude)

    # ── definitions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _begins(self, x: Form, scope: Scope, line: int) -> list[Any]:
        return x[1:] if len(x) > 1 or scope is self._top else [x]

    def _imports(self, x: Form, scope: Scope, line: int) -> list[Any]:
        for each in map(plain, x[1:]):
            while isinstance(each, Form) and len(each) > 1 and each[0] in ("only", "except"):
                each = each[1]
            if each not in LIBRARIES:
                known = ", ".join(map(shown, LIBRARIES))
                raise SchemeError(line, f"{shown(each)} can't be imported; there are {known}")
        return []

    def _conditions(self, x: Form, scope: Scope, line: int) -> list[Any]:
        """Return the forms of the first clause of a `cond-expand` that holds."""
        for clause in x[1:]:
            if not isinstance(clause, Form) or not clause:
                wrong(x, line)
            if _holds(plain(clause[0])):
                return clause[1:]
        raise SchemeError(line, "no clause of cond-expand holds")

    def _condition(self, x: Form, scope: Scope, line: int) -> Form:
        return Form([self._given("begin"), *self._conditions(x, scope, line)], line, use=x)

    def _definition(self, x: Form, scope: Scope, line: int) -> tuple[Variable, Any]:
        name, value = (x[1], x[2:]) if len(x) > 1 else (None, [])
        while isinstance(name, Form) and name:  # a procedure, or one that returns one
            value = [Form([self._given("lambda"), rest_of(name, 1), *value], line, use=x)]
            name = name[0]
        if not is_name(name) or len(value) != 1:
            wrong(x, line)
        found = scope.names.get(name)
        if isinstance(found, Variable):
            found.sets += found.inline is None  # it is defined again
        else:
            found = scope.names[name] = Variable(plain(name), top=scope is self._top)
        return found, value[0]

    def _records(self, x: Form, scope: Scope, line: int) -> list[Any]:
        """Expand `define-record-type`: a record is a block of a sort of its own."""
        if len(x) < 4 or not is_name(x[3]) or not (is_name(x[1]) or (isinstance(x[1], Form) and x[1])):
            wrong(x, line)
        sort = Sort(plain(x[1] if is_name(x[1]) else x[1][0]).strip("<>"))
        fields = [field if isinstance(field, Form) and field else Form([field], line) for field in x[4:]]
        if any(len(field) > 3 or not all(map(is_name, field)) for field in fields):
            wrong(x, line)
        names = [field[0] for field in fields]
        one, other = Alias(Symbol("record"), scope), Alias(Symbol("value"), scope)
        made = list[Any]()

        def defined(head: Any, *body: Any) -> None:
            made.append(Form([self._given("define"), head, *body], NOWHERE))

        def part(operation: str, *operands: Any) -> Form:
            return Form([self._given(operation), sort, *operands], NOWHERE)

        defined(Form([x[3], one], line), part("%is", one))
        maker = Form([x[2], *names], line) if is_name(x[2]) else x[2]
        if isinstance(maker, Form) and maker:
            if not {*maker[1:]} <= {*names}:
                raise SchemeError(line, f"{shown(maker)} has a field that the record lacks")
            sets = [part("%set", one, field, names.index(field)) for field in maker[1:]]
            block = Form([Form([one, part("%block", len(names), False)], line)], line)
            defined(maker, Form([self._given("let"), block, *sets, one], line))
        for place, field in enumerate(fields):
            for name, given in zip(field[1:], ([one], [one, other]), strict=False):
                defined(Form([name, *given], line), part("%set" if given[1:] else "%ref", *given, place))
        return made

    def _macro(self, x: Any, scope: Scope, line: int) -> Any:
        if is_name(x) and isinstance(scope.find(x), str | Macro):
            return scope.find(x)
        if self._meaning(x, scope) != "rules":
            raise SchemeError(line, f"a macro is made by syntax-rules, not by {shown(x)}")
        dots, literals, *rules = x[1:] if len(x) > 2 and is_name(x[1]) else (Symbol("..."), *(x[1:] or wrong(x, line)))
        for rule in rules:
            if (
                not isinstance(rule, Form)
                or len(rule) != 2
                or not isinstance(rule[0], Form)
                or not isinstance(literals, Form)
            ):
                wrong(x, line)
        return Macro(literals, rules, dots, scope, line)

    # ── special forms ─────────────────────────────────────────────────────────────────────────────────────────────

    def _misplaced(self, x: Form, scope: Scope, line: int) -> NoReturn:
        raise SchemeError(line, f"{shown(x)} stands where a value is expected")

    def _quote(self, x: Form, scope: Scope, line: int) -> Core:
        return ("const", plain(x[1])) if len(x) == 2 else wrong(x, line)

    def _if(self, x: Form, scope: Scope, line: int) -> Core:
        if len(x) not in (3, 4):
            wrong(x, line)
        test, yes, *no = (self.expand(each, scope, line) for each in x[1:])
        return ("if", test, yes, no[0] if no else NOTHING)

    def _or(self, x: Form, scope: Scope, line: int) -> Core:
        made = [self.expand(each, scope, line) for each in x[1:]] or [("const", False)]
        while len(made) > 1:
            made[-2:] = [("or", made[-2], made[-1])]
        return made[0]

    def _begin(self, x: Form, scope: Scope, line: int) -> Core:
        return sequence([self.expand(each, scope, line) for each in x[1:]])

    def _lambda(self, x: Form, scope: Scope, line: int) -> Core:
        if len(x) < 3 or not isinstance(x[1], Form | Symbol | Alias):
            wrong(x, line)
        names, rest = (list(x[1]), x[1].tail) if isinstance(x[1], Form) else ([], x[1])
        every = [*names, *([] if rest is None else [rest])]
        if not all(map(is_name, every)) or len({*every}) < len(every):
            wrong(x, line)
        inner = Scope({name: Variable(plain(name)) for name in every}, scope)
        body = self.body(x[2:], inner, line)
        return ("lambda", [inner.names[name] for name in names], inner.names.get(rest), body)

    def _set(self, x: Form, scope: Scope, line: int) -> Core:
        if len(x) != 3 or not is_name(x[1]):
            wrong(x, line)
        variable = self._variable(x[1], scope, line)
        if self._top is not self._prelude and variable in self._prelude.names.values():
            raise SchemeError(line, f"{variable.name} is of a library, and can't be set; define it first")
        variable.sets += 1
        return ("set", variable, self.expand(x[2], scope, line))

    def _letsyntax(self, x: Form, scope: Scope, line: int) -> Core:
        pairs = x[1] if len(x) > 2 and isinstance(x[1], Form) else wrong(x, line)
        inner = Scope({}, scope)
        for pair in pairs:
            if not isinstance(pair, Form) or len(pair) != 2 or not is_name(pair[0]):
                wrong(x, line)
            inner.names[pair[0]] = self._macro(pair[1], inner if plain(x[0]) == "letrec-syntax" else scope, line)
        return self.body(x[2:], inner, line)

    def _quasi(self, x: Form, scope: Scope, line: int) -> Any:
        return self._template(x[1], line, 1) if len(x) == 2 else wrong(x, line)

    def _template(self, x: Any, line: int, depth: int) -> Any:
        """Return an expression for what stands in a quasiquotation."""

        def made(name: str, *parts: Any) -> Form:
            return Form([self._given(name), *parts], line)

        if isinstance(x, Vector):
            return made("list->vector", self._template(Form(x, line), line, depth))
        if not isinstance(x, Form) or not _unquotes(x):
            return made("quote", x)
        if _is(x, "unquote") and depth == 1:
            return x[1]
        if _is(x, "unquote") or _is(x, "quasiquote"):
            return made(
                "list", made("quote", x[0]), self._template(x[1], line, depth + (-1 if _is(x, "unquote") else 1))
            )
        end = made("quote", Form()) if x.tail is None else self._template(x.tail, line, depth)
        items = list(x)
        if _is(Form(items[-2:]), "unquote"):  # (a . ,b)
            end, items = self._template(Form(items[-2:], line), line, depth), items[:-2]
        for each in reversed(items):
            if _is(each, "unquote-splicing") and depth == 1:
                end = made("append", each[1], end)
            elif _is(each, "unquote-splicing"):
                inside = made("list", made("quote", each[0]), self._template(each[1], line, depth - 1))
                end = made("cons", inside, end)
            else:
                end = made("cons", self._template(each, line, depth), end)
        return end

    def _error(self, x: Form, scope: Scope, line: int) -> NoReturn:
        raise SchemeError(line, " ".join(map(shown, x[1:])))


SPECIAL = {
    "quote": "quote", "if": "if", "or": "or", "lambda": "lambda", "begin": "begin", "set!": "set", "define": "define",
    "let-syntax": "letsyntax", "letrec-syntax": "letsyntax", "quasiquote": "quasi", "syntax-error": "error",
    "define-record-type": "record", "define-syntax": "syntax", "syntax-rules": "rules", "import": "import",
    "cond-expand": "condition", "else": "else", "=>": "=>", "unquote": "unquote", "unquote-splicing": "splicing",
}  # fmt: skip
"""The special forms, and which method expands each."""


def wrong(x: Any, line: int) -> NoReturn:
    """Raise SchemeError for a special form that is not as it should be."""
    x = x.use or x
    raise SchemeError(line, f"{shown(x)} is no right use of {shown(x[0])}")


def _holds(x: Any) -> bool:
    if not isinstance(x, Form) or len(x) < 1:
        return x in FEATURES
    if x[0] == "library":
        return x[1:] in [[each] for each in LIBRARIES]
    each = [_holds(part) for part in x[1:]]
    return {"and": all(each), "or": any(each), "not": not any(each)}.get(x[0], False)


def _is(x: Any, name: str) -> bool:
    return isinstance(x, Form) and len(x) == 2 and x.tail is None and is_name(x[0]) and plain(x[0]) == name


def _unquotes(x: Any) -> bool:
    if isinstance(x, Form | Vector):
        return any(map(_unquotes, (*x, getattr(x, "tail", None))))
    return is_name(x) and plain(x) in ("unquote", "unquote-splicing", "quasiquote")
