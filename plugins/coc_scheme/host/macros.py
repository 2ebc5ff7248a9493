"""What names mean, and macros by `syntax-rules`, which mean by a name what it meant where they were defined."""

from collections.abc import Sequence
from typing import Any

from attrs import Factory, define, frozen

from coc_scheme.host.reader import Form, SchemeError, Symbol, Vector

MOST = 2_000_000
"""How many parts macros may make of a form of the program."""


@define(eq=False)
class Alias:
    """A name that a macro has put in: it means what it means where the macro was defined."""

    name: "Symbol | Alias"
    scope: "Scope"


@define(eq=False)
class Scope:
    """What names mean."""

    names: dict[Any, Any]
    up: "Scope | None" = None

    def find(self, name: Any) -> Any:
        """Return a variable, a macro, a sort, or what expands a special form; None if the name means nothing."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.up
        return name.scope.find(name.name) if isinstance(name, Alias) else None


@define(eq=False)
class Use:
    """The use of a macro: the form, its scope and line; and the names that the macro has put in.

    Attributes:
        made: How many parts macros have made of a form of the program, as the only item.
    """

    form: Form
    scope: Scope
    line: int
    made: list[int]
    aliases: dict[Any, Alias] = Factory(dict)


@frozen(eq=False)
class Macro:
    """What `syntax-rules` makes.

    Attributes:
        literals: The names that stand for themselves.
        rules: Patterns, each with its template.
        dots: The name for what repeats.
        scope: Where the macro is defined.
    """

    literals: Sequence[Any]
    rules: Sequence[Any]
    dots: str
    scope: Scope

    def expand(self, use: Use) -> Any:
        """Return what stands for a use of the macro; None if no rule is for it."""
        for pattern, template in self.rules:
            found = dict[Any, Any]()
            if self._match(rest_of(pattern, 1), rest_of(use.form, 1), use, found):
                return self._fill(template, found, use, self.dots)
        return None

    def _match(self, pattern: Any, x: Any, use: Use, found: dict[Any, Any]) -> bool:
        """Return whether a form is like a pattern; enter what the names of the pattern stand for."""
        if is_name(pattern):
            if pattern in self.literals:
                return is_name(x) and same_name(x, use.scope, pattern, self.scope)
            if plain(pattern) != "_":
                found[pattern] = x
            return True
        if not isinstance(pattern, Form | Vector) or type(x) is not type(pattern):
            return type(x) is type(pattern) and bool(x == pattern)
        dots = [place for place, each in enumerate(pattern) if self._repeats(each, self.dots)]
        if dots not in ([], dots[:1]) or 0 in dots:
            raise SchemeError(use.line, f"{shown(pattern)} is no pattern: one part of a list repeats")
        first, after = (pattern[: dots[0] - 1], pattern[dots[0] + 1 :]) if dots else (pattern, [])
        start, end = len(first), len(x) - len(after) if dots else len(first)
        whole = end + len(after)
        if end < start or len(x) < whole or (pattern.tail is None and not (len(x) == whole and x.tail is None)):
            return False
        if dots:
            rows, repeated = list[dict[Any, Any]](), pattern[dots[0] - 1]
            for each in x[start:end]:
                rows.append({})
                if not self._match(repeated, each, use, rows[-1]):
                    return False
            for name in _names(repeated) - {*self.literals}:
                if plain(name) not in ("_", self.dots):
                    found[name] = [row[name] for row in rows]
        pairs = zip((*first, *after), (*x[:start], *x[end:whole]), strict=True)
        return all(self._match(part, each, use, found) for part, each in pairs) and (
            pattern.tail is None or self._match(pattern.tail, rest_of(x, whole), use, found)
        )

    def _repeats(self, x: Any, dots: str) -> bool:
        return is_name(x) and (x == dots or (isinstance(x, Alias) and plain(x) == dots)) and x not in self.literals

    def _fill(self, template: Any, found: dict[Any, Any], use: Use, dots: str) -> Any:
        """Return a template with what the names of the pattern stand for."""
        if is_name(template):
            if template not in found:
                return use.aliases.get(template) or use.aliases.setdefault(template, Alias(template, self.scope))
            if type(found[template]) is list:
                raise SchemeError(use.line, f"{plain(template)} has to be followed by {dots}, as it is in the pattern")
            return found[template]
        if not isinstance(template, Form | Vector):
            return template
        if len(template) == 2 and self._repeats(template[0], dots):
            return self._fill(template[1], found, use, "")
        made, place = list[Any](), 0
        while place < len(template):
            part, rows, place = template[place], [found], place + 1
            while place < len(template) and self._repeats(template[place], dots):
                rows, place = [each for row in rows for each in _rows(part, row, use)], place + 1
            made += [self._fill(part, row, use, dots) for row in rows]
        use.made[0] += len(made) + 10
        if use.made[0] > MOST:
            raise SchemeError(use.line, f"macros go on for ever, or make more than {MOST:,} parts")
        if isinstance(template, Vector):
            return Vector(made)
        end = None if template.tail is None else self._fill(template.tail, found, use, dots)
        made, end = (made + end, end.tail) if isinstance(end, Form) else (made, end)
        return Form(made, tail=end, use=use.form.use or use.form)


def _names(x: Any) -> set[Any]:
    if isinstance(x, Form | Vector):
        return set().union(*map(_names, x), _names(x.tail))
    return {x} if is_name(x) else set()


def _rows(part: Any, found: dict[Any, Any], use: Use) -> list[dict[Any, Any]]:
    """Return what is found, once for each of what the names in a part of a template that repeats stand for."""
    columns = {name: found[name] for name in _names(part) if type(found.get(name)) is list}
    if len({*map(len, columns.values())}) != 1:
        problem = "what repeats together is not of the same length" if columns else f"{shown(part)} can't repeat"
        raise SchemeError(use.line, f"in {shown(use.form)}, {problem}")
    return [{**found, **dict(zip(columns, row, strict=True))} for row in zip(*columns.values(), strict=True)]


def is_name(x: Any) -> bool:
    """Return whether a datum is a symbol, or one that a macro has put in."""
    return isinstance(x, (Symbol, Alias))


def same_name(one: Any, scope: Scope, other: Any, there: Scope) -> bool:
    """Return whether two names mean the same; or nothing, or variables of the top level, and are spelt the same."""
    first, second = scope.find(one), there.find(other)
    alike = first is second or (getattr(first, "top", False) and getattr(second, "top", False))
    return alike and (first is second is not None or plain(one) == plain(other))


def plain(x: Any) -> Any:
    """Return a datum without the marks of macros."""
    while isinstance(x, Alias):
        x = x.name
    if not isinstance(x, Form | Vector):
        return x
    items = [plain(each) for each in x]
    return Vector(items) if isinstance(x, Vector) else Form(items, x.line, plain(x.tail))


def shown(x: Any, depth: int = 3) -> str:
    """Return the beginning of a datum as text, for messages."""
    while isinstance(x, Alias):
        x = x.name
    if isinstance(x, int) and x.bit_length() > 200:
        return "..."  # `str` takes 4,300 digits at most
    if isinstance(x, Form | Vector):
        parts = [shown(each, depth - 1) for each in x[:4]] + ["..."] * (len(x) > 4) if depth else ["..."]
        tail = "" if x.tail is None else f" . {shown(x.tail, depth - 1)}"
        text = f"{'#' * isinstance(x, Vector)}({' '.join(parts)}{tail})"
    else:
        text = {True: "#t", False: "#f"}[x] if isinstance(x, bool) else str(x)
    return text if len(text) < 60 else f"{text[:56]} ..."


def rest_of(form: Any, count: int) -> Any:
    """Return a list without its first items."""
    return Form(form[count:], form.line, form.tail, form.use) if count < len(form) or form.tail is None else form.tail


def line_of(x: Any, line: int) -> int:
    """Return the line of a datum, or the one around it."""
    return getattr(x, "line", 0) or line
