"""Maps by number and by text, and arrays: trees whose paths are the digits of a key."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Steps, each, new, procedure, read, write
from coc_programs.library.lists import loaded
from coc_programs.library.numbers import Number, successor
from coc_programs.library.texts import Text
from coc_programs.record import Record

T = TypeVar("T")


_BITS = ("zero", "one")


class Entry(Record, Generic[T], letters="en"):
    """A key with an item, in a chain, or in a heap."""

    key: Number
    item: "T | None" = None
    next: "Entry[T] | None" = None


class Map(Record, Generic[T], letters="ma"):
    """A map by number. It changes: `put` writes.

    The bits of a key, lowest first, lead to maps of the keys that go on like this: two bits for each digit, and one
    for the last digit, which is 0 or 3. There is the item.
    """

    zero: "Map[T] | None" = None
    one: "Map[T] | None" = None
    key: Number | None = None
    item: "T | None" = None
    key_of = int
    """What a key in a text, which is a text, stands for."""

    @classmethod
    def store(cls, value: Mapping[int, Any], stored: Callable[[Any], Any] = lambda item: item) -> Self:
        """Return a map as new records."""
        found = cls()
        for key, item in value.items():
            here = found
            for bit in _bits(key):
                if getattr(here, bit) is None:
                    setattr(here, bit, cls())
                here = getattr(here, bit)
            here.key, here.item = Number.store(key), stored(item)
        return found

    def load(self, read: Callable[[Any], Any]) -> dict[int, Any]:
        """Return the items by key, each as Python has it."""
        return {loaded(each.key, read): loaded(each.item, read) for each in self.places(read)}

    def places(self, read: Callable[[Any], Any]) -> "Iterator[Map[Any]]":
        """Yield the maps in it that have an item."""
        queue = [self]
        for here in map(read, queue):
            queue += filter(None, (here.zero, here.one))
            if here.item:
                yield here


def _bits(key: int) -> Iterator[str]:
    """Yield the field of each bit that leads to the item of a key."""
    while key not in (0, -1):
        yield _BITS[key & 1]
        yield _BITS[key >> 1 & 1]
        key >>= 2
    yield _BITS[key & 1]


class TextMap(Record, Generic[T], letters="tm"):
    """A map by text: the item of the empty text, and, by the number of a character, the map of what may follow it."""

    item: "T | None" = None
    after: "Map[TextMap[T]]"

    @classmethod
    def store(cls, value: Mapping[str, Any], stored: Callable[[Any], Any] = lambda item: item) -> Self:
        """Return a map as new records."""
        after: dict[int, dict[str, Any]] = {}
        for text in filter(None, value):
            after.setdefault(ord(text[0]), {})[text[1:]] = value[text]
        item = stored(value[""]) if "" in value else None
        return cls(item=item, after=Map.store(after, lambda each: cls.store(each, stored)))

    def load(self, read: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the items by text, each as Python has it."""
        found, queue = dict[str, Any](), [("", self)]
        for before, here in queue:
            here = read(here)
            if here.item:
                found[before] = loaded(here.item, read)
            for place in here.after.places(read):
                queue.append((before + chr(loaded(place.key, read)), place.item))
        return found


class Array(Record, Generic[T], letters="ar"):
    """An array: its elements in a map by index, from 0, and how many there are. It changes: `put_at` writes."""

    elements: Map[T]
    length: Number

    @classmethod
    def store(cls, value: Iterable[Any], stored: Callable[[Any], Any] = lambda element: element) -> Self:
        """Return an array as new records."""
        elements = dict(enumerate(value))
        return cls(elements=Map.store(elements, stored), length=Number.store(len(elements)))

    def load(self, read: Callable[[Any], Any]) -> list[Any]:
        """Return the elements, each as Python has it; None for one that was never put there."""
        here = read(self)
        elements = here.elements.load(read)
        return [elements.get(index) for index in range(loaded(here.length, read))]


# ── maps by number ────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def get(items: Map[T], key: Number) -> Steps[T | None]:
    """Return the item of a key; None if there is none."""
    return (yield read((yield place(items, key)))).item


@procedure
def put(items: Map[T], key: Number, item: T | None) -> Steps[None]:
    """Give a key an item, or none."""
    yield write((yield place(items, key)), key=key, item=item)


@procedure
def place(items: Map[T], key: Number) -> Steps[Map[T]]:
    """Return the map that has the item of a key, which is made if there is none."""
    k = yield read(key)
    while not k.last:
        items = yield branch((yield branch(items, k.digit % 2 == 0)), k.digit < 2)
        k = yield read(k.rest)
    return (yield branch(items, k.digit == 0))


@procedure
def branch(items: Map[T], is_zero: bool) -> Steps[Map[T]]:
    """Return the map of the keys that go on with a bit, which is made if there is none."""
    m = yield read(items)
    found = m.zero if is_zero else m.one
    if not found:
        found = yield new(Map)
        if is_zero:
            yield write(items, zero=found)
        else:
            yield write(items, one=found)
    return found


@procedure
def entries(items: Map[T] | None) -> Steps[Entry[T] | None]:
    """Return the keys that have an item, with these, as a chain for `chain(..., "next")`."""
    return (yield entries_before(items, None))


@procedure
def entries_before(items: Map[T] | None, after: Entry[T] | None) -> Steps[Entry[T] | None]:
    """Return the entries of a map in front of others."""
    if not items:
        return after
    m = yield read(items)
    if m.key and m.item:
        after = yield new(Entry, key=m.key, item=m.item, next=after)
    return (yield entries_before(m.zero, (yield entries_before(m.one, after))))


# ── maps by text ──────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def get_text(items: TextMap[T], key: Text) -> Steps[T | None]:
    """Return the item of a text; None if there is none."""
    return (yield read((yield place_of_text(items, key)))).item


@procedure
def put_text(items: TextMap[T], key: Text, item: T | None) -> Steps[None]:
    """Give a text an item, or none."""
    yield write((yield place_of_text(items, key)), item=item)


@procedure
def place_of_text(items: TextMap[T], key: Text) -> Steps[TextMap[T]]:
    """Return the map of what may follow a text, which is made if there is none."""
    for character in each(key):
        there: Map[TextMap[T]] = yield place((yield read(items)).after, character)
        following = (yield read(there)).item
        if not following:
            following = yield new(TextMap, after=(yield new(Map)))
            yield write(there, key=character, item=following)
        items = following
    return items


# ── arrays ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def get_at(items: Array[T], index: Number) -> Steps[T | None]:
    """Return the element with an index, from 0; None if there is none."""
    return (yield get((yield read(items)).elements, index))


@procedure
def put_at(items: Array[T], index: Number, element: T) -> Steps[None]:
    """Put an element in place of another."""
    yield put((yield read(items)).elements, index, element)


@procedure
def append(items: Array[T], element: T) -> Steps[None]:
    """Put an element after the last."""
    a = yield read(items)
    length = a.length
    yield put(a.elements, length, element)
    length = yield successor(length)
    yield write(items, length=length)
