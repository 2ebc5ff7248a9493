"""Documents in JSON: read strictly as an object, and then, by the type hints of its class, as a record.

A document is one object in UTF-8, with each key once, no NaN or Infinity, and no number that is too large for a float.
In a record, an `int` is no `bool`, a `float` may be written as an integer, and no key is missing or unknown. A hint
such as `Annotated[int, range(1, 9)]` bounds a number or the length of something, and a pattern in its place a text.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin

import attrs

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

if TYPE_CHECKING:
    from cattrs import Converter

_MAX_BYTES = 1 << 20
_MAX_ENTRIES = 1 << 18  # each may become an object of 64 bytes or more
_MAX_DIGITS = 300  # a float has at most 309 before its point
_GREATEST = 10**18  # number of a range

_NAMES = {int: "a whole number", float: "a number", str: "a text"}
_NAMES |= {bool: "true or false", list: "a list", dict: "an object"}

RecordT = TypeVar("RecordT")


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
        return _converter(sparse).structure(value, kind)
    except Exception as error:
        raise ArtefactError(where + _told(error)) from None


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
    """Says what a value is and what it ought to be; its path goes before that."""


Hook = Callable[[object, object], Any]


@cache
def _converter(sparse: bool) -> "Converter":
    import cattrs  # takes some milliseconds, and not every command reads a document
    from cattrs.cols import is_mapping

    converter = cattrs.Converter(forbid_extra_keys=True)
    for kind in (int, float, str, bool):
        converter.register_structure_hook(kind, partial(_exact, kind))
    converter.register_structure_hook(range, _span)
    converter.register_structure_hook(StrEnum, _choice)
    factories: tuple[tuple[Callable[[Any], bool], Any], ...] = (
        (attrs.has, partial(_record, sparse)),
        (is_mapping, _items),
        (lambda kind: get_origin(kind) in (tuple, Sequence), _items),
        (lambda kind: get_origin(kind) is Annotated, _bounded),
        (lambda kind: get_origin(kind) is Literal, lambda *_: _choice),
    )
    for matches, factory in factories:
        converter.register_structure_hook_factory(matches, factory)
    return converter


def _exact(kind: type, value: object, _: object = None) -> Any:
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    raise _Unfit(f"is {value!a:.80}, not {_NAMES[kind]}")


def _span(value: object, _: object) -> range:
    match value:
        case [first, last] if type(first) is type(last) is int and 0 <= first <= last <= _GREATEST:
            return range(first, last + 1)
    raise _Unfit(f"is {value!a:.80}, not a first and a last number")


def _record(sparse: bool, kind: Any, converter: "Converter") -> Hook:
    from cattrs.gen import make_dict_structure_fn

    structure = make_dict_structure_fn(kind, converter)
    needed = () if sparse else [each.name for each in attrs.fields(kind) if each.init]

    def read(value: Any, _: object) -> Any:
        for name in needed:
            if name not in _exact(dict, value):
                raise _Unfit(f"lacks {name!r}")
        return structure(_exact(dict, value), kind)

    return read


def _items(kind: Any, converter: "Converter") -> Hook:
    """Reads a mapping or a tuple up to the first item that is wrong: a file may have many."""
    from cattrs import IterableValidationError, IterableValidationNote

    is_tuple = get_origin(kind) in (tuple, Sequence)
    name, item = (int, get_args(kind)[0]) if is_tuple else get_args(kind)
    read_name, read_item = converter.get_structure_hook(name), converter.get_structure_hook(item)

    def structure(value: Any, _: object) -> Any:
        found = {}
        for key, each in enumerate(_exact(list, value)) if is_tuple else _exact(dict, value).items():
            try:
                found[read_name(key, name)] = read_item(each, item)
            except Exception as error:
                error.__notes__ = [IterableValidationNote("", key, item)]
                raise IterableValidationError("", [error], kind) from None
        return tuple(found.values()) if is_tuple else found

    return structure


def _bounded(kind: Any, converter: "Converter") -> Hook:
    inner, bound = get_args(kind)
    structure = converter.get_structure_hook(inner)

    def checked(value: object, _: object) -> Any:
        found = structure(value, inner)
        if isinstance(bound, re.Pattern):
            if not bound.fullmatch(found):
                raise _Unfit(f"can't be {found!a:.80}")
            return found
        length, number = ("", found) if isinstance(found, int | float) else ("of length ", len(found))
        if not bound.start <= number < bound.stop:
            raise _Unfit(f"is {length}{number:,}, not from {bound.start:,} to below {bound.stop:,}")
        return found

    return checked


def _choice(value: object, kind: Any) -> Any:
    choices = {str(each): each for each in get_args(kind) or kind}
    if not isinstance(value, str) or value not in choices:
        raise _Unfit(f"is {value!a:.80}, not one of {', '.join(choices)}")
    return choices[value]


def _told(error: Any, path: str = "") -> str:
    """Return what is wrong, with the path of it: of the first thing, if there are several."""
    from cattrs import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError, IterableValidationNote

    place = f": {path[1:]}" if path else ""
    match error:
        case ClassValidationError() | IterableValidationError():
            for inner, note in error.group_exceptions()[0]:
                step = f"[{note.index!a:.80}]" if isinstance(note, IterableValidationNote) else f".{note.name}"
                return _told(inner, path + step)
            return _told(error.exceptions[0], path)
        case KeyError():
            parent, _, name = path.rpartition(".")
            return _told(_Unfit(f"lacks {name!r}"), parent)
        case ForbiddenExtraKeysError():
            return f"{place} has the unknown key {min(error.extra_fields)!a:.80}"
        case _Unfit():
            return f"{place} {error}"
    return f"{place}: {next(iter(error.args), error)}"  # attrs gives more arguments than the message
