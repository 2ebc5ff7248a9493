"""The memory: a pushdown stack of instructions, and records by name."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coc_core.domain import record_named, split_record, with_record
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Memory
from coc_core.types import Limits

Stack = tuple[str, "Stack"] | None


class Stored(NamedTuple):
    """A record to store: its name and its contents."""

    name: str
    contents: str


Write = tuple[str | Stored, ...]
"""What a step writes: texts of instructions, in the order in which they are pushed, and records."""


class Contents(NamedTuple):
    """Everything that a step can change. None of it changes in place."""

    stack: Stack
    depth: int
    records: Mapping[str, str]
    """The contents of each record, by its name."""
    size: int
    """The bytes of all records."""


class Anchor(NamedTuple):
    """An earlier point of the run, of which everything below the top of the stack is still there."""

    text: str
    depth: int
    records: Mapping[str, str]


Mark = tuple[Contents, Anchor | None, int, int]


class Heap(Memory[str, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is fetched together with the record of that
    name. Records are stored and replaced, never removed. `Limits.stack_depth` limits the number of instructions and
    records together, and `Limits.tape_bytes` the size of the records. A step that stores a record copies the table of
    all, which takes a few microseconds for a thousand.
    """

    name = "heap"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        *records, instruction = first.split("\n")
        stored = dict(filter(None, map(split_record, records)))
        size = sum(len(name) + len(text) for name, text in stored.items())
        self._now = Contents((instruction, None), 1, stored, size)
        self._limits = limits
        self._anchor: Anchor | None = None
        self._asked, self._renew = 0, 1

    def fetch(self) -> str | None:
        stack = self._now.stack
        if stack is None:
            return None
        return with_record(stack[0], self._now.records) if self._now.records else stack[0]

    def apply(self, write: Write) -> None:
        stack, depth, records, size = self._now
        limits, pushed = self._limits, list[str]()
        if len(write) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write)} windows, the limit is {limits.windows_per_step}")
        changed = dict[str, str]()
        for each in write:
            if not isinstance(each, Stored):
                pushed.append(each)
                continue
            name, contents = each
            if name in changed:
                raise AddressFault(f"wrote the record {name} twice in one step", text=contents)
            changed[name] = contents
            size += len(contents) - len(records[name]) if name in records else len(name) + len(contents)
        assert stack is not None  # apply follows a fetch
        stack, depth = stack[1], depth - 1 + len(pushed)
        records = {**records, **changed} if changed else records
        for text in pushed:
            named = record_named(text)
            if records and named is not None and named not in records:
                raise AddressFault(f"there is no record {named}", text=text)
            stack = text, stack
        windows = depth + len(records)
        if windows > limits.stack_depth:
            raise LimitFault(
                f"there would be {windows:,} instructions and records, the limit is {limits.stack_depth:,}"
            )
        if size > limits.tape_bytes:
            raise LimitFault(f"the records would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        self._now = Contents(stack, depth, records, size)

    def repeats(self) -> bool:
        (stack, depth, records, _), anchor = self._now, self._anchor
        self._asked += 1
        if self._asked >= self._renew or anchor is None or depth < anchor.depth:
            if self._asked >= self._renew:
                self._renew = 2 * self._asked
            self._anchor = Anchor(stack[0] if stack else "", depth, records)
            return False
        # Nothing below the anchor has changed, so the same top with the same records leads to the same steps again.
        return stack is not None and stack[0] == anchor.text and records == anchor.records

    def mark(self) -> Mark:
        return self._now, self._anchor, self._asked, self._renew

    def rollback(self, mark: Mark) -> None:
        self._now, self._anchor, self._asked, self._renew = mark

    def windows(self) -> Sequence[str]:
        texts, stack = list[str](), self._now.stack
        while stack is not None:
            text, stack = stack
            texts.append(text)
        return (*map(": ".join, self._now.records.items()), *reversed(texts))

    @property
    def pointer(self) -> int:
        return len(self._now.records) + self._now.depth - 1 if self._now.depth else HALT
