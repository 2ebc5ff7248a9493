"""The memory: a pushdown stack of instructions, and records by name."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from string import ascii_letters
from typing import Any, NamedTuple

from coc_core.domain import WAITS, record_named, split_record, with_changed
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Memo, Memory, with_returned

Numbers = tuple[str, ...]
"""The numbers of the names in a text, whose place a template has `%s`. So texts that differ in names share one."""

Instruction = tuple[str, Numbers, str]
"""A template, its numbers, and the name of the record that it reads, or nothing."""

Stack = tuple[Instruction, "Stack"] | None
"""The instruction on top, and the stack below it."""

Page = dict[str, tuple[int, str, Numbers]]
"""The place of each record in the order in which they came, and its contents, by its name."""

Pages = list[list[Page]]
"""All records: the hash of a name says the page. A step copies one branch and one page for each record that it writes,
which are small, and shares the others with the contents before it."""

Contents = tuple[Stack, int, Pages, int, int, int, int, re.Pattern[str]]
"""The stack and its depth; the pages of records, which earlier contents share, and their bytes; how many records there
have been, how many of these were dropped, and how many there had been at that time; and the `names` of `First`."""

_PLACE = re.compile("()\0(-?[0-9]+)\0")


class First(str):
    """The window that a run starts with.

    Attributes:
        names: Finds the names of records, in two groups, that a step can write only if its window has them.
    """

    names: re.Pattern[str] = re.compile("(?!)()()")


class Window(NamedTuple):
    """What a step reads: a template, the numbers in it, and the one that a record has that is new."""

    text: str
    numbers: Numbers
    new: int

    def __str__(self) -> str:
        return self.text % self.numbers


Pick = Callable[[Numbers], Any]
"""What picks the numbers of a template from those that a step is given."""

Picked = tuple[str, Pick]
"""A template, and what picks its numbers."""

Changes = Mapping[str, tuple[str, Pick, int]]
"""What becomes of a record when fields of it are written, by the template that it has, empty if it is new: a template,
what picks its numbers from those that it has and those that the step is given, and how much longer it is without them.
"""

Write = tuple[Sequence[tuple[Picked, Changes]], Sequence[tuple[Picked, Picked]], Picked | None, Numbers]
"""What a step writes: the name of each record and its changes; each instruction, in the order in which they are pushed,
and the name of the record that it reads, or nothing; a result; and the numbers to pick from."""


class Heap(Memory[Contents, Window, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is read together with the record of that name. A
    record that is written with some of its fields keeps the others. A result takes the place of the `?` at the end of
    the instruction below. `Limits.stack_depth` limits the number of instructions and records together, and
    `Limits.tape_bytes` the size of the records.

    Records that no instruction reaches, from record to record, are dropped when there are half as many more as after
    the last time; also when there are too many and a sixteenth of them is newer. Then they have empty windows. A
    number is never given again.
    """

    name = "heap"
    spare = 1 << 12
    """The number of new records up to which none is dropped."""

    def start(self, first: str) -> Contents:
        names = getattr(first, "names", First.names)
        *records, instruction = first.split("\n")
        stored = dict(filter(None, map(split_record, records)))
        size = sum(map(len, chain.from_iterable(stored.items())))
        pages = _pages({name: (place, *template(text, names)) for place, (name, text) in enumerate(stored.items())})
        top = *template(instruction, names), (record_named(instruction) or "") if stored else ""
        return (top, None), 1, pages, size, len(stored), 0, len(stored), names

    def read(self, contents: Contents) -> tuple[int, Window] | None:
        stack, count = contents[0], contents[4]
        if stack is None:
            return None
        text, numbers, named = stack[0]
        if named:
            pages = contents[2]
            width = len(pages)
            at = hash(named) % (width * width)
            _, fields, others = pages[at % width][at // width][named]
            text, numbers = f"{text}: {fields}", numbers + others
        return count + contents[1] - 1, tuple.__new__(Window, (text, numbers, count + 1))  # Window(...), but faster

    def write(self, contents: Contents, write: Write) -> Contents:
        stack, depth, pages, size, count, dropped, last, names = contents
        records, pushed, result, given = write
        limits = self.limits
        if (wrote := len(records) + len(pushed) + (result is not None)) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {wrote} windows, the limit is {limits.windows_per_step}")
        assert stack is not None
        stack, width, area = stack[1], len(pages), len(pages) ** 2
        if records:
            pages = pages.copy()
        for (text, pick), changes in records:
            name = text % pick(given)
            at = hash(name) % area
            branch = pages[at % width] = pages[at % width].copy()
            page = branch[at // width] = branch[at // width].copy()
            place, text, old = page.get(name) or (count, "", ())
            text, pick, grown = changes[text]
            numbers = pick(old + given)
            if name not in page:
                size, count = size + len(name), count + 1
                if (named_so := names.fullmatch(name)) and named_so[2] != str(count):
                    raise AddressFault(f"there is no record {name}", text=text % numbers)
            size += grown + len("".join(numbers)) - len("".join(old))
            page[name] = place, text, numbers
        for (text, pick), (named, its) in pushed:
            numbers = pick(given)
            if named:
                named %= its(given)
                at = hash(named) % area
                if named not in pages[at % width][at // width]:
                    raise AddressFault(f"there is no record {named}", text=text % numbers)
            stack = (text, numbers, named), stack
        if result is not None and stack is not None:
            text, numbers, _ = stack[0]
            if not text.endswith(WAITS):
                text = text % numbers  # as the fault shows it
            stack = (with_returned(text, result[0]), numbers + result[1](given), ""), stack[1]
        depth, live = depth + len(pushed) - 1, count - dropped
        full = depth + live > limits.stack_depth or size > limits.tape_bytes
        if count - last > (live >> 4 if full else max(self.spare, last - dropped >> 1)):
            stored = _reached(stack, pages, names)
            size = sum(len(name) + len(text % numbers) for name, (_, text, numbers) in stored.items())
            pages, live, dropped, last = _pages(stored), len(stored), count - len(stored), count
        if depth + live > limits.stack_depth:
            raise LimitFault(
                f"there would be {depth + live:,} instructions and records, the limit is {limits.stack_depth:,}"
            )
        if size > limits.tape_bytes:
            raise LimitFault(f"the records would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return stack, depth, pages, size, count, dropped, last, names

    def windows(self, contents: Contents) -> Sequence[str]:
        stack, _, pages, _, count, *_ = contents
        texts = [""] * count
        for name, (place, text, numbers) in _records(pages):
            texts[place] = f"{name}: {text % numbers}"
        return (*texts, *reversed([text % numbers for text, numbers in _instructions(stack)]))

    def key(self, contents: Contents) -> tuple[int, tuple[Instruction, Pages]]:
        stack = contents[0]
        assert stack is not None
        return contents[1], (stack[0], contents[2])  # in this order, so that the records are seldom compared


def template(text: str, names: re.Pattern[str]) -> tuple[str, Numbers]:
    """Return a text with `%s` for the number of each name, so that it can be formatted with `%`; and the numbers."""
    parts = names.split(text.replace("%", "%%"))  # a text, letters, a number, a text, letters, a number, ..., a text
    numbers = parts[2::3]
    parts[2::3] = ["%s"] * len(numbers)
    return "".join(parts), tuple(numbers)


def gaps(text: str) -> int:
    """Return how many numbers a template takes."""
    return text.replace("%%", "").count("%s")


def picker(places: Sequence[int]) -> Pick:
    """Return a function that returns the items at these places of a tuple, as a tuple."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1 or None) if places else slice(0))


def changes(fields: str, places: Sequence[int]) -> Changes:
    """Return the changes that fields make, whose template takes the numbers at these places of those that are given."""

    def changed(before: str) -> tuple[str, Pick, int]:
        more = gaps(before)
        old = before % tuple(f"\0{place}\0" for place in range(more))
        new = fields % tuple(f"\0{place if place < 0 else more + place}\0" for place in places)
        text, kept = template(with_changed(old, new) if new.count("=") < old.count("=") else new, _PLACE)
        grown = len(text % (("",) * len(kept))) - len(before % (("",) * more))
        return text, picker([*map(int, kept)]), grown

    return Memo(changed)


def _reached(stack: Stack, pages: Pages, names: re.Pattern[str]) -> Page:
    """Return the records that instructions or these reach; and all with other names, which any step could write.

    Letters before a number may be others than those of the record's name, which say of which class it is.
    """
    found, numbered, width = Page(), dict[str, str](), len(pages)
    for name, record in _records(pages):
        if names.fullmatch(name):
            number = name.lstrip(ascii_letters)
            numbered[number] = f"{numbered[number]} {name}" if number in numbered else name
        else:
            found[name] = record
    queue = [*(numbers for _, numbers in _instructions(stack)), *(numbers for *_, numbers in found.values())]
    while queue:
        for name in chain.from_iterable(numbered.pop(number, "").split() for number in queue.pop()):
            at = hash(name) % (width * width)
            found[name] = record = pages[at % width][at // width][name]
            queue.append(record[2])
    return found


def _records(pages: Pages) -> Iterator[tuple[str, tuple[int, str, Numbers]]]:
    return chain.from_iterable(map(dict.items, chain.from_iterable(pages)))


def _instructions(stack: Stack) -> Iterator[tuple[str, Numbers]]:
    while stack is not None:
        (text, numbers, _), stack = stack
        yield text, numbers


def _pages(stored: Page) -> Pages:
    width = 8 + round(len(stored) ** (1 / 3))
    pages: Pages = [[{} for _ in range(width)] for _ in range(width)]
    for name, record in stored.items():
        at = hash(name) % (width * width)
        pages[at % width][at // width][name] = record
    return pages
