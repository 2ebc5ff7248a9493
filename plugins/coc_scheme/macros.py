"""What names mean, and macros by `syntax-rules`, which mean by a name what it meant where they were defined."""

from collections.abc import Iterator, Mapping, Sequence
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
class Macro:
    """What `syntax-rules` makes."""

    literals: Sequence[Any]
    rules: Sequence[tuple[Any, Any]]
    dots: Any
    scope: Scope

    def expand(self, form: Form, scope: Scope, line: int) -> Any:
        """Return what stands for a use of the macro."""
        for pattern, template in self.rules:
            found = dict[Any, Any]()
            if self._match(rest_of(pattern, 1), rest_of(form, 1), scope, found):
                return self._fill(template, found, {}, line)
        raise SchemeError(line, f"no rule of {shown(form[0])} is for {shown(form)}")

    def _match(self, pattern: Any, form: Any, scope: Scope, found: dict[Any, Any]) -> bool:
        if is_name(pattern):
            if pattern in self.literals:
                return is_name(form) and same_name(form, scope, pattern, self.scope)
            if plain(pattern) != "_":
                found[pattern] = form
            return True
        if not isinstance(pattern, Form | Vector):
            return type(pattern) is type(form) and bool(pattern == form)
        if type(form) is not type(pattern):
            return False
        items, given, tail = list(pattern), list(form), getattr(pattern, "tail", None)
        if any(map(self._repeats, items)):
            at = [*map(self._repeats, items)].index(True) - 1
            after = len(items) - at - 2
            if len(given) < at + after:
                return False
            end = len(given) - after
            rows = list[dict[Any, Any]]()
            for item in given[at:end]:
                rows.append({})
                if not self._match(items[at], item, scope, rows[-1]):
                    return False
            found.update({name: [row[name] for row in rows] for name in self._names(items[at])})
            items, given = items[:at] + items[at + 2 :], given[:at] + given[end:]
        if len(given) < len(items) or (len(given) > len(items) and tail is None):
            return False
        if not all(self._match(*pair, scope, found) for pair in zip(items, given, strict=False)):
            return False
        if tail is not None:
            return self._match(tail, rest_of(form, len(form) - len(given) + len(items)), scope, found)
        return getattr(form, "tail", None) is None

    def _repeats(self, x: Any) -> bool:
        return is_name(x) and bool(plain(x) == plain(self.dots)) and x not in self.literals

    def _names(self, pattern: Any) -> Iterator[Any]:
        if is_name(pattern):
            if pattern not in self.literals and not self._repeats(pattern) and plain(pattern) != "_":
                yield pattern
        elif isinstance(pattern, Form | Vector):
            for each in (*pattern, getattr(pattern, "tail", None)):
                yield from self._names(each)

    def _fill(self, template: Any, found: Mapping[Any, Any], renamed: dict[Any, Alias], line: int, escaped: bool = False) -> Any:
        if is_name(template):
            if template in found:
                return found[template]
            return renamed.setdefault(template, Alias(template, self.scope))
        if not isinstance(template, Form | Vector):
            return template
        if not escaped and len(template) == 2 and self._repeats(template[0]):
            return self._fill(template[1], found, renamed, line, True)
        made, at = list[Any](), 0
        while at < len(template):
            item, depth = template[at], 0
            while not escaped and at + 1 < len(template) and self._repeats(template[at + 1]):
                at, depth = at + 1, depth + 1
            rows = [found]
            for _ in range(depth):
                rows = [row for each in rows for row in self._rows(item, each, line)]
            made += [self._fill(item, row, renamed, line, escaped) for row in rows]
            at += 1
        if isinstance(template, Vector):
            return Vector(made)
        tail = None if template.tail is None else self._fill(template.tail, found, renamed, line, escaped)
        return Form([*made, *tail], line, tail.tail) if isinstance(tail, Form) else Form(made, line, tail)

    def _rows(self, item: Any, found: Mapping[Any, Any], line: int) -> list[dict[Any, Any]]:
        columns = {name: found[name] for name in self._names(item) if type(found.get(name)) is list}
        if not columns:
            raise SchemeError(line, f"nothing repeats in {shown(item)} ...")
        count = min(map(len, columns.values()))
        return [{**found, **{name: values[place] for name, values in columns.items()}} for place in range(count)]


def is_name(x: Any) -> bool:
    """Return whether a datum is a symbol, or one that a macro has put in."""
    return isinstance(x, Symbol | Alias)


def same_name(one: Any, scope: Scope, other: Any, there: Scope) -> bool:
    """Return whether two names mean the same, or both nothing and are spelt the same."""
    first, second = scope.find(one), there.find(other)
    return first is second and (first is not None or plain(one) == plain(other))


def plain(x: Any) -> Any:
    """Return a datum without the marks of macros."""
    while isinstance(x, Alias):
        x = x.name
    if isinstance(x, Form):
        return Form(map(plain, x), x.line, plain(x.tail))
    return Vector(map(plain, x)) if isinstance(x, Vector) else x


def shown(x: Any) -> str:
    """Return the beginning of a datum as text, for messages."""
    x = plain(x)
    if isinstance(x, list):
        text = f"{'#' * isinstance(x, Vector)}({' '.join(map(shown, x[:4]))}{' ...' * (len(x) > 4)})"
    else:
        text = {True: "#t", False: "#f"}[x] if isinstance(x, bool) else str(x)
    return text if len(text) < 60 else f"{text[:56]} ..."


def rest_of(form: Any, count: int) -> Any:
    return Form(form[count:], form.line, form.tail) if count < len(form) or form.tail is None else form.tail


def line_of(x: Any, line: int) -> int:
    """Return the line of a datum, or the one around it."""
    return getattr(x, "line", 0) or line
