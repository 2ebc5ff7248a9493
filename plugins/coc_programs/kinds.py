"""What values a variable can have, as type hints say or as follows from the source; and how texts write them."""

import re
import sys
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping
from enum import Enum, EnumMeta
from functools import cache
from inspect import get_annotations
from itertools import product
from math import prod
from types import NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from attrs import frozen

from coc_core.errors import PluginError
from coc_core.text import POSITIVE, UNSTATED, Codec, parse_decimal, quoted
from coc_programs.language import Call, Procedure
from coc_programs.record import Record

_WORD = re.compile("[A-Za-z_]+")
_WORDS: Mapping[Any, str] = {None: "-", True: "yes", False: "no"}
_ANY = float("inf")
_FEW = 100  # numbers that a pattern lists
_ALL = frozenset({Record})
MOST_KINDS = 100_000
"""The most that `every` gives."""


@frozen
class Kinds:
    """A set of values.

    Attributes:
        words: None, True, False, and words.
        numbers: The least and the largest number, `-inf` and `inf` for any; None for no number.
        records: The classes of the records that are referred to; `Record` alone for any.
    """

    words: frozenset[Any] = frozenset()
    numbers: tuple[float, float] | None = None
    records: frozenset[type[Record]] = frozenset()

    def __or__(self, other: "Kinds") -> "Kinds":
        numbers = self.numbers or other.numbers
        if self.numbers and other.numbers:
            numbers = min(self.numbers[0], other.numbers[0]), max(self.numbers[1], other.numbers[1])
        records = self.records | other.records
        return Kinds(self.words | other.words, numbers, _ALL if Record in records else records)

    def accepts(self, other: "Kinds") -> bool:
        """Return whether a value of the others can be one of these kinds: None and single numbers are not compared."""
        low, high = other.numbers or (-_ANY, _ANY)
        if other.numbers and not (self.numbers and low <= self.numbers[1] and self.numbers[0] <= high):
            return False
        return (self.is_any or other.records <= self.records) and other.words - {None} <= self.words

    def covers(self, other: "Kinds") -> bool:
        """Return whether each value of the others is one of these."""
        return self | other == self

    def has(self, value: Any) -> bool:
        """Return whether a value is one of these that need no record."""
        if type(value) is int:
            return self.numbers is not None and self.numbers[0] <= value <= self.numbers[1]
        return isinstance(value, bool | str | Enum | None) and value in self.words

    @property
    def is_any(self) -> bool:
        """Whether it has references to any record."""
        return self.records == _ALL

    def taken(self, value: Any) -> Any:
        """Return a value as a text of these kinds has it: a reference to any record without its class."""
        return Record.at(value.number) if self.is_any and isinstance(value, Record) else value

    @property
    def grows(self) -> bool:
        """Whether it has numbers without a limit."""
        return self.numbers is not None and _ANY in map(abs, self.numbers)

    def __str__(self) -> str:
        names = [_WORDS.get(word) or repr(text_of(word)) for word in sorted(self.words, key=repr)]
        if self.numbers:
            names.append("int" if self.grows else f"{self.numbers[0]} to {self.numbers[1]}")
        return " or ".join([*sorted(kind.__name__ for kind in self.records), *names]) or "nothing"

    @property
    def codec(self) -> Codec[Any]:
        """How these values are written: a record by its name, None as `-`, True and False as `yes` and `no`."""
        letters = {kind.letters: kind for kind in self.records}
        words = {text_of(word): word for word in self.words}

        def write(value: Any) -> str:
            if isinstance(value, Record) and (self.is_any or type(value) in self.records):
                if not value.number:
                    raise ValueError(f"a {type(value).__name__} is missing in the list of records")
                return self.taken(value).name  # type: ignore[no-any-return]
            if isinstance(value, bool | str | Enum | None) and value in self.words:
                return text_of(value)
            if self.has(value):
                return str(value)
            raise ValueError(f"{value!r} is not {self}")

        def parse(text: str) -> Any:
            if text in words:
                return words[text]
            name = text.rstrip("0123456789").removesuffix("+")
            if name in letters and name != text:
                return letters[name].at(-1 if text == f"{name}+1" else _positive(text[len(name) :]))
            if self.numbers:
                number = -_positive(text[1:]) if text.startswith("-") else parse_decimal(text)
                if self.has(number):
                    return number
            raise ValueError(f"{quoted(text, 24)} is not {self}")

        found = [re.escape(word) for word in words] + [rf"{name}(?:\+1|{POSITIVE})" for name in letters]
        if self.numbers:
            least, most = self.numbers
            found += (
                map(str, range(int(least), int(most) + 1)) if most - least < _FEW else [f"-?(?:0|{POSITIVE}){UNSTATED}"]
            )
        return Codec(parse, write, f"(?:{'|'.join(found)})")


NOTHING = Kinds(frozenset({None}))
TRUTH = Kinds(frozenset({True, False}))
NUMBER = Kinds(numbers=(-_ANY, _ANY))


def text_of(word: Any) -> str:
    """Return how texts write one of these: a member of an enumeration as `Colour_RED`."""
    return f"{type(word).__name__}_{word.name}" if isinstance(word, Enum) else _WORDS.get(word) or str(word)


def _positive(text: str) -> int:
    number = parse_decimal(text)
    if number == 0:
        raise ValueError("0 stands where a number from 1 is expected")
    return number


def kinds_of_value(value: Any) -> Kinds:
    """Return the kinds of a constant, or of the elements of a table of constants.

    Raises:
        TypeError: No text follows for it.
    """
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return TRUTH
    if type(value) is int:
        return Kinds(numbers=(value, value))
    is_plain = type(value) is str or (isinstance(value, Enum) and not isinstance(value, int | str))
    if is_plain and _WORD.fullmatch(text_of(value)) and value not in _WORDS.values():
        return Kinds(frozenset({value}))
    able = "None, a bool, a number, a member of an Enum, or a word of letters other than yes and no"
    raise TypeError(f"{value!r} has no text; use {able}")


def kinds_of_hint(hint: Any) -> Kinds:
    """Return the kinds that a type hint says.

    Raises:
        TypeError: No text follows from the hint.
    """
    origin, of = get_origin(hint), get_args(hint)
    if hint in (None, NoneType):
        return NOTHING
    if hint is bool:
        return TRUTH
    if hint is int:
        return NUMBER
    kind = Record if isinstance(hint, TypeVar) else origin or hint
    if isinstance(kind, type) and issubclass(kind, Record):
        return Kinds(records=frozenset({kind}))
    if origin is Literal or isinstance(hint, EnumMeta):
        return union(map(kinds_of_value, of or hint))
    if origin in (Union, UnionType):
        return union(map(kinds_of_hint, of))
    if origin is Annotated and of[0] is int and isinstance(of[1], range) and of[1] and of[1].step == 1:
        return Kinds(numbers=(of[1][0], of[1][-1]))
    if origin is Generator:
        return kinds_of_hint(of[2])
    name = hint.__name__ if origin is None and isinstance(hint, type) else hint
    able = "records, None, bool, Literal, an Enum, int or Annotated[int, range(...)]"
    raise TypeError(f"the type {name} has no text; use {able}")


def hints_of_results(function: Any) -> tuple[Any, ...]:
    """Return the type hint of each result of a function: none, one, or several if it says `tuple[...]`."""
    hint = hints_of(function).get("return")
    if get_origin(hint) is Generator:
        hint = get_args(hint)[2]
    if hint in (None, NoneType):
        return ()
    return get_args(hint) if get_origin(hint) is tuple else (hint,)


PARTS = "abcdefghijklmnopqrstuvwxyz"
"""What the parts of a variable are called that holds several results."""


ThingT = TypeVar("ThingT", bound=Hashable)


def reached(first: Iterable[ThingT], following: Callable[[ThingT], Iterable[ThingT]]) -> list[ThingT]:
    """Return things and all that follow from these, each once, in order."""
    found = [*dict.fromkeys(first)]
    known = {*found}
    for each in found:
        new = [*dict.fromkeys(other for other in following(each) if other not in known)]
        known |= {*new}
        found += new
    return found


def union(kinds: Iterable[Kinds]) -> Kinds:
    """Return all values of any of these kinds."""
    found = Kinds()
    for each in kinds:
        found |= each
    return found


@cache
def hints_of(thing: Any) -> dict[str, Any]:
    """Return the type hints of a function, or of the fields of a class of records, which may name classes of its module
    that are not global there.

    Raises:
        TypeError: A hint names something unknown.
    """
    local = {kind.__name__: kind for kind in _all_records(Record) if kind.__module__ == thing.__module__}
    own, found = SimpleNamespace(__annotations__=get_annotations(thing)), dict[str, Any]()
    try:
        for base in getattr(thing, "__mro__", ())[:0:-1]:
            found |= hints_of(base) if base is not Record and issubclass(base, Record) else {}
        return found | get_type_hints(own, {**local, **vars(sys.modules[thing.__module__])}, {}, include_extras=True)
    except (NameError, SyntaxError) as error:
        raise TypeError(f"a type hint of {thing.__name__} is unknown: {error}; define it in the module") from None


@cache
def field_kinds(record: type[Record]) -> dict[str, Kinds]:
    """Return the kinds of each field of a class of records, in order.

    Raises:
        TypeError: A field has a type without a text.
    """
    hints, found = hints_of(record), dict[str, Kinds]()  # type: ignore[arg-type]  # a class can be hashed
    for name in record.field_names():
        try:
            found[name] = kinds_of_hint(hints[name])
        except TypeError as error:
            raise TypeError(f"the field {name!r} of {record.__name__}: {error}") from None
    return found


def _all_records(kind: type[Record]) -> Iterable[type[Record]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all_records(each)


def every(thing: type[Record] | Procedure) -> Iterator[Any]:
    """Return all records of a class, or calls of a procedure, that type hints allow, or that its `kinds()` states;
    PluginError if more than `MOST_KINDS`.
    """
    if isinstance(thing, Procedure):
        hints = hints_of(thing.function)
        return (Call(thing, row) for row in _rows(thing.name, {n: kinds_of_hint(hints[n]) for n in thing.parameters}))
    if stated := getattr(thing, "kinds", None):
        return iter(stated())
    kinds = field_kinds(thing)  # type: ignore[arg-type]  # mypy takes the hash of its records
    return (thing(**dict(zip(kinds, row, strict=True))) for row in _rows(thing.__name__, kinds))


def _rows(name: str, kinds: Mapping[str, Kinds]) -> Iterator[tuple[Any, ...]]:
    columns = list[list[Any]]()
    for place, each in enumerate(kinds.values(), 1):
        low, high = each.numbers or (0, -1)
        numbers = range(int(low), int(high) + 1) if high - low < MOST_KINDS else range(MOST_KINDS + 1)
        records = (kind.at(place) for kind in sorted(each.records, key=lambda kind: kind.__name__))
        columns.append([*sorted(each.words, key=repr), *records, *numbers])
    if prod(map(len, columns)) > MOST_KINDS:
        remedy = "state those that runs begin with in `kinds()` of the domain"
        raise PluginError(f"the types of {name} allow more than {MOST_KINDS:,} kinds", remedy=remedy)
    yield from product(*columns)
