"""All records of a class, or all calls of a procedure, that type hints allow."""

from collections.abc import Iterator, Sequence
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
    if is_call := isinstance(thing, Procedure):
        hints = hints_of(thing.function, {})
        kinds = {name: kinds_of_hint(hints[name]) for name in thing.parameters}
    else:
        kinds = field_kinds(thing, {})
    columns = [_values(each) for each in kinds.values()]
    if prod(map(len, columns)) > MOST_KINDS:
        problem = f"the types in {thing if is_call else thing.__name__} allow more than {MOST_KINDS:,} kinds"
        raise PluginError(problem, remedy="state those that runs begin with in `kinds()` of the domain")
    for row in product(*columns):
        values = [each.at(place) if isinstance(each, type) else each for place, each in enumerate(row, 1)]
        yield Call(thing, tuple(values)) if is_call else thing(**dict(zip(kinds, values, strict=True)))


def _values(kinds: Kinds) -> Sequence[Any]:
    low, high = kinds.numbers or (0, -1)
    numbers = range(int(low), int(high) + 1) if high - low < MOST_KINDS else range(MOST_KINDS + 1)
    return [*sorted(kinds.words, key=repr), *sorted(kinds.records, key=lambda each: each.__name__), *numbers]
