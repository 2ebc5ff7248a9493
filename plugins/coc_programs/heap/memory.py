"""The memory: a pushdown stack of instructions, and records by name."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import isqrt
from operator import itemgetter
from string import ascii_letters
from typing import NamedTuple

from coc_core.domain import WAITS, record_named, split_record, with_changed
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Memory, with_returned

Numbers = tuple[str, ...]
"""The numbers of the names in a text, whose place a template has `%s`. So texts that differ in names share one."""

Instruction = tuple[str, Numbers, str]
"""A template, its numbers, and the name of the record that it reads, or nothing."""

Stack = tuple[Instruction, "Stack"] | None
"""The instruction on top, and the stack below it."""

Page = dict[str, tuple[int, str, Numbers]]
"""The place of each record in the order in which they came, and its contents, by its name, whose hash says the page."""

Contents = tuple[Stack, int, list[Page], int, int, int, int, re.Pattern[str]]
"""The stack and its depth; the pages of records, which earlier contents share, and their bytes; how many records there
have been, how many of these were dropped, and how many there had been at that time; and the `names` of `First`."""

_PLACE = re.compile("()\0([0-9]+)\0")


class First(str):
    """The window that a run starts with.

    Attributes:
        names: Finds the names of records, in two groups, that a step can write only if its window has them.
    """

    names: re.Pattern[str] = re.compile("(?!)()()")


class Window(NamedTuple):
    """What a step reads: a template, and the numbers in it, after the one that a record has that is new."""

    text: str
    numbers: Numbers

    def __str__(self) -> str:
        return self.text % self.numbers[1:]


Write = tuple[Sequence[tuple[str, str, Numbers]], Sequence[Instruction], tuple[str, Numbers] | None]
"""What a step writes: records by name, instructions in the order in which they are pushed, and a result."""


class Heap(Memory[Contents, Window, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is read together with the record of that name. A
    record that is written with some of its fields keeps the others. A result takes the place of the `?` at the end of
    the instruction below. `Limits.stack_depth` limits the number of instructions and records together, and
    `Limits.tape_bytes` the size of the records.

    Records that no instruction reaches, from record to record, are dropped when the number of records has doubled since
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
        size = sum(len(name) + len(text) for name, text in stored.items())
        pages = _pages({name: (place, *template(text, names)) for place, (name, text) in enumerate(stored.items())})
        top = *template(instruction, names), (record_named(instruction) or "") if stored else ""
        return (top, None), 1, pages, size, len(stored), 0, len(stored), names

    def read(self, contents: Contents) -> tuple[int, Window] | None:
        stack, depth, pages, _, count, *_ = contents
        if stack is None:
            return None
        text, numbers, named = stack[0]
        found = text, (str(count + 1), *numbers)
        if named:
            _, fields, others = pages[hash(named) % len(pages)][named]
            found = f"{text}: {fields}", found[1] + others
        return count + depth - 1, tuple.__new__(Window, found)  # Window(...), but twice as fast

    def write(self, contents: Contents, write: Write) -> Contents:
        stack, depth, pages, size, count, dropped, last, names = contents
        records, pushed, result = write
        limits = self.limits
        if (width := len(records) + len(pushed) + (result is not None)) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {width} windows, the limit is {limits.windows_per_step}")
        assert stack is not None
        stack = stack[1]
        if records:
            pages = pages.copy()
        for name, text, numbers in records:
            at = hash(name) % len(pages)
            page = pages[at] = pages[at].copy()
            if name in page:
                place, old, olds = page[name]
                size -= len(old % olds)
                text, kept = _changed(old, text)
                numbers = kept(olds + numbers)
            else:
                place, count = count, count + 1
                size += len(name)
                if (named_so := names.fullmatch(name)) and named_so[2] != str(count):
                    raise AddressFault(f"there is no record {name}", text=text % numbers)
            size += len(text % numbers)
            page[name] = place, text, numbers
        for text, numbers, named in pushed:
            if named and named not in pages[hash(named) % len(pages)]:
                raise AddressFault(f"there is no record {named}", text=text % numbers)
            stack = (text, numbers, named), stack
        if result is not None and stack is not None:
            text, numbers, _ = stack[0]
            if not text.endswith(WAITS):
                text = text % numbers  # as the fault shows it
            stack = (with_returned(text, result[0]), numbers + result[1], ""), stack[1]
        depth, live = depth + len(pushed) - 1, count - dropped
        full = depth + live > limits.stack_depth or size > limits.tape_bytes
        if count - last > (live >> 4 if full else max(self.spare, last - dropped)):
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
        for name, (place, text, numbers) in chain.from_iterable(page.items() for page in pages):
            texts[place] = f"{name}: {text % numbers}"
        return (*texts, *reversed([text % numbers for text, numbers in _instructions(stack)]))

    def key(self, contents: Contents) -> tuple[int, tuple[Instruction, list[Page]]]:
        stack, depth, pages, *_ = contents
        assert stack is not None
        return depth, (stack[0], pages)  # in this order, so that the records are seldom compared


def template(text: str, names: re.Pattern[str]) -> tuple[str, Numbers]:
    """Return a text with `%s` for the number of each name, so that it can be formatted with `%`; and the numbers."""
    parts = names.split(text.replace("%", "%%"))  # a text, letters, a number, a text, letters, a number, ..., a text
    numbers = parts[2::3]
    parts[2::3] = ["%s"] * len(numbers)
    return "".join(parts), tuple(numbers)


def gaps(text: str) -> int:
    """Return how many numbers a template takes."""
    return text.replace("%%", "").count("%s")


def picker(places: Sequence[int]) -> Callable[[Numbers], Numbers]:
    """Return a function that returns the items at these places of a tuple, as a tuple."""
    first = places[0] if places else 0
    return itemgetter(*places) if len(places) > 1 else itemgetter(slice(first, first + len(places)))


@lru_cache(1 << 14)
def _changed(before: str, fields: str) -> tuple[str, Callable[[Numbers], Numbers]]:
    """Return the template of a record once fields are changed, and what picks its numbers from the old and the new."""
    places = [f"\0{place}\0" for place in range(gaps(before) + gaps(fields))]
    old, new = before % (*places[: gaps(before)],), fields % (*places[gaps(before) :],)
    text, kept = template(with_changed(old, new) if new.count("=") < old.count("=") else new, _PLACE)
    return text, picker([*map(int, kept)])


def _reached(stack: Stack, pages: list[Page], names: re.Pattern[str]) -> Page:
    """Return the records that instructions or these reach; and all with other names, which any step could write.

    Letters before a number may be others than those of the record's name, which say of which class it is.
    """
    stored = dict(chain.from_iterable(page.items() for page in pages))
    found = {name: record for name, record in stored.items() if not names.fullmatch(name)}
    numbered = defaultdict[str, list[str]](list)
    for name in stored.keys() - found.keys():
        numbered[name.lstrip(ascii_letters)].append(name)
    queue = [*(numbers for _, numbers in _instructions(stack)), *(numbers for *_, numbers in found.values())]
    for numbers in queue:
        for name in chain.from_iterable(numbered.pop(number, ()) for number in numbers):
            found[name] = stored[name]
            queue.append(stored[name][2])
    return found


def _instructions(stack: Stack) -> Iterator[tuple[str, Numbers]]:
    while stack is not None:
        (text, numbers, _), stack = stack
        yield text, numbers


def _pages(stored: Page) -> list[Page]:
    pages: list[Page] = [{} for _ in range(64 + isqrt(len(stored)))]
    for name, record in stored.items():
        pages[hash(name) % len(pages)][name] = record
    return pages
