"""Python values as arguments and results: the records that a program is given for them, and what people write."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from itertools import chain
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from attrs import frozen

from coc_core.text import counted, quoted
from coc_programs.kinds import Kinds, hints_of, kinds_of_hint, reached, union
from coc_programs.record import Record

MOST_VALUES = 200_000
"""The most values of a problem, since a memory holds a million records, and a number takes several."""

_BLANK = re.compile(r"\s*")


@frozen
class Values:
    """The values that a type hint says.

    Attributes:
        plain: Those that need no record: None, a bool, words, numbers.
        classes: The classes of records, each with the values of its type arguments.
    """

    plain: Kinds
    classes: tuple[tuple[type[Record], tuple["Values", ...]], ...] = ()

    @classmethod
    def of(cls, hint: Any, given: Mapping[Any, "Values"] = {}) -> "Values":
        """Return the values of a hint; `given` has those of the type variables in it. TypeError if there are none."""
        origin, arguments = get_origin(hint), get_args(hint)
        if isinstance(hint, TypeVar):
            if hint not in given:
                raise TypeError("the type of elements is missing; write one, as in `List[Number]`")
            return given[hint]
        kind = origin or hint
        if isinstance(kind, type) and issubclass(kind, Record):
            return cls(Kinds(), ((kind, tuple(cls.of(each, given) for each in arguments)),))
        if origin in (Union, UnionType):
            parts = [cls.of(each, given) for each in arguments]
            plain = union(part.plain for part in parts)
            return cls(plain, tuple(dict.fromkeys(chain.from_iterable(part.classes for part in parts))))
        return cls(kinds_of_hint(hint))

    def __str__(self) -> str:
        names = [kind.__name__ + (f"[{', '.join(map(str, of))}]" if of else "") for kind, of in self.classes]
        words = [written(word) for word in sorted(self.plain.words, key=repr)]
        numbers = [str(Kinds(numbers=self.plain.numbers))] if self.plain.numbers else []
        return " or ".join([*names, *words, *numbers])

    @property
    def word(self) -> str:
        """A word for the name of a procedure."""
        return "_".join(re.findall("[A-Za-z]+", str(self)))

    @property
    def kinds(self) -> Kinds:
        """These values, without the arguments of the classes."""
        return self.plain | Kinds(records=frozenset(kind for kind, _ in self.classes))

    @property
    def hint(self) -> Any:
        """The hint of the records, and None if it is one of the values."""
        return Union[(*(kind for kind, _ in self.classes), *([None] if None in self.plain.words else []))]

    def inside(self) -> Iterator["Values"]:
        """Yield the values of the fields of the records."""
        for kind, given in self.classes:
            yield from fields_of(kind, *given).values()

    def read(self, data: Any, records: Mapping[str, Record]) -> Any:
        """Return the value that JSON data state, with these records by name; ValueError if they state none."""
        if self.plain.has(data):
            return data
        for word in self.plain.words:
            if isinstance(word, Enum) and word.name == data:
                return word
        for kind, arguments in self.classes:
            if not hasattr(kind, "store"):
                if isinstance(data, str) and type(records.get(data)) is kind:
                    return records[data]
            elif arguments and isinstance(data, list):
                return [arguments[0].read(each, records) for each in data]
            elif arguments and isinstance(data, dict):
                key = getattr(kind, "key_of", str)
                return {key(name): arguments[-1].read(each, records) for name, each in data.items()}
            elif not isinstance(data, Record):
                return data
        raise ValueError(f"{quoted(written(data), 40)} is not {self}")

    def store(self, value: Any, made: Callable[[Record], Record]) -> Any:
        """Return what a field holds for a value: the value, or a record; `made` gives that of an author's record.

        Raises:
            ValueError: It is none of these values.
        """
        if self.plain.has(value):
            return value
        problems = list[str]()
        for kind, arguments in self.classes:
            if hasattr(kind, "store"):
                try:
                    return kind.store(value, *(partial(each.store, made=made) for each in arguments))
                except ValueError as error:
                    problems.append(f": {error}")
                except (TypeError, AttributeError):  # it is of another type
                    pass
            elif type(value) is kind:
                return made(value)
        raise ValueError(f"{quoted(shown(value), 40)} is not {self}{''.join(problems)}")


def fields_of(kind: type[Record], *arguments: Values) -> Mapping[str, Values]:
    """Return the values of each field of a class of records, given those of its type arguments."""
    given = dict(zip(getattr(kind, "__parameters__", ()), arguments, strict=False))
    hints = hints_of(kind)  # type: ignore[arg-type]  # a class can be hashed
    return {name: Values.of(hints[name], given) for name in kind.field_names()}


def reachable(values: Iterable[Any]) -> list[Record]:
    """Return the records in values, lists and dicts, and all that can be reached from these; each once, in order."""
    found, queue = dict[int, Record](), [*values]
    for value in queue:
        match value:
            case Record() if id(value) not in found:
                found[id(value)] = value
                queue += value.fields.values()
            case list() | tuple():
                queue += value
            case dict():
                queue += chain.from_iterable(value.items())
    return [*found.values()]


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def written(value: Any) -> str:
    """Return a value as JSON in ASCII, with a record as its name; ValueError for what is no value."""
    try:
        return json.dumps(value, default=_name, allow_nan=False)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _name(value: Any) -> str:
    if isinstance(value, Record | Enum):
        return value.name
    raise TypeError(f"{value!r:.40} is no value of a function")


def shown(value: Any) -> str:
    """Return a value for a message, whatever it is."""
    try:
        return written(value)
    except ValueError:
        return repr(value)


def labelled(value: Any, labels: Sequence[str]) -> Any:
    """Return a value with records replaced by their names, of which these are given; ValueError if one has none."""
    match value:
        case Record(number=number):
            if not 0 < number <= len(labels):
                raise ValueError(f"{value} is none of the records of the problem, and its class has no `load`")
            return labels[number - 1]
        case list() | tuple():
            return [labelled(each, labels) for each in value]
        case dict():
            return dict(sorted((labelled(key, labels), labelled(each, labels)) for key, each in value.items()))
    return value


def _size(value: Any) -> int:
    """Return how many values there are in lists and objects."""
    if isinstance(value, list | dict):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1


def readings(text: str) -> list[Any]:
    """Return the JSON values that stand in a text one after the other; ValueError if that is not all there is."""
    found, at = list[Any](), _BLANK.match(text).end()  # type: ignore[union-attr]  # it always matches
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ValueError(f"{quoted(text[error.pos :], 24)} in line {error.lineno} is not JSON") from None
        found.append(value)
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{quoted(text, 24)} is not a whole number")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        most = sys.get_int_max_str_digits()
        raise ValueError(f"a number has {len(text):,} digits, and at most {most:,} are read") from None


_DECODER = json.JSONDecoder(parse_float=_no_number, parse_int=_whole, parse_constant=_no_number)


@frozen
class Parameters:
    """The arguments of a function: how people write them, and what Python and a program are given.

    Attributes:
        values: The values of each argument, by name.
    """

    values: Mapping[str, Values]

    @property
    def own(self) -> Sequence[type[Record]]:
        """The classes whose records are given as they are."""

        def inside(values: Values) -> Iterator[Values]:
            for kind, arguments in values.classes:
                yield from arguments
                if not hasattr(kind, "store"):
                    yield from fields_of(kind).values()

        kinds = (kind for values in reached(self.values.values(), inside) for kind, _ in values.classes)
        return tuple(dict.fromkeys(kind for kind in kinds if not hasattr(kind, "store")))

    @property
    def classes(self) -> Sequence[type[Record]]:
        """The classes of all records that there may be."""
        every = reached(self.values.values(), Values.inside)
        return tuple(dict.fromkeys(kind for values in every for kind, _ in values.classes))

    def data(self, arguments: Sequence[Any]) -> Any:
        """Return arguments as JSON data. Records are named, and follow after the arguments."""
        records = reachable(arguments)
        for number, record in enumerate(records, 1):
            record.number = number
        data = [*arguments, *([{each.name: each.fields for each in records}] if self.own else [])]
        return data if len(data) != 1 else data[0]

    def read(self, text: str) -> tuple[Any, tuple[Any, ...], dict[str, Record]]:
        """Return the JSON data of a text in the usual order, the arguments, and the records by name; or ValueError.

        The text has the arguments one after the other, in a list, or in an object by name. Records by name come last.
        """
        names = [*self.values, *(["records"] if self.own else [])]
        single = len(names) == 1
        try:
            given = readings(text)
            if len(given) == 1 and isinstance(given[0], dict) and given[0].keys() == {*names}:
                given = [given[0][name] for name in names]
            elif len(given) == 1 and isinstance(given[0], list) and not single:
                given = given[0]
            return self._valued(names, given)
        except ValueError:
            with suppress(ValueError):
                if single:
                    return self._valued(names, [text.strip()])  # a text may stand without quotes
            raise

    def _valued(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Any, tuple[Any, ...], dict[str, Record]]:
        if (many := _size(given)) > MOST_VALUES:
            raise ValueError(f"there are {many:,} values in all, and the most is {MOST_VALUES:,}")
        if len(given) != len(names):
            raise ValueError(f"{counted(len(given), 'value')} for the arguments {', '.join(names)}")
        records = self._records(given[-1]) if self.own else {}
        arguments = list[Any]()
        for (name, values), data in zip(self.values.items(), given, strict=False):
            try:
                arguments.append(values.read(data, records))
                values.store(arguments[-1], lambda record: record)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        return given if len(given) != 1 else given[0], tuple(arguments), records

    def _records(self, data: Any) -> dict[str, Record]:
        """Return the records that JSON data state, by name."""
        if not (isinstance(data, dict) and all(isinstance(each, dict) for each in data.values())):
            raise ValueError(f"the records must be an object of objects, by name, not {quoted(written(data), 40)}")
        found = dict[str, Record]()
        for number, name in enumerate(data, 1):
            fitting = [kind for kind in self.own if len(self.own) == 1 or name.rstrip("0123456789") == kind.letters]
            if not fitting:
                raise ValueError(
                    f"the record {quoted(name, 24)} begins with none of {', '.join(kind.letters for kind in self.own)}"
                )
            found[name] = fitting[0].at(number)
        for name, record in found.items():
            fields, known = dict(data[name]), fields_of(type(record))
            try:
                for field in fields.keys() & known.keys():
                    fields[field] = known[field].read(fields[field], found)
                    known[field].store(fields[field], lambda each: each)
                record.__dict__.update(type(record)(**fields).fields)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}: {error}") from None
        return found

    def stored(self, arguments: Sequence[Any], given: Sequence[Record]) -> tuple[list[Any], list[Record]]:
        """Return what a program is given for values, among which are these records; and all records, those first."""
        made = {id(each): type(each).at(0) for each in given}
        for each in given:
            fields = fields_of(type(each))
            for name, value in each.fields.items():
                made[id(each)].__dict__[name] = fields[name].store(value, lambda record: made[id(record)])
        stored = [
            values.store(value, lambda record: made[id(record)])
            for values, value in zip(self.values.values(), arguments, strict=True)
        ]
        return stored, reachable([*made.values(), *stored])
