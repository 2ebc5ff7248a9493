"""The memory: a pushdown stack of instructions, and records by name."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from coc_core.domain import number_new, record_named, split_record, with_changed
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Memory, Returned, with_returned

Stack = tuple[tuple[str, str | None], "Stack"] | None
"""The instruction on top with the name of its record, if it names one; and the stack below it."""

WIDTH = 64
"""The number of rows, and of pages in each row. A step copies them, and the page of each record that it writes."""

Page = dict[str, tuple[int, str]]
"""The place of each record in the order in which they came, and its contents, by its name."""

Records = list[list[Page]]
"""Rows of pages. The hash of a name says which row and page. Earlier contents share them, so they are never changed."""

_EMPTY: list[Page] = [{}] * WIDTH
"""A row, and a page in it, that all contents share until a record is stored there."""

Contents = tuple[Stack, int, Records, int, int, int]
"""The stack and its depth, the records and their number, the bytes of all, and a hash of them."""


class Fresh:
    """Stands first in a write in which a record is new, which has a name such as `B+1` there."""


Write = tuple[Fresh | str | tuple[str, str], ...]
"""What a step writes: a `Fresh`, if a record is new; records, by name and contents; texts of instructions, in the order
in which they are pushed; and `Returned`, if there is a result."""


class Heap(Memory[Contents, str, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is read together with the record of that name.
    Records are stored and changed, never removed: a record that is written with some of its fields keeps the others. A
    result takes the place of the `?` at the end of the instruction below. `Limits.stack_depth` limits the number of
    instructions and records together, and `Limits.tape_bytes` the size of the records.
    """

    name = "heap"

    def start(self, first: str) -> Contents:
        *records, instruction = first.split("\n")
        stored = dict(filter(None, map(split_record, records)))
        size = sum(len(name) + len(text) for name, text in stored.items())
        top = instruction, record_named(instruction) if stored else None
        rows: Records = [_EMPTY] * WIDTH
        for place, (name, text) in enumerate(stored.items()):
            _copied_page(rows, name)[name] = place, text
        return (top, None), 1, rows, len(stored), size, 0

    def read(self, contents: Contents) -> tuple[int, str] | None:
        stack, depth, rows, count, _, _ = contents
        if stack is None:
            return None
        text, named = stack[0]
        return count + depth - 1, text if named is None else f"{text}: {_page(rows, named)[named][1]}"

    def write(self, contents: Contents, write: Write) -> Contents:
        stack, depth, rows, count, size, digest = contents
        limits = self.limits
        if len(write) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write)} windows, the limit is {limits.windows_per_step}")
        assert stack is not None
        stack = stack[1]
        if write and type(write[0]) is Fresh:
            write = _named(write, count + 1)
        pushed: list[str] = []
        for each in write:
            if type(each) is tuple:
                name, record = each
                if rows is contents[2]:
                    rows = rows.copy()
                page = _copied_page(rows, name)
                place, before = page.get(name) or (count, "")
                if record.count("=") < before.count("="):
                    record = with_changed(before, record)
                size += len(record) - len(before) if before else len(record) + len(name)
                count = max(count, place + 1)
                page[name] = place, record
                digest ^= hash((name, before)) ^ hash((name, record))
            elif type(each) is Returned:
                if stack is not None:
                    stack = (with_returned(stack[0][0], each), None), stack[1]
            else:
                pushed.append(each)  # type: ignore[arg-type]
        for text in pushed:
            named = record_named(text) if count else None
            if named is not None and named not in _page(rows, named):
                raise AddressFault(f"there is no record {named}", text=text)
            stack = (text, named), stack
        depth += len(pushed) - 1
        if depth + count > limits.stack_depth:
            raise LimitFault(
                f"there would be {depth + count:,} instructions and records, the limit is {limits.stack_depth:,}"
            )
        if size > limits.tape_bytes:
            raise LimitFault(f"the records would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return stack, depth, rows, count, size, digest

    def windows(self, contents: Contents) -> Sequence[str]:
        stack, _, rows, *_ = contents
        texts: list[str] = []
        while stack is not None:
            (text, _), stack = stack
            texts.append(text)
        pages = (page for row in rows if row is not _EMPTY for page in row if page)
        stored = sorted(chain.from_iterable(page.items() for page in pages), key=itemgetter(1))
        return (*(f"{name}: {text}" for name, (_, text) in stored), *reversed(texts))

    def key(self, contents: Contents) -> tuple[int, tuple[str, int, Records]]:
        stack, depth, rows, _, _, digest = contents
        assert stack is not None
        return depth, (stack[0][0], digest, rows)  # in this order, so that the records are seldom compared


def _page(rows: Records, name: str) -> Page:
    """Return the page that has the record of that name, if there is one."""
    return rows[hash(name) % WIDTH][hash(name) // WIDTH % WIDTH]


def _copied_page(rows: Records, name: str) -> Page:
    """Put copies of the row and the page for a name in their place, and return the page."""
    row, column = hash(name) % WIDTH, hash(name) // WIDTH % WIDTH
    pages = rows[row] = rows[row].copy()
    page = pages[column] = pages[column].copy()
    return page


def _named(write: Any, number: int) -> Write:
    """Return what a step writes, without the `Fresh`, with a number for the record that is new."""
    named = partial(number_new, number=number)
    return tuple(type(each)(map(named, each) if type(each) is tuple else named(each)) for each in write[1:])
