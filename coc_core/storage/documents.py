"""Documents in JSON: read strictly as an object, and then, by the type hints of its class, as a record.

A document is one object in UTF-8, with each key once, no NaN or Infinity, and no number that is too large for a float.
In a record, an `int` is no `bool`, a `float` may be written as an integer, and no key is missing or unknown. A hint
such as `Annotated[int, range(1, 9)]` bounds a number or the length of something, and a pattern in its place a text.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import attrs

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

_MAX_BYTES = 1 << 20
_MAX_ENTRIES = 1 << 19  # each may become an object of 64 bytes or more
_MAX_DIGITS = 300  # a float has at most 309 before its point
_GREATEST = 10**18  # number of a range

_NAMES = {int: "a whole number", float: "a number", str: "a text"}
_NAMES |= {bool: "true or false", list: "a list", dict: "an object"}

RecordT = TypeVar("RecordT")
Reader = Callable[[Any], Any]
"""Returns what a value stands for."""


def read_json(path: Path, max_bytes: int = _MAX_BYTES) -> dict[str, Any]:
    """Return a file's JSON object; ArtefactError if it is over `max_bytes`, can't be read or is no strict JSON."""
    return parse_json_object(read_bytes(path, max_bytes), str(path))


def parse_json_object(data: bytes, where: str) -> dict[str, Any]:
    """Parse a JSON object; ArtefactError, which calls it `where`, if it is no strict one or has too many entries."""
    if sum(map(data.count, (b",", b"[", b"{"))) > _MAX_ENTRIES:
        raise ArtefactError(f"{where} has more than {_MAX_ENTRIES:,} entries")
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=unique_keys,
            parse_constant=_no_constant,
            parse_int=_integer,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"{where} is not strict JSON: {error}") from None
    if not isinstance(value, dict):
        raise ArtefactError(f"{where} is not a JSON object")
    return value


def read_document(kind: type[RecordT], value: object, where: str, *, sparse: bool = False) -> RecordT:
    """Turn a value, as `parse_json_object` returns it, into a record.

    >>> @attrs.frozen
    ... class Point:
    ...     x: int
    ...     names: tuple[str, ...] = ()
    >>> read_document(Point, {"x": 3}, "the point", sparse=True)
    Point(x=3, names=())
    >>> read_document(Point, {"x": 3, "names": ["a", 7]}, "the point")
    Traceback (most recent call last):
    coc_core.errors.ArtefactError: the point: names[1] is 7, not a text

    Args:
        kind: An attrs class. Its fields are numbers, texts, bools, literals, enumerations, mappings, tuples, other such
            classes, or Any; and a `range` is written as its first and its last number.
        value: The value.
        where: What it is called in error messages.
        sparse: Whether keys may be missing whose fields have a default.

    Raises:
        ArtefactError: It is not such a record; the message names the path of the first thing that is wrong.
    """
    try:
        return _reader(kind, sparse)(value)  # type: ignore[arg-type, no-any-return]
    except _Unfit as unfit:
        raise ArtefactError(f"{where}{unfit}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object that has these pairs, for `json`; ValueError if a key appears twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not strict JSON")


def _integer(text: str) -> int:
    if text == "-0":
        raise ValueError("-0 must be written 0")
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has {len(text):,} digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


class _Unfit(ValueError):
    """Says what a value is and what it ought to be, after the path to it."""

    def __init__(self, told: str, path: str = "") -> None:
        super().__init__(f": {path.removeprefix('.')}{told}" if path else told)
        self.told, self.path = told, path


@cache
def _reader(hint: Any, sparse: bool) -> Reader:
    """Return what reads a value by a type hint."""
    kind, of = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: value
    if NoneType in of:
        read = _reader(next(each for each in of if each is not NoneType), sparse)
        return lambda value: None if value is None else read(value)
    if kind is Annotated:
        return partial(_bounded, _reader(of[0], sparse), of[1])
    if kind in (tuple, Sequence):
        return partial(_items, _reader(of[0], sparse))
    if kind in (dict, Mapping):
        return partial(_entries, *(_reader(each, sparse) for each in of))
    if hint is range:
        return _span
    if attrs.has(hint):
        hints = get_type_hints(hint, include_extras=True)
        stated = [each for each in attrs.fields(hint) if each.init]
        needed = [each.name for each in stated if not sparse or each.default is attrs.NOTHING]
        readers = {each.name: _reader(hints[each.name], sparse) for each in stated}
        return partial(_record, hint, readers, needed, sparse)
    if kind is Literal or issubclass(hint, StrEnum):
        return partial(_choice, {str(each): each for each in of or hint})
    return partial(_exact, hint)


def _at(step: str, read: Reader, value: Any) -> Any:
    try:
        return read(value)
    except _Unfit as unfit:
        raise _Unfit(unfit.told, step + unfit.path) from None


def _exact(kind: type, value: Any) -> Any:
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    raise _Unfit(f" is {value!a:.80}, not {_NAMES[kind]}")


def _span(value: Any) -> range:
    match value:
        case [first, last] if type(first) is type(last) is int and 0 <= first <= last <= _GREATEST:
            return range(first, last + 1)
    raise _Unfit(f" is {value!a:.80}, not a first and a last number")


def _record(kind: Any, readers: Mapping[str, Reader], needed: Sequence[str], sparse: bool, value: Any) -> Any:
    document, found = _exact(dict, value), {}
    missing = [name for name in needed if name not in document]
    for name in readers if sparse else [*missing, *readers]:
        if name in missing:
            raise _Unfit(f" lacks {name!r}")
        if name in document:
            found[name] = _at(f".{name}", readers[name], document[name])
    if unknown := document.keys() - found.keys():
        raise _Unfit(f" has the unknown key {min(unknown)!a:.80}")
    try:
        return kind(**found)
    except Exception as error:  # attrs gives more arguments than the message
        raise _Unfit(f": {next(iter(error.args), error)}") from None


def _items(read: Reader, value: Any) -> tuple[Any, ...]:
    return tuple([_at(f"[{place}]", read, each) for place, each in enumerate(_exact(list, value))])


def _entries(read_name: Reader, read: Reader, value: Any) -> dict[Any, Any]:
    return {
        _at(f"[{name!a:.80}]", read_name, name): _at(f"[{name!a:.80}]", read, each)
        for name, each in _exact(dict, value).items()
    }


def _bounded(read: Reader, bound: Any, value: Any) -> Any:
    found = read(value)
    if isinstance(bound, re.Pattern):
        if not bound.fullmatch(found):
            raise _Unfit(f" can't be {found!a:.80}")
        return found
    length, number = ("", found) if isinstance(found, int | float) else ("of length ", len(found))
    if not bound.start <= number < bound.stop:
        raise _Unfit(f" is {length}{number:,}, not from {bound.start:,} to below {bound.stop:,}")
    return found


def _choice(choices: Mapping[str, Any], value: Any) -> Any:
    if not isinstance(value, str) or value not in choices:
        raise _Unfit(f" is {value!a:.80}, not one of {', '.join(choices)}")
    return choices[value]
