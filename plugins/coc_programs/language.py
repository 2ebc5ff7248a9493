"""The language of programs: what a procedure may `yield`."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextvars import ContextVar
from types import FunctionType
from typing import Any, TypeVar

from attrs import frozen

from coc_programs.record import Record

RecordT = TypeVar("RecordT", bound=Record)
ResultT = TypeVar("ResultT")

Steps = Generator[Any, Any, ResultT]
"""What a procedure returns, for type checkers: `-> Steps[bool]` means the same as `-> bool`."""


@frozen
class Read:
    """What `read` gives."""

    record: Record


@frozen
class Write:
    """What `write` gives."""

    record: Record
    fields: dict[str, Any]


@frozen
class New:
    """What `new` gives."""

    kind: type[Record]
    fields: dict[str, Any]


@frozen
class Told:
    """An action of a function: it tells a value. `tell` makes it."""

    value: Any


tell = Told


@frozen
class Call:
    """What it gives to call a procedure: its name and its arguments."""

    procedure: "Procedure"
    arguments: tuple[Any, ...]


class Procedure:
    """A generator function that can be compiled. It is made by the decorator `procedure`.

    Attributes:
        bound: The procedures that are arguments of it, by name.
    """

    def __init__(self, function: Callable[..., Any], bound: Mapping[str, "Procedure"] = {}) -> None:
        if not isinstance(function, FunctionType):
            raise TypeError(f"`procedure` decorates a plain `def`, not {function!r}")
        self.function = function
        self.bound = bound
        self.name: str = "_".join([function.__name__, *(each.name for each in bound.values())])
        code = function.__code__
        self.parameters = tuple(name for name in code.co_varnames[: code.co_argcount] if name not in bound)
        self.__doc__ = function.__doc__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Procedure) and (self.function, self.bound) == (other.function, other.bound)

    def __hash__(self) -> int:
        return hash((self.function, *self.bound.values()))

    def given(self, bound: Mapping[str, "Procedure"]) -> "Procedure":
        """Return the procedure that has some arguments already, which are procedures."""
        return Procedure(self.function, bound) if bound else self

    def __call__(self, /, *arguments: Any, **named: Any) -> Call:
        """Return a call, for `yield` in a procedure, or for a program to begin with."""
        given = dict(zip(self.parameters, arguments, strict=False))
        if len(arguments) > len(self.parameters) or {*given} & {*named} or {*given, *named} != {*self.parameters}:
            raise TypeError(f"{self.name} takes the arguments ({', '.join(self.parameters)}), without defaults")
        given.update(named)
        return Call(self, tuple(given[name] for name in self.parameters))

    def __repr__(self) -> str:
        return f"<procedure {self.name}>"


def procedure(function: Callable[..., Any]) -> Procedure:
    """Make a procedure of a generator function, whose arguments have type hints.

    In it, `yield` does one of these:

        cell = yield read(first)            a copy of a record: its fields as they are now
        yield write(cell, seen=True)        change fields of a record
        cell = yield new(Cell, next=first)  make a record; fields that are left out have their defaults
        found = yield visit(first)          call another procedure, with or without its result
        yield Go(first)                     take an action, or write a note
        yield tell(first)                   tell a value, in a function
    """
    return Procedure(function)


def read(record: Record | None) -> Read:
    """Read a record, for `yield`."""
    if not isinstance(record, Record):
        raise TypeError(f"there is no record to read, but {record!r}")
    return Read(record)


def write(record: Record | None, /, **fields: Any) -> Write:
    """Change fields of a record, for `yield`."""
    if not isinstance(record, Record):
        raise TypeError(f"there is no record to write, but {record!r}")
    unknown = {*fields} - {*record.field_names()}
    if unknown or not fields:
        raise TypeError(f"{type(record).__name__} has no field {min(unknown)!r}" if unknown else "nothing to write")
    return Write(record, fields)


def new(kind: type[RecordT], /, **fields: Any) -> New:
    """Make a record, for `yield`."""
    return New(kind, kind(**fields).fields)


_current: ContextVar[Callable[[Record], Record]] = ContextVar("current")
"""What reads a record while a procedure is run as it stands."""


def chain(first: RecordT | None, link: str) -> Iterator[RecordT]:
    """Yield the records that can be reached from one by following a field, for `for`; each is read as `yield
    read(...)`.

    Args:
        first: The first record, None for no records.
        link: The name of the field that refers to the next record, which is read together with the others.
    """
    while first is not None:
        record: Any = _current.get()(first)
        yield record
        first = getattr(record, link)


def each(items: Any) -> Iterator[Any]:
    """Yield the elements of a list of the library, for `for`; none of them is read."""
    here = _current.get()(items)
    while here.next:
        yield here.first
        here = _current.get()(here.next)
