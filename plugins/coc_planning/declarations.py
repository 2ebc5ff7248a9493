"""What a domain or a problem declares: types, objects, predicates and functions, each name once."""

from collections.abc import Collection, Mapping

from coc_planning.expressions import Expression, Group, Source, Word
from coc_planning.formulas import UNKNOWN, unsupported
from coc_planning.lifted import EQUALS

OBJECT = "object"
"""The type of everything."""


def read_typed(
    source: Source,
    items: list[Expression],
    types: Collection[str] | None = None,
    *,
    variables: bool = False,
    lines: dict[str, int] | None = None,
) -> dict[str, str]:
    """The type of each name in a list such as `a b - block c`, the type `object` where none is written.

    Args:
        source: The file.
        items: The list.
        types: The types that there are; by default, any.
        variables: Whether the names are variables, which begin with a question mark.
        lines: Gets the line of each name.
    """
    found: dict[str, str] = {}
    lines = {} if lines is None else lines
    pending = list[str]()
    rest = iter(items)
    for each in rest:
        if isinstance(each, Group):
            unsupported(source, each, "is not a name")
        if each.text == "-":
            kind = next(rest, None)
            if not isinstance(kind, Word):
                unsupported(source, kind or each, "is not the name of a type")
            if not pending:
                source.refuse(kind.line, f"the type {kind.text!r:.60} is not that of a name")
            if types is not None and kind.text not in types:
                source.refuse(kind.line, f"there is no type {kind.text!r:.60}")
            found |= dict.fromkeys(pending, kind.text)
            pending.clear()
        elif each.text.startswith(":"):
            source.refuse(each.line, f"{each.text!r:.60} is not a name")
        elif each.text.startswith("?") != variables:
            source.refuse(each.line, f"{each.text!r:.60} is {'not ' if variables else ''}a variable")
        else:
            source.once(lines, each.text, each.line)
            pending.append(each.text)
    return found | dict.fromkeys(pending, OBJECT)


def read_types(source: Source, items: list[Expression]) -> dict[str, str]:
    """The type that each type is a part of."""
    lines: dict[str, int] = {}
    parents = read_typed(source, items, lines=lines)
    if parents.pop(OBJECT, OBJECT) != OBJECT:
        source.refuse(lines[OBJECT], f"{OBJECT!r} is not a part of another type")
    ended = {OBJECT}
    for name, line in lines.items():
        above = set[str]()
        while name not in ended:
            if name in above:
                source.refuse(line, f"the type {name!r:.60} is a part of itself")
            above.add(name)
            name = parents.get(name, OBJECT)
        ended |= above
    return parents


def read_signatures(source: Source, items: list[Expression], types: Collection[str], what: str) -> Mapping[str, int]:
    """How many arguments each of some predicates or functions has; `- number` may come after functions."""
    found: dict[str, int] = {}
    lines: dict[str, int] = {}
    rest = iter(items)
    for each in rest:
        if what == "function" and str(each) == "-":
            kind = next(rest, each)
            if str(kind) != "number":
                unsupported(source, kind, "is not the type of a number")
            continue
        group = source.group(each, f"a {what}")
        arity = len(read_typed(source, group.items[1:], types, variables=True))
        reserved = UNKNOWN | {"and"} | ({EQUALS} if arity != 2 else set())
        if not group.head or group.head[0] == "?" or ":" in group.head or group.head in reserved:
            source.refuse(group.line, f"{str(group)!r:.60} is not a {what}")
        source.once(lines, group.head, group.line)
        found[group.head] = arity
    return found
