"""Priority queues: heaps that are trees, which change their shape as they are used."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Procedure, Steps, new, procedure, read
from coc_programs.library.lists import loaded
from coc_programs.library.maps import Entry
from coc_programs.library.numbers import less
from coc_programs.record import Record

T = TypeVar("T")


class Heap(Record, Generic[T], letters="he"):
    """A heap that is not empty: its least item, and two heaps of the others. None is an empty heap.

    Which of two items is less says a procedure, which is an argument: `less` for a heap of numbers. A heap stays as it
    is, and procedures return another. It is a skew heap (Sleator and Tarjan, 1986): if it began empty, a call looks at
    O(log n) records on average.
    """

    item: T
    left: "Heap[T] | None" = None
    right: "Heap[T] | None" = None

    @classmethod
    def store(cls, value: Iterable[Any], stored: Callable[[Any], Any] = lambda item: item) -> Self | None:
        """Return a heap of items as new records, which have to be in order."""
        found: Self | None = None
        for item in reversed([*value]):
            found = cls(item=stored(item), left=found)
        return found

    def load(self, read: Callable[[Any], Any]) -> list[Any]:
        """Return the items, each as Python has it, in no order."""
        found, queue = list[Any](), [self]
        for heap in map(read, queue):
            found.append(loaded(heap.item, read))
            queue += [each for each in (heap.left, heap.right) if each]
        return found


@procedure
def pushed(heap: Heap[T] | None, item: T, before: Procedure) -> Steps[Heap[T] | None]:
    """Return a heap with one item more; `before` returns whether an item is less than another."""
    return (yield merged(heap, (yield new(Heap, item=item)), before))


@procedure
def popped(heap: Heap[T], before: Procedure) -> Steps[Heap[T] | None]:
    """Return a heap without its least item, which a read of the heap gives."""
    x = yield read(heap)
    return (yield merged(x.left, x.right, before))


@procedure
def merged(a: Heap[T] | None, b: Heap[T] | None, before: Procedure) -> Steps[Heap[T] | None]:
    """Return a heap of what is in two."""
    if not a or not b:
        return a or b
    x = yield read(a)
    y = yield read(b)
    if (yield before(y.item, x.item)):
        a, b = b, a
    x = yield read(a)
    return (yield new(Heap, item=x.item, left=(yield merged(x.right, b, before)), right=x.left))


@procedure
def by_key(a: Entry[T], b: Entry[T]) -> Steps[bool]:
    """Return whether the key of an entry is less than that of another, for a heap of entries."""
    return (yield less((yield read(a)).key, (yield read(b)).key))
