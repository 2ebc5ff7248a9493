"""Priority queues: heaps that are trees, which change their shape as they are used."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Steps, new, procedure, read
from coc_programs.library.lists import loaded
from coc_programs.library.numbers import Number, less
from coc_programs.record import Record

T = TypeVar("T")


class Heap(Record, Generic[T], letters="he"):
    """A heap that is not empty: the least key, what belongs to it, and two heaps of the others; None is an empty one.

    A heap stays as it is: procedures return another. It is a skew heap (Sleator and Tarjan, 1986): of a run of calls
    that begins with an empty heap, each looks at O(log n) records on average.
    """

    key: Number
    item: T
    left: "Heap[T] | None" = None
    right: "Heap[T] | None" = None

    @classmethod
    def store(cls, value: Iterable[Any], stored: Callable[[Any], Any] = lambda item: item) -> Self | None:
        """Return a heap as new records, for pairs of a key and an item."""
        found: Self | None = None
        for key, item in sorted(value, key=lambda pair: pair[0], reverse=True):
            found = cls(key=Number.store(key), item=stored(item), left=found)
        return found

    def load(self, read: Callable[[Any], Any]) -> Any:
        """Return the pairs of a key and an item, each as Python has it, in the order of their keys."""
        found, queue = list[Any](), [self]
        for heap in map(read, queue):
            found.append((loaded(heap.key, read), loaded(heap.item, read)))
            queue += [each for each in (heap.left, heap.right) if each]
        return sorted(found, key=lambda pair: pair[0])


@procedure
def pushed(heap: Heap[T] | None, key: Number, item: T) -> Steps[Heap[T]]:
    """Return a heap with one item more."""
    single: Heap = yield new(Heap, key=key, item=item)
    if not heap:
        return single
    return (yield merged(heap, single))


@procedure
def popped(heap: Heap[T]) -> Steps[Heap[T] | None]:
    """Return a heap without its least key, which a read of the heap gives, with its item."""
    x = yield read(heap)
    if not x.left or not x.right:
        return x.left or x.right
    return (yield merged(x.left, x.right))


@procedure
def merged(a: Heap[T], b: Heap[T]) -> Steps[Heap[T]]:
    """Return a heap of what is in two. Of equal keys, that of the first comes first."""
    x = yield read(a)
    y = yield read(b)
    if (yield less(y.key, x.key)):
        a, b = b, a
    x = yield read(a)
    key, item, left = x.key, x.item, x.left
    if x.right:
        b = yield merged(x.right, b)
    return (yield new(Heap, key=key, item=item, left=b, right=left))
