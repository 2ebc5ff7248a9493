"""Sorting numbers of any length, by merging, and by insertion.

A key is a chain of bits, of which a step reads one. So no prompt grows with the keys, nor with their number.
"""

import random
from collections.abc import Mapping, Sequence
from decimal import Decimal, Inexact, localcontext
from typing import Annotated, Any

from attrs import frozen

from coc_algorithms.shared import Answer, begun, linked
from coc_core.domain import Column, HasScenes, Item as Block, ReadsItems, Scene
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, Whole, item_codec, list_of
from coc_programs import Call, Program, Record, Steps, chain, procedure, read, write


class Bit(Record):
    """A bit of a key, the highest first."""

    one: bool
    next: "Bit | None" = None


class Item(Record):
    """An item of the row, in a chain of such."""

    key: Bit
    next: "Item | None" = None


@frozen
class Put:
    """The action: put an item in front of another."""

    item: Annotated[int, item_codec("I", "item")]
    before: Annotated[int, item_codec("I", "item")]


@procedure
def less(a: Bit, b: Bit | None) -> Steps[bool]:
    """Return whether a key is less than another of as many bits."""
    for x in chain(a, "next"):
        y = yield read(b)
        if x.one != y.one:
            return y.one
        b = y.next
    return False


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
def merge_sort(first: Item) -> Steps[Item | None]:
    """Sort a chain: cut it in the middle, sort both halves, and merge them. Returns its first item."""
    last, even = first, False
    for _ in chain((yield read(first)).next, "next"):
        if even:
            last = (yield read(last)).next
        even = not even
    middle = (yield read(last)).next
    if not middle:
        return first
    yield write(last, next=None)
    front = yield merge_sort(first)
    return (yield merge(front, (yield merge_sort(middle))))


@procedure
def insertion_sort(first: Item) -> Steps[Item | None]:
    """Sort a chain, by merging one item after another into a sorted chain: about n^2 / 4 comparisons."""
    front = None
    for item in chain(first, "next"):
        yield write(item, next=None)
        front = yield merge(front, item)
    return front


@frozen
class Numbers:
    """A problem: the numbers to sort."""

    keys: Annotated[tuple[int, ...], list_of(Codec(Whole(least=0, digits=4000).read), "number")]


Row = tuple[tuple[int, int], ...]
"""The state: each item with its key, from left to right."""


class MergeSort(Program[Numbers, Put, Row], HasScenes[Row], ReadsItems):
    """n numbers to sort. Of equal ones, that which comes first stays first."""

    name = "sort"
    sizes = range(1, 1001)
    problems = Forms(Form.of(Numbers, "{keys}"))
    actions = Forms(Form.of(Put, "Put {item} in front of {before}."))
    main = merge_sort
    datasets = frozenset({"number_sorting"})

    def item(self, told: Mapping[str, Any]) -> str:
        """Return the numbers as whole ones: with as many decimals for each, and the least one 0."""
        with localcontext(prec=10_000) as exact:
            exact.traps[Inexact] = True
            found = [Decimal(number) for number in told["original_numbers"]]
            unit = min(Decimal(1), *(Decimal((0, (1,), int(number.as_tuple().exponent))) for number in found))
            return f"[{', '.join(str(int((number - min(found)) / unit)) for number in found)}]"

    def answer_to(self, told: Mapping[str, Any], problem: Numbers) -> Answer:
        given, turn = told["original_numbers"], -1 if told["direction"] == "descending" else 1
        return Answer(self, problem, lambda state: str([given[item - 1] for item, _ in state[::turn]]))

    def _problem(self, n: int, rng: random.Random) -> Numbers:
        return Numbers(tuple(rng.choices(range(10 ** rng.randint(1, 3)), k=n)))

    def size(self, problem: Numbers) -> int:
        return len(problem.keys)

    def begin(self, problem: Numbers) -> tuple[Call, Sequence[Record]]:
        """Write all keys with as many bits as the longest one has."""
        digits = max(max(problem.keys).bit_length(), 1)
        items = [Item(key=linked(Bit(one=bit == "1") for bit in f"{key:0{digits}b}")) for key in problem.keys]
        return begun(self.main(linked(items)), items)

    def initial(self, problem: Numbers) -> Row:
        return tuple(enumerate(problem.keys, 1))

    def apply(self, state: Row, action: Put) -> Row:
        items = [item for item, _ in state]
        if action.item in items and action.before in items:
            place, before = items.index(action.item), items.index(action.before)
            if before - place not in (0, 1):
                row = [*state]
                row.insert(before - (place < before), row.pop(place))
                return tuple(row)
        raise ActionFault(f"I{action.item} can't be put in front of I{action.before}")

    def is_goal(self, problem: Numbers, state: Row) -> bool:
        return state == tuple(sorted(enumerate(problem.keys, 1), key=lambda pair: pair[1]))

    def scene(self, state: Row) -> Scene:
        """Return a bar for each item, as high as its key."""
        most = max(1, *(key for _, key in state))
        drawn = (Block(f"I{item}", str(key), key / most, "number") for item, key in state)
        return Scene(tuple(Column(str(place), (item,)) for place, item in enumerate(drawn, 1)), kind="bars")


class InsertionSort(MergeSort):
    """n numbers to sort. Of equal ones, that which comes first stays first."""

    name = "sort-insertion"
    datasets = frozenset()
    main = insertion_sort
