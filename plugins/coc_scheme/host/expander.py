"""Macros and special forms become a core of ten forms, in which each name is a variable."""

from collections.abc import Sequence
from typing import Any, NoReturn

from coc_scheme.host.core import NOTHING, Core, Sort, Variable, call, sequence
from coc_scheme.host.macros import Alias, Macro, Scope, Use, is_name, line_of, plain, rest_of, shown
from coc_scheme.host.reader import Form, SchemeError, Symbol, deep

SPECIAL = {
    **{name: name for name in ("quote", "if", "or", "lambda", "begin", "define")},
    **{f"%{name}": name for name in ("define", "inline", "op", "sort", "index", "line")},
    "set!": "set", "define-syntax": "syntax", "syntax-rules": "rules", "syntax-error": "error",
}  # fmt: skip
"""The special forms, and which method expands each. Those that begin with % are for the prelude."""


class Expander:
    """Expands a program, or the prelude.

    Args:
        top: What names mean at the top level, at first.
        prelude: What they mean in the prelude.
    """

    def __init__(self, top: Scope, prelude: Scope) -> None:
        self._top, self._prelude, self._made = top, prelude, [0]
        self._unbound = dict[Any, Variable]()

    @deep(20_000)
    def program(self, forms: Sequence[Any]) -> list[tuple[Variable | None, Core]]:
        """Return the forms of a program in the core, each with the variable that it defines, or None."""
        found, parts = list[tuple[Variable | None, Any, int]](), list[tuple[Variable | None, Core]]()
        for form in forms:
            self._made = [0]
            found += self.definitions([form], self._top)
        for variable, x, line in found:
            self._made = [0]
            try:
                parts.append((variable, self.expand(x, self._top, line)))
            except RecursionError:
                raise SchemeError(line, "macros go on for ever, or what they make is too deep") from None
        return parts

    def definitions(self, forms: Sequence[Any], scope: Scope, line: int = 0) -> list[tuple[Variable | None, Any, int]]:
        """Enter what forms define into a scope; return each with its variable, or None, and its line."""
        found = list[tuple[Variable | None, Any, int]]()
        queue = [(form, line) for form in reversed(forms)]
        while queue:
            x, line = queue.pop()
            line = line_of(x, line)
            meaning = self._meaning(x, scope)
            if isinstance(meaning, Macro):
                made = meaning.expand(Use(x, scope, line, self._made))
                queue.append((wrong(x, line) if made is None else made, line))
            elif meaning == "begin" and (len(x) > 1 or scope is self._top):
                queue += [(form, line) for form in x[:0:-1]]
            elif meaning == "syntax" and len(x) == 3 and is_name(x[1]):
                scope.names[x[1]] = self._macro(x[2], scope, line)
            elif meaning == "inline":
                scope.find(x[1]).inline = Macro((), x[2:], "...", scope)
            elif meaning == "sort" and is_name(x[2]):
                scope.names[x[1]] = Sort(plain(x[2]).strip("<>"))
            elif meaning == "define":
                at = -line if plain(x[0]) == "%define" else line  # of these, an error is one of the call
                found.append((*self._definition(x, scope, line), at))
            else:
                found.append((None, x, line))
        return found

    def expand(self, x: Any, scope: Scope, line: int) -> Core:
        """Return a form of the core; SchemeError if there is none."""
        while True:
            line = line_of(x, line)
            if is_name(x):
                return ("ref", self._variable(x, scope, line))
            if not isinstance(x, Form):
                return ("const", plain(x))
            if not x or x.tail is not None:
                raise SchemeError(line, f"{shown(x)} is no expression")
            meaning = self._meaning(x, scope)
            if isinstance(meaning, str):
                return getattr(self, f"_{meaning}", self._misplaced)(x, scope, line)  # type: ignore[no-any-return]
            macro = meaning if isinstance(meaning, Macro) else getattr(meaning, "inline", None)
            made = macro and macro.expand(Use(x, scope, line, self._made))
            if made is None and isinstance(meaning, Macro):
                wrong(x, line)
            if made is None:
                given = [self.expand(each, scope, line) for each in x[1:]]
                return call(self.expand(x[0], scope, line), given, line)
            x = made

    def body(self, forms: Sequence[Any], scope: Scope, line: int) -> Core:
        """Return forms with definitions of their own as one form of the core."""
        inner = Scope({}, scope)
        found = self.definitions(forms, inner, line)
        if not found or found[-1][0] is not None:
            raise SchemeError(line, "a body ends without an expression")
        last = max((place for place, each in enumerate(found, 1) if each[0] is not None), default=0)
        parts = [(variable or Variable("-"), self.expand(x, inner, at)) for variable, x, at in found[:last]]
        result = sequence([self.expand(x, inner, at) for _, x, at in found[last:]])
        return ("letrec", *map(list, zip(*parts, strict=True)), result) if parts else result

    def _meaning(self, x: Any, scope: Scope) -> Any:
        """Return what the first name of a form means, if it is a form that begins with a name."""
        return scope.find(x[0]) if isinstance(x, Form) and x and x.tail is None and is_name(x[0]) else None

    def _variable(self, name: Any, scope: Scope, line: int) -> Variable:
        found = scope.find(name)
        if found is None:
            return self._unbound.setdefault(plain(name), Variable(plain(name), top=True))
        if not isinstance(found, Variable):
            raise SchemeError(line, f"{plain(name)} stands where a value is expected")
        return found

    def _definition(self, x: Form, scope: Scope, line: int) -> tuple[Variable, Any]:
        name, value = (x[1], x[2:]) if len(x) > 1 else (None, [])
        while isinstance(name, Form) and name:  # a procedure, or one that returns one
            value = [Form([Alias(Symbol("lambda"), self._prelude), rest_of(name, 1), *value], use=x)]
            name = name[0]
        if not is_name(name) or len(value) != 1:
            wrong(x, line)
        found = scope.names.get(name)
        if isinstance(found, Variable):
            found.sets += 1  # it is defined again
        else:
            found = scope.names[name] = Variable(plain(name), top=scope is self._top)
        return found, value[0]

    def _macro(self, x: Any, scope: Scope, line: int) -> Any:
        if is_name(x) and isinstance(scope.find(x), str | Macro):
            return scope.find(x)
        if self._meaning(x, scope) != "rules":
            raise SchemeError(line, f"a macro is made by syntax-rules, not by {shown(x)}")
        dots, literals, *rules = x[1:] if len(x) > 2 and is_name(x[1]) else (Symbol("..."), *(x[1:] or wrong(x, line)))
        if not isinstance(literals, Form) or not all(
            isinstance(rule, Form) and len(rule) == 2 and isinstance(rule[0], Form) for rule in rules
        ):
            wrong(x, line)
        return Macro(literals, rules, plain(dots), scope)

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

    def _error(self, x: Form, scope: Scope, line: int) -> NoReturn:
        raise SchemeError(line, " ".join(each if type(each) is str else shown(each) for each in x[1:]))

    def _op(self, x: Form, scope: Scope, line: int) -> Core:
        """Expand `(%op operation message argument ...)`, or `(%op (operation sort) message argument ...)`."""
        operation, sort = x[1] if isinstance(x[1], Form) else (x[1], None)
        found = scope.find(sort) if sort else None
        sort = found if isinstance(found, Sort) else plain(sort)
        message = x[2] and x[2].replace("~", sort.name if isinstance(sort, Sort) else str(sort))
        return ("op", str(plain(operation)), sort, message, [self.expand(each, scope, line) for each in x[3:]], line)

    def _index(self, x: Form, scope: Scope, line: int) -> Core:
        """Expand `(%index name names)`, the name's place among others, and `(%index #f names)`, how many they are."""
        if is_name(x[1]) and x[1] not in x[2]:
            raise SchemeError(line, f"the record has no field {shown(x[1])}")
        return ("const", x[2].index(x[1]) if is_name(x[1]) else len(x[2]))

    def _line(self, x: Form, scope: Scope, line: int) -> Core:
        return ("const", max(line, 0))


def wrong(x: Any, line: int) -> NoReturn:
    """Raise SchemeError for a form that is not as it should be."""
    x = x.use or x
    raise SchemeError(line, f"{shown(x)} is no right use of {shown(x[0])}")
