"""Records: what a program stores, and reads one at a time."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import get_annotations
from pathlib import Path
from typing import Any, ClassVar, Self, dataclass_transform

from coc_core.errors import PluginError
from coc_core.text import POSITIVE, Codec, parse_decimal, quoted

_MISSING = object()

_TAKEN = frozenset({"number", "letters", "_defaults", "__bool__", "__len__"})

_compared: ContextVar[list[tuple[int, int]] | None] = ContextVar("compared", default=None)


@dataclass_transform(kw_only_default=True)
class Record:
    """A class of records. Its annotated fields are what a record says.

    A field holds a reference to a record or None, a `bool`, words (a `Literal`), or numbers: few of them
    (`Annotated[int, range(10)]`), or any (`int`), which makes prompts grow. A field with a value in the class has that
    as its default. One of type `Record` refers to a record of any class, which texts call by its number alone, `any7`.

    In a program, a reference gives access to nothing until the record is read; `yield read(cell)` gives a copy with the
    fields as they are then. Two references are equal if they refer to the same record.

    Args:
        letters: What precedes the number in a record's name, such as `C` in `C7`; by default the first letter of the
            class's name.

    Example:
        >>> class Cell(Record):
        ...     next: "Cell | None" = None
        ...     seen: bool = False
        >>> first, second = Cell(), Cell(seen=True)
        >>> first.next = second
        >>> Cell.at(7)
        C7
    """

    letters: ClassVar[str] = "any"
    _defaults: ClassVar[dict[str, Any]] = {}
    number: int
    """Its place in the list of a problem's records, from 1; 0 until it has one, and -1 for one that is new."""

    def __init_subclass__(cls, letters: str = "") -> None:
        super().__init_subclass__()
        cls.letters = letters or cls.__name__.lstrip("_")[:1].upper()
        if not (cls.letters.isascii() and cls.letters.isalpha()):
            raise TypeError(f"the names of {cls.__name__} must begin with letters, not {cls.letters!r}")
        names = get_annotations(cls)
        own = [*names, *(name for name, value in vars(cls).items() if hasattr(value, "__get__"))]
        for name in own:  # references are compared, tested and named in one way
            if name in _TAKEN or (name in dir(Record) and not name.startswith("__annot")):
                frame = sys._getframe(1)
                place = f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}, in {cls.__name__}"
                raise PluginError(f"{place}: every record has a {name!r} of its own", remedy="choose another name")
        cls._defaults = {}
        for base in cls.__mro__[:0:-1]:
            cls._defaults |= getattr(base, "_defaults", {})
        cls._defaults |= {name: cls.__dict__.get(name, _MISSING) for name in names}
        for name in {*names} & {*cls.__dict__}:  # a reference has no fields, not even their defaults
            delattr(cls, name)

    def __init__(self, /, **fields: Any) -> None:
        unknown, values = {*fields} - {*self._defaults}, {**self._defaults, **fields}
        missing = [name for name, value in values.items() if value is _MISSING]
        if unknown or missing:
            wrong = f"has no field {min(unknown)!r}" if unknown else f"needs a value for {missing[0]!r}"
            raise TypeError(f"{type(self).__name__} {wrong}")
        self.number = 0
        self.__dict__.update(values)

    @classmethod
    def at(cls, number: int, fields: Mapping[str, Any] | None = None) -> Self:
        """Return a reference to the record of that number; with its fields, if they have been read."""
        reference = object.__new__(cls)
        reference.number = number
        reference.__dict__.update(fields or {})
        return reference

    @classmethod
    def unfinished(cls) -> Self:
        """Return a record with the defaults of its class. The other fields have yet to be set."""
        return cls.at(0, {name: value for name, value in cls._defaults.items() if value is not _MISSING})

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Return the names of the fields, in the order of the class."""
        return tuple(cls._defaults)

    @classmethod
    def codec(cls) -> Codec[Self]:
        """Return how a text names a record, such as `C7`, for the form of an action or a note that has one."""

        def parse(text: str) -> Any:
            number = text.removeprefix(cls.letters)
            if number == text or number == "0":
                raise ValueError(f"{quoted(text, 24)} is not a name such as {cls.letters}1")
            return cls.at(parse_decimal(number))

        return Codec(parse, repr, f"{cls.letters}{POSITIVE}")

    @property
    def fields(self) -> dict[str, Any]:
        """The fields by name; empty for a reference that has not been read."""
        return {name: self.__dict__[name] for name in self._defaults if name in self.__dict__}

    @property
    def name(self) -> str:
        """What texts call the record, such as `C7`; `C+1` for one that is new."""
        return f"{self.letters}{self.number}" if self.number >= 0 else f"{self.letters}+1"

    def __getattr__(self, field: str) -> Any:
        if field in self._defaults:
            raise AttributeError(
                f"{self.name} has not been read: its {field!r} is known after `yield read(...)`, and a helper function"
                " gets to know it as an argument"
            )
        raise AttributeError(f"{type(self).__name__} has no field {field!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        if self.number == 0 or other.number == 0:
            return self is other
        seen = _compared.get()
        if seen is not None and self.number != other.number and min(self.number, other.number) > 0:
            seen.append((self.number, other.number))
        return self.number == other.number and (type(self) is type(other) or Record in (type(self), type(other)))

    def __hash__(self) -> int:
        return hash(self.number or id(self))

    def __repr__(self) -> str:
        return self.name


@contextmanager
def watching_comparisons() -> Iterator[list[tuple[int, int]]]:
    """Collect the numbers of each two different records that are compared meanwhile, in order; of none that is new."""
    seen = list[tuple[int, int]]()
    token = _compared.set(seen)
    try:
        yield seen
    finally:
        _compared.reset(token)
