"""What two values share that can be changed."""

from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence, Set
from typing import Any

_LEAVES = (str, bytes, int, float, range, type(None), type)
_CHANGING = (MutableSequence, MutableMapping, MutableSet)


def shared(one: Any, other: Any) -> Any:
    """The first list, dictionary, set or the like that is a part of both values; None if there is none."""
    parts = {id(part): part for part in _changing(one)}
    return next((part for part in _changing(other) if id(part) in parts), None)


def _changing(value: Any) -> Iterator[Any]:
    """Every container within `value` that can be changed, each once."""
    seen: dict[int, Any] = {}
    left = [value]
    while left:
        part = left.pop()
        if id(part) not in seen and not isinstance(part, _LEAVES):
            seen[id(part)] = part
            if isinstance(part, _CHANGING):
                yield part
            left += _within(part)


def _within(part: Any) -> list[Any]:
    if isinstance(part, Mapping):
        return [*part.keys(), *part.values()]
    if isinstance(part, Sequence | Set):
        return list(part)
    slots = [name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*getattr(part, "__dict__", {}).values(), *(getattr(part, name, None) for name in slots)]
