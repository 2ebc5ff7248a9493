"""All records of a class, or all calls of a procedure, that type hints allow."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from coc_core.errors import PluginError
from coc_core.program.kinds import Kinds, field_kinds, hints_of, kinds_of_hint
from coc_core.program.language import Call, Procedure
from coc_core.program.record import Record

MOST_KINDS = 100_000
"""The most that `every` gives."""


def every(thing: type[Record] | Procedure) -> Iterator[Any]:
    """All records of a class, or calls of a procedure, that type hints allow; PluginError if more than `MOST_KINDS`."""
    if isinstance(thing, Procedure):
        hints = hints_of(thing.function, {})
        return (Call(thing, row) for row in _rows(thing.name, {n: kinds_of_hint(hints[n]) for n in thing.parameters}))
    kinds = field_kinds(thing, {})
    return (thing(**dict(zip(kinds, row, strict=True))) for row in _rows(thing.__name__, kinds))


def _rows(name: str, kinds: Mapping[str, Kinds]) -> Iterator[tuple[Any, ...]]:
    columns = list[list[Any]]()
    for place, each in enumerate(kinds.values(), 1):
        low, high = each.numbers or (0, -1)
        numbers = range(int(low), int(high) + 1) if high - low < MOST_KINDS else range(MOST_KINDS + 1)
        records = (kind.at(place) for kind in sorted(each.records, key=lambda kind: kind.__name__))
        columns.append([*sorted(each.words, key=repr), *records, *numbers])
    if prod(map(len, columns)) > MOST_KINDS:
        problem, remedy = (
            f"the types of {name} allow more than {MOST_KINDS:,} kinds",
            "state those that runs begin with",
        )
        raise PluginError(problem, remedy=f"{remedy} in `kinds()` of the domain")
    yield from product(*columns)
