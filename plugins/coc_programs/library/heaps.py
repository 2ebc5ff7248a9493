"""Priority queues: heaps that are trees, which change their shape as they are used."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Procedure, Steps, new, procedure, read
from coc_programs.library.lists import loaded
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
def pushed(heap: Heap[T] | None, item: T, before: Procedure) -> Steps[Heap[T]]:
    """Return a heap with one item more; `before` returns whether an item is less than another."""
    single: Heap[T] = yield new(Heap, item=item)
    if not heap:
        return single
    return (yield merged(heap, single, before))


@procedure
def popped(heap: Heap[T], before: Procedure) -> Steps[Heap[T] | None]:
    """Return a heap without its least item, which a read of the heap gives."""
    x = yield read(heap)
    if not x.left or not x.right:
        return x.left or x.right
    return (yield merged(x.left, x.right, before))


@procedure
def merged(a: Heap[T], b: Heap[T], before: Procedure) -> Steps[Heap[T]]:
    """Return a heap of what is in two."""
    x = yield read(a)
    y = yield read(b)
    if (yield before(y.item, x.item)):
        a, b = b, a
    x = yield read(a)
    item, left = x.item, x.left
    if x.right:
        b = yield merged(x.right, b, before)
    return (yield new(Heap, item=item, left=b, right=left))
