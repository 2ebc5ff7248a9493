"""Sorting numbers of any length, by merging, and by insertion.

Items stand in a row, and an action puts one of them in front of another. A key is a chain of bits, the highest first,
of which a step reads one. So no prompt grows with the keys, nor with their number.
"""

import itertools
import random
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Annotated, Any

from attrs import frozen

from coc_core.domain import Column, HasScenes, Item as Block, Scene
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, item_codec, list_of, quoted
from coc_programs import Call, Program, Record, Steps, chain, procedure, read, write

MOST_ITEMS = 1000
_ITEM = item_codec("I", "item")


class Bit(Record):
    """A bit of a key."""

    one: bool
    next: "Bit | None" = None


class Item(Record):
    """An item of the row, in a chain of such."""

    key: Bit
    next: "Item | None" = None


def _parse_key(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{quoted(text, 24)} is not a whole number")
    return int(text)


@frozen
class Numbers:
    """A problem: the numbers to sort."""

    keys: Annotated[tuple[int, ...], list_of(Codec(_parse_key), "number")]


Row = tuple[tuple[int, int], ...]
"""The state: each item with its key, from left to right."""


@frozen
class Put:
    """Put an item in front of another."""

    item: int
    before: int


@procedure
def less(a: Bit | None, b: Bit | None) -> Steps[bool]:
    """Yield whether a key is less than another of as many bits."""
    while a:
        x: Bit = yield read(a)
        y: Bit = yield read(b)
        if x.one != y.one:
            return y.one
        a, b = x.next, y.next
    return False


@procedure
def half(first: Item, second: Item | None) -> Steps[Item | None]:
    """Cut a chain, given its first two items, in the middle. Returns the first item behind the cut."""
    last, ahead = first, second
    while ahead:
        x = yield read(ahead)
        if not x.next:
            break
        y = yield read(x.next)
        ahead = y.next
        z = yield read(last)
        last = z.next
    cut: Item = yield read(last)
    yield write(last, next=None)
    return cut.next


@procedure
def merge(a: Item | None, b: Item | None) -> Steps[Item | None]:
    """Make one sorted chain of two, of which the first stands in front of the second. Returns its first item."""
    if not a or not b:
        return a or b
    x = yield read(a)
    y = yield read(b)
    if (yield less(y.key, x.key)):
        yield Put(b.number, a.number)
        yield write(b, next=(yield merge(a, y.next)))
        return b
    yield write(a, next=(yield merge(x.next, b)))
    return a


@procedure
def merge_sort(first: Item | None) -> Steps[Item | None]:
    """Sort a chain, by sorting its halves. Returns its first item."""
    x = yield read(first)
    if not x.next:
        return first
    middle = yield half(first, x.next)
    front = yield merge_sort(first)
    back = yield merge_sort(middle)
    whole: Item = yield merge(front, back)
    return whole


class MergeSort(Program[Numbers, Put, Row], HasScenes[Row]):
    """n numbers to sort. Of equal ones, that which comes first stays first."""

    name = "sort"
    sizes = range(1, MOST_ITEMS + 1)
    problems = Forms(Form.of(Numbers, "{keys}"))
    actions = Forms(Form.of(Put, "Put {item} in front of {before}.", item=_ITEM, before=_ITEM))
    main = merge_sort

    def _problem(self, n: int, rng: random.Random) -> Numbers:
        return Numbers(tuple(rng.choices(range(10 ** rng.randint(1, 3)), k=n)))

    def size(self, problem: Numbers) -> int:
        return len(problem.keys)

    def begin(self, problem: Numbers) -> tuple[Call, Sequence[Record]]:
        """Write all keys with as many bits as the longest one has."""
        length = max(max(problem.keys).bit_length(), 1)
        keys = [[Bit(one=bit == "1") for bit in f"{key:0{length}b}"] for key in problem.keys]
        rows: list[list[Any]] = [[Item(key=bits[0]) for bits in keys], *keys]
        for record, following in itertools.chain.from_iterable(map(pairwise, rows)):
            record.next = following
        return self.main(rows[0][0]), list(itertools.chain.from_iterable(rows))

    def initial(self, problem: Numbers) -> Row:
        return tuple(enumerate(problem.keys, 1))

    def apply(self, state: Row, action: Put) -> Row:
        items = [item for item, _ in state]
        if action.item == action.before or not (action.item in items and action.before in items):
            raise ActionFault(f"there are no two items I{action.item} and I{action.before}")
        place, before = items.index(action.item), items.index(action.before)
        if place + 1 == before:
            raise ActionFault(f"I{action.item} is in front of I{action.before} already")
        row = [*state]
        row.insert(before - (place < before), row.pop(place))
        return tuple(row)

    def is_goal(self, problem: Numbers, state: Row) -> bool:
        return list(state) == sorted(self.initial(problem), key=itemgetter(1))

    def render(self, state: Row, width: int) -> str:
        """Draw a line for each item: its name, its number, and a bar as long as that, if there is room."""
        name, number = len(f"I{len(state)}"), max(len(str(key)) for _, key in state)
        most, room = max(1, *(key for _, key in state)), max(width - name - number - 2, 0)
        lines = (f"{f'I{item}':{name}} {key:{number}} {'█' * (key * room // most)}" for item, key in state)
        return "\n".join(map(str.rstrip, lines))

    def scene(self, state: Row) -> Scene:
        """Return a column for each place; an item's width is 0.25 + 0.75 k / m for a key k, if the largest is m."""
        most = max(1, *(key for _, key in state))
        drawn = (Block(f"I{item}", str(key), 0.25 + 0.75 * (key / most)) for item, key in state)
        return Scene(tuple(Column(str(place), (item,)) for place, item in enumerate(drawn, 1)))


@procedure
def insertion_sort(first: Item) -> Steps[Item | None]:
    """Sort a chain, by merging one item after another into a sorted chain: about n^2 / 4 comparisons."""
    front = None
    for item in chain(first, "next"):
        yield write(item, next=None)
        front = yield merge(front, item)
    return front


class InsertionSort(MergeSort):
    """n numbers to sort. Of equal ones, that which comes first stays first."""

    name = "sort-insertion"
    main = insertion_sort
