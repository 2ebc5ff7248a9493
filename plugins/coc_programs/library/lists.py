"""Lists of records of any class."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Steps, each, new, procedure, read, write
from coc_programs.library.numbers import Number, successor, zero
from coc_programs.record import Record

T = TypeVar("T")


def loaded(reference: Any, read: Callable[[Any], Any]) -> Any:
    """Return the Python value that a record of any class stands for: itself, if it has no `load`."""
    return reference.load(read) if hasattr(reference := read(reference), "load") else reference


class List(Record, Generic[T], letters="li"):
    """A list: its first element, and the list of those after it. The empty list has neither.

    `yield new(List)` is an empty list, and `yield new(List, first=x, next=items)` has one element more in front.
    """

    first: "T | None" = None
    next: "List[T] | None" = None

    @classmethod
    def store(cls, value: Iterable[Any], stored: Callable[[Any], Any] = lambda element: element) -> Self:
        """Return a list as new records; `stored` returns the record of an element."""
        found = cls()
        for element in reversed([*value]):
            found = cls(first=stored(element), next=found)
        return found

    def load(self, read: Callable[[Any], Any]) -> Any:
        """Return the elements, each as Python has it."""
        return [*self.elements(read)]

    def elements(self, read: Callable[[Any], Any]) -> Iterator[Any]:
        """Yield the elements, each as Python has it."""
        here: Any = read(self)
        while here.next:
            yield loaded(here.first, read)
            here = read(here.next)

    @classmethod
    def kinds(cls) -> Iterator[Self]:
        """Yield a record of each kind that there is."""
        element: Any = Record.at(1)
        yield from (cls(), cls(first=element, next=cls.at(2)))


@procedure
def extended(end: List[T], element: T) -> Steps[List[T]]:
    """Put an element at the end of a list, given its end, which is an empty list; return the new end."""
    fresh = yield new(List)
    yield write(end, first=element, next=fresh)
    return fresh


@procedure
def backwards(items: List[T]) -> Steps[List[T]]:
    """Return a new list with the elements in the opposite order."""
    found: List[T] = yield new(List)
    for element in each(items):
        found = yield new(List, first=element, next=found)
    return found


@procedure
def joint(a: List[T], b: List[T]) -> Steps[List[T]]:
    """Return a list of the elements of one, in new records, and those of another."""
    x = yield read(a)
    if not x.next:
        return b
    return (yield new(List, first=x.first, next=(yield joint(x.next, b))))


@procedure
def length(items: List[T]) -> Steps[Number]:
    """Return the number of elements."""
    count: Number = yield zero()
    for _ in each(items):
        count = yield successor(count)
    return count
