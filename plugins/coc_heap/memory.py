"""The memory: a pushdown stack of instructions, and records by name."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coc_core.domain import record_named, split_record, with_record
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Memory

Stack = tuple[str, "Stack"] | None


class Stored(NamedTuple):
    """A record to store: its name and its contents."""

    name: str
    contents: str


Write = tuple[str | Stored, ...]
"""What a step writes: texts of instructions, in the order in which they are pushed, and records."""


class Contents(NamedTuple):
    """What a heap holds."""

    stack: Stack
    depth: int
    records: Mapping[str, str]
    """The contents of each record, by its name."""
    size: int
    """The bytes of all records."""


class Heap(Memory[Contents, str, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is read together with the record of that name.
    Records are stored and replaced, never removed. `Limits.stack_depth` limits the number of instructions and records
    together, and `Limits.tape_bytes` the size of the records. A step that stores a record copies the table of all,
    which takes a few microseconds for a thousand.
    """

    name = "heap"

    def start(self, first: str) -> Contents:
        *records, instruction = first.split("\n")
        stored = dict(filter(None, map(split_record, records)))
        return Contents((instruction, None), 1, stored, sum(len(name) + len(text) for name, text in stored.items()))

    def read(self, contents: Contents) -> tuple[int, str] | None:
        stack, depth, records, _ = contents
        if stack is None:
            return None
        return len(records) + depth - 1, with_record(stack[0], records) if records else stack[0]

    def write(self, contents: Contents, write: Write) -> Contents:
        stack, depth, records, size = contents
        limits, pushed = self.limits, list[str]()
        if len(write) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write)} windows, the limit is {limits.windows_per_step}")
        changed = dict[str, str]()
        for each in write:
            if not isinstance(each, Stored):
                pushed.append(each)
                continue
            name, record = each
            if name in changed:
                raise AddressFault(f"wrote the record {name} twice in one step", text=record)
            changed[name] = record
            size += len(record) - len(records[name]) if name in records else len(name) + len(record)
        assert stack is not None
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
        return Contents(stack, depth, records, size)

    def windows(self, contents: Contents) -> Sequence[str]:
        texts, stack = list[str](), contents.stack
        while stack is not None:
            text, stack = stack
            texts.append(text)
        return (*map(": ".join, contents.records.items()), *reversed(texts))

    def key(self, contents: Contents) -> tuple[int, tuple[str, Mapping[str, str]]]:
        stack, depth, records, _ = contents
        assert stack is not None
        return depth, (stack[0], records)
