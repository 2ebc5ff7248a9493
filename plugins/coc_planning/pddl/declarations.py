"""What a domain or a problem declares: types, objects, predicates and functions, each name once."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from coc_core.errors import UnsupportedError
from coc_planning.pddl.expressions import Expression, Group, Source, Word
from coc_planning.pddl.task import EQUALS, OBJECT, Types

CHANGES = {"increase", "decrease", "assign", "scale-up", "scale-down"}
COMPARISONS = {EQUALS, "<", ">", "<=", ">="}
NOT_PREDICATES = {"and", "or", "not", "imply", "forall", "exists", "when", "preference"} | CHANGES | COMPARISONS
"""What begins a formula or an effect, and is not a predicate."""

_MOST_TYPES, _DEEPEST = 10_000, 100


Kinds = dict[str, frozenset[str]]
"""For each type, those that it is a part of, itself among them. One that is used and not declared is put in."""


def read_typed(
    source: Source,
    items: list[Expression],
    types: Kinds | None = None,
    *,
    variables: bool = False,
    lines: dict[str, int] | None = None,
) -> dict[str, Types]:
    """Return the type of each name in a list such as `a b - block c`, `object` where none is written. Types are any by
    default; variables begin with a question mark; `lines` gets the line of each name.
    """
    found: dict[str, Types] = {}
    lines = {} if lines is None else lines
    for word, kinds in _typed_words(source, items, types, variables=variables):
        source.once(lines, word.text, word.line)
        found[word.text] = kinds
    return found


def _typed_words(
    source: Source, items: list[Expression], types: Kinds | None = None, *, variables: bool = False
) -> Iterator[tuple[Word, Types]]:
    """Yield the names in such a list, each as often as it is there, with its types."""
    pending = list[Word]()
    rest = iter(items)
    for each in rest:
        if isinstance(each, Group):
            unsupported(source, each, "is not a name")
        if each.text == "-":
            kind = next(rest, each)
            kinds = _kinds(source, kind, types)
            if not pending:
                source.refuse(kind.line, f"the type {str(kind)!r:.60} is not that of a name")
            yield from ((name, kinds) for name in pending)
            pending.clear()
        elif each.text.startswith(":"):
            source.refuse(each.line, f"{each.text!r:.60} is not a name")
        elif each.text.startswith("?") != variables:
            source.refuse(each.line, f"{each.text!r:.60} is {'not ' if variables else ''}a variable")
        else:
            pending.append(each)
    yield from ((name, (OBJECT,)) for name in pending)


def _kinds(source: Source, kind: Expression, types: Kinds | None) -> Types:
    """Return the type that is written after a hyphen, or those of `(either ...)`."""
    words = kind.items[1:] if isinstance(kind, Group) and kind.head == "either" else [kind]
    for each in words or [kind]:
        if not isinstance(each, Word) or each.text == "-":
            unsupported(source, each, "is not the name of a type")
        if types is not None:
            types.setdefault(each.text, frozenset([each.text, OBJECT]))
    return tuple(dict.fromkeys(map(str, words)))


def read_types(source: Source, items: list[Expression]) -> Kinds:
    """Return the types that are declared. One that is there twice is a part of several."""
    lines, parents = dict[str, int](), dict[str, Types]()
    for word, kinds in _typed_words(source, items):
        lines.setdefault(word.text, word.line)
        parents[word.text] = tuple(dict.fromkeys((*parents.get(word.text, ()), *kinds)))
    if parents.pop(OBJECT, (OBJECT,)) != (OBJECT,):
        source.refuse(lines[OBJECT], f"{OBJECT!r} is not a part of another type")
    found = {OBJECT: frozenset([OBJECT])}
    try:
        order = [*TopologicalSorter(parents).static_order()]
    except CycleError as error:
        name = next(each for each in parents if each in error.args[1])
        source.refuse(lines[name], f"the type {name!r:.60} is a part of itself")
    for name in order:
        found[name] = frozenset([name]).union(*(found[each] for each in parents.get(name, (OBJECT,))))
        if len(found[name]) > _DEEPEST or len(found) > _MOST_TYPES:
            limits = f"more than {_MOST_TYPES:,} types, or a type is a part of more than {_DEEPEST} others"
            source.refuse(items[0].line, f"there are {limits}")
    return found


def read_signatures(
    source: Source, items: list[Expression], types: Kinds, what: str
) -> Mapping[str, tuple[Types, ...]]:
    """Return the types of the arguments of predicates or functions, after which may be `- number`. Their names bind
    nothing, so one may be there twice.
    """
    found: dict[str, tuple[Types, ...]] = {}
    lines: dict[str, int] = {}
    rest = iter(items)
    for each in rest:
        if what == "function" and str(each) == "-":
            kind = next(rest, each)
            if str(kind) != "number":
                unsupported(source, kind, "is not the type of a number")
            continue
        group = source.group(each, f"a {what}")
        arguments = tuple(kinds for _, kinds in _typed_words(source, group.items[1:], types, variables=True))
        reserved = NOT_PREDICATES - ({EQUALS} if len(arguments) == 2 else set())
        if not group.head or group.head[0] == "?" or ":" in group.head or group.head in reserved:
            source.refuse(group.line, f"{str(group)!r:.60} is not a {what}")
        source.once(lines, group.head, group.line)
        found[group.head] = arguments
    return found


def unsupported(source: Source, expression: Expression, what: str, remedy: str = "") -> NoReturn:
    """Raise UnsupportedError for what is PDDL, and more than coc knows."""
    raise UnsupportedError(f"{source.path}:{expression.line}: {str(expression)!r:.80} {what}", remedy=remedy)
