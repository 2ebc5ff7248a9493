"""Maps by number and by text, and arrays: trees whose paths are the digits of a key."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, Self, TypeVar

from coc_programs.language import Steps, each, new, procedure, read, write
from coc_programs.library.lists import List, loaded
from coc_programs.library.numbers import Number, successor
from coc_programs.library.texts import Text
from coc_programs.record import Record

T = TypeVar("T")


_BITS = ("zero", "one")


class Entry(Record, Generic[T], letters="en"):
    """A key with its item, or with none as long as nothing was put there."""

    key: Number
    item: "T | None" = None


class Map(Record, Generic[T], letters="ma"):
    """A map by number. It changes: `put` writes.

    The next digit of a key, lowest first, leads by its low bit and its high bit to the map of the keys that go on like
    this; the last digit, 0 or 3, leads to an entry.
    """

    digits: "Low[T] | None" = None
    ends: "Ends[T] | None" = None
    key = int

    @classmethod
    def store(cls, value: Mapping[Any, Any], stored: Callable[[Any], Any] = lambda item: item) -> Self:
        """Return a map as new records."""
        found = cls()
        for key, item in value.items():
            here, rest = found, int(key)
            while rest not in (0, -1):
                low = _part(_part(here, "digits", Low), _BITS[rest & 1], High)
                here, rest = _part(low, _BITS[rest >> 1 & 1], Map), rest >> 2
            entry = Entry(key=Number.store(int(key)), item=stored(item))
            setattr(_part(here, "ends", Ends), "minus" if rest else "plus", entry)
        return found

    def load(self, read: Callable[[Any], Any]) -> dict[int, Any]:
        """Return the items by key, each as Python has it."""
        return {loaded(each.key, read): loaded(each.item, read) for each in self.entries(read)}

    def entries(self, read: Callable[[Any], Any]) -> Iterator[Entry[Any]]:
        """Yield the entries that have an item."""
        queue = [self]
        for here in map(read, queue):
            yield from (entry for entry in _read(here.ends, read) if entry.item)
            for high in _read(here.digits, read):
                queue += filter(None, high.fields.values())


class Low(Record, Generic[T], letters="lo"):
    """Of a map: what follows from the low bit of a digit."""

    zero: "High[T] | None" = None
    one: "High[T] | None" = None


class High(Record, Generic[T], letters="hi"):
    """Of a map: what follows from the high bit of a digit."""

    zero: Map[T] | None = None
    one: Map[T] | None = None


class Ends(Record, Generic[T], letters="ed"):
    """Of a map: the entries of two keys, of which one is positive or 0, and the other negative."""

    plus: Entry[T] | None = None
    minus: Entry[T] | None = None


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
            for entry in here.after.entries(read):
                queue.append((before + chr(loaded(entry.key, read)), entry.item))
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


def _read(reference: Any, read: Callable[[Any], Any]) -> list[Any]:
    """Return the records that one refers to, read; none of no record."""
    return [read(each) for each in read(reference).fields.values() if each] if reference else []


def _part(record: Any, name: str, kind: type[Record]) -> Any:
    """Return what a field refers to, after making it if it refers to nothing."""
    if getattr(record, name) is None:
        setattr(record, name, kind())
    return getattr(record, name)


# ── maps by number ────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def get(items: Map[T], key: Number) -> Steps[T | None]:
    """Return the item of a key; None if there is none."""
    entry: Entry[T] | None = yield place(items, key, False)
    if not entry:
        return None
    return (yield read(entry)).item


@procedure
def put(items: Map[T], key: Number, item: T | None) -> Steps[None]:
    """Give a key an item, or none."""
    yield write((yield place(items, key, True)), item=item)


@procedure
def place(items: Map[T], key: Number, make: bool) -> Steps[Entry[T] | None]:
    """Return the entry of a key; if there is none, make it, or return None."""
    whole = key
    k = yield read(key)
    while not k.last:
        digit, key = k.digit, k.rest
        m = yield read(items)
        low = m.digits
        if not low and not make:
            return None
        if not low:
            low = yield new(Low)
            yield write(items, digits=low)
        n = yield read(low)
        high = n.zero if digit % 2 == 0 else n.one
        if not high and not make:
            return None
        if not high:
            high = yield new(High)
            if digit % 2 == 0:
                yield write(low, zero=high)
            else:
                yield write(low, one=high)
        h = yield read(high)
        items = h.zero if digit < 2 else h.one
        if not items and not make:
            return None
        if not items:
            items = yield new(Map)
            if digit < 2:
                yield write(high, zero=items)
            else:
                yield write(high, one=items)
        k = yield read(key)
    minus = k.digit == 3
    m = yield read(items)
    ends = m.ends
    if not ends and not make:
        return None
    if not ends:
        ends = yield new(Ends)
        yield write(items, ends=ends)
    e = yield read(ends)
    entry = e.minus if minus else e.plus
    if not entry and not make:
        return None
    if not entry:
        entry = yield new(Entry, key=whole)
        if minus:
            yield write(ends, minus=entry)
        else:
            yield write(ends, plus=entry)
    return entry


@procedure
def entries(items: Map[T], after: List[Entry[T]]) -> Steps[List[Entry[T]]]:
    """Return a list of the entries that have an item, and after them those of another list."""
    m = yield read(items)
    digits = m.digits
    if m.ends:
        e = yield read(m.ends)
        for sign in ("plus", "minus"):
            entry = getattr(e, sign)
            if entry and (yield read(entry)).item:
                after = yield new(List, first=entry, next=after)
    if digits:
        n = yield read(digits)
        for bit in _BITS:
            if getattr(n, bit):
                h = yield read(getattr(n, bit))
                for other in _BITS:
                    if getattr(h, other):
                        after = yield entries(getattr(h, other), after)
    return after


# ── maps by text ──────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def get_text(items: TextMap[T], key: Text) -> Steps[T | None]:
    """Return the item of a text; None if there is none."""
    for character in each(key):
        entry: Entry[TextMap[T]] | None = yield place((yield read(items)).after, character, False)
        if not entry:
            return None
        after = (yield read(entry)).item
        if not after:
            return None
        items = after
    return (yield read(items)).item


@procedure
def put_text(items: TextMap[T], key: Text, item: T | None) -> Steps[None]:
    """Give a text an item, or none."""
    yield write((yield place_of_text(items, key)), item=item)


@procedure
def place_of_text(items: TextMap[T], key: Text) -> Steps[TextMap[T]]:
    """Return the map of what may follow a text, which is made if there is none."""
    for character in each(key):
        entry: Entry[TextMap[T]] = yield place((yield read(items)).after, character, True)
        e = yield read(entry)
        if e.item:
            items = e.item
        else:
            after: Map[TextMap[T]] = yield new(Map)
            items = yield new(TextMap, after=after)
            yield write(entry, item=items)
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
