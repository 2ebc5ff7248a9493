"""What names mean, and macros by `syntax-rules`, which mean by a name what it meant where they were defined."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import define

from coc_scheme.reader import Form, SchemeError, Symbol, Vector


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
        """Return a variable, a macro, or what expands a special form; None if the name means nothing."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.up
        return name.scope.find(name.name) if isinstance(name, Alias) else None


@define(eq=False)
class _Use:
    """A use of a macro, the names that it puts in, and how many parts it makes."""

    form: Form
    aliases: dict[Any, Alias]
    parts: int = 10


Match = Callable[..., bool]  # of a form, its scope and what is found
Fill = Callable[[dict[Any, Any], _Use], Any]


class Macro:
    """What `syntax-rules` makes: functions that match a form and fill a template.

    Args:
        literals: The names that stand for themselves.
        rules: Patterns, each with its template.
        dots: The name for what repeats.
        scope: Where the macro is defined.
        line: The line on which it is.
    """

    def __init__(self, literals: Sequence[Any], rules: Iterable[Any], dots: Any, scope: Scope, line: int) -> None:
        self._literals, self._dots, self._scope, self._line = literals, plain(dots), scope, line
        self._rules = list[tuple[Match, Fill]]()
        for pattern, template in rules:
            depths = dict[Any, int]()  # of the variables of a pattern: how often each repeats
            match = self._list(pattern, depths, 0, 1)
            self._rules.append((match, self._template(template, depths, 0)))

    def expand(self, form: Form, scope: Scope) -> tuple[Any, int]:
        """Return what stands for a use of the macro, and how many parts were made; None if no rule is for it."""
        for match, fill in self._rules:
            found = dict[Any, Any]()
            if match(form, scope, found, 1):
                use = _Use(form.use or form, {})
                return fill(found, use), use.parts
        return None, 0

    def _pattern(self, x: Any, depths: dict[Any, int], depth: int) -> Match:
        if isinstance(x, list):
            return self._list(x, depths, depth, 0)
        if not is_name(x):
            return lambda form, scope, found: type(form) is type(x) and form == x
        if x in self._literals:
            return lambda form, scope, found: is_name(form) and same_name(form, scope, x, self._scope)
        if plain(x) == "_":
            return lambda form, scope, found: True
        depths[x] = depth

        def bind(form: Any, scope: Scope, found: dict[Any, Any]) -> bool:
            found[x] = form
            return True

        return bind

    def _list(self, x: Any, depths: dict[Any, int], depth: int, skip: int) -> Match:
        sort, items, outside = type(x), x[skip:], {*depths}
        dots = [place for place, item in enumerate(items) if self._repeats(item)]
        if len(dots) > 1 or 0 in dots:
            raise SchemeError(self._line, f"{shown(x)} is no pattern: one part of a list repeats")
        at = dots[0] - 1 if dots else len(items)
        repeated = self._pattern(items[at], depths, depth + 1) if dots else None
        names = [*(depths.keys() - outside)]
        before = [self._pattern(each, depths, depth) for each in items[:at]]
        after = [self._pattern(each, depths, depth) for each in items[at + 2 :]]
        tail = None if x.tail is None else self._pattern(x.tail, depths, depth)
        least = len(before) + len(after)

        def match(form: Any, scope: Scope, found: dict[Any, Any], place: int = 0) -> bool:
            extra = len(form) - place - least if type(form) is sort else -1
            if extra < 0 or (extra and repeated is None and tail is None):
                return False
            for each in before:
                if not each(form[place], scope, found):
                    return False
                place += 1
            if repeated and names == [items[at]]:
                found[names[0]] = form[place : place + extra]
                place += extra
            elif repeated:
                rows = [dict[Any, Any]() for _ in range(extra)]
                for row in rows:
                    if not repeated(form[place], scope, row):
                        return False
                    place += 1
                for name in names:
                    found[name] = [row[name] for row in rows]
            for each in after:
                if not each(form[place], scope, found):
                    return False
                place += 1
            return tail(rest_of(form, place), scope, found) if tail else form.tail is None

        return match

    def _repeats(self, x: Any) -> bool:
        return is_name(x) and plain(x) == self._dots and x not in self._literals

    def _template(self, x: Any, depths: dict[Any, int], depth: int, escaped: bool = False) -> Fill:
        if is_name(x):
            return self._name(x, depths, depth)
        if not isinstance(x, Form | Vector):
            return lambda found, use: x
        if not escaped and len(x) == 2 and self._repeats(x[0]):
            return self._template(x[1], depths, depth, True)
        parts = list[tuple[Fill | None, int, list[Any]]]()  # each with how often it repeats, and the names that do
        items = x[:]
        while items:
            item, more = items.pop(0), 0
            while not escaped and items and self._repeats(items[0]):
                more += 1
                items.pop(0)
            names = [name for name in _names(item) if depths.get(name, 0) > depth]
            if more > max((depths[name] for name in names), default=depth) - depth:
                raise SchemeError(self._line, f"nothing repeats in {shown(item)} ...")
            simple = more == 1 and is_name(item) and depths[item] == depth + 1
            parts.append((None if simple else self._template(item, depths, depth + more, escaped), more, names))
        tail = None if x.tail is None else self._template(x.tail, depths, depth, escaped)
        vector = isinstance(x, Vector)

        def fill(found: dict[Any, Any], use: _Use) -> Any:
            made = list[Any]()
            for part, more, names in parts:
                if part is None:
                    made += found[names[0]]
                elif not more:
                    made.append(part(found, use))
                else:
                    rows = [found]
                    for _ in range(more):
                        rows = [row for each in rows for row in _rows(names, each, use)]
                    made += [part(row, use) for row in rows]
            use.parts += len(made)
            if vector:
                return Vector(made)
            end = tail and tail(found, use)
            if isinstance(end, Form):
                made, end = made + end, end.tail
            return Form(made, use.form.line, end, use.form)

        return fill

    def _name(self, x: Any, depths: dict[Any, int], depth: int) -> Fill:
        if depths.get(x, 0) > depth:
            raise SchemeError(self._line, f"{plain(x)} has to be followed by {self._dots}, as it is in the pattern")

        def alias(found: dict[Any, Any], use: _Use) -> Alias:
            if x not in use.aliases:
                use.aliases[x] = Alias(x, self._scope)
            return use.aliases[x]

        return (lambda found, use: found[x]) if x in depths else alias


def _names(x: Any) -> set[Any]:
    if isinstance(x, Form | Vector):
        return set().union(*map(_names, x), _names(x.tail))
    return {x} if is_name(x) else set()


def _rows(names: Sequence[Any], found: dict[Any, Any], use: _Use) -> list[dict[Any, Any]]:
    columns = {name: found[name] for name in names if type(found[name]) is list}
    if len({*map(len, columns.values())}) != 1:
        raise SchemeError(use.form.line, f"in {shown(use.form)}, what repeats together is not of the same length")
    return [{**found, **dict(zip(columns, row, strict=True))} for row in zip(*columns.values(), strict=True)]


def is_name(x: Any) -> bool:
    """Return whether a datum is a symbol, or one that a macro has put in."""
    return isinstance(x, (Symbol, Alias))


def same_name(one: Any, scope: Scope, other: Any, there: Scope) -> bool:
    """Return whether two names mean the same, or both nothing and are spelt the same."""
    first, second = scope.find(one), there.find(other)
    return first is second and (first is not None or plain(one) == plain(other))


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
