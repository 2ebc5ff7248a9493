"""The memory: a pushdown stack of instructions, and records by name."""

from collections.abc import Mapping, Sequence

from coc_core.domain import record_named, split_record
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Memory


class Records:
    """The contents of each record, by its name: a table, and what has changed since, which no later ones change.

    To change a record copies the second part. As long as that has no more than about √n of n records, the table is not
    copied.
    """

    def __init__(self, table: Mapping[str, str], changed: Mapping[str, str]) -> None:
        self._table = table
        self._changed = changed

    def __getitem__(self, name: str) -> str:
        return self._changed[name] if name in self._changed else self._table[name]

    def get(self, name: str) -> str | None:
        """The contents of a record; None if there is none of the name."""
        found = self._changed.get(name)
        return self._table.get(name) if found is None else found

    def with_changed(self, changed: Mapping[str, str]) -> "Records":
        """These records with others in place of some, or beside them."""
        changed = {**self._changed, **changed}
        if len(changed) ** 2 <= len(self._table):
            return Records(self._table, changed)
        return Records({**self._table, **changed}, {})

    def as_dict(self) -> dict[str, str]:
        """All of them, in the order in which the names first came."""
        return {**self._table, **self._changed}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Records) and self.as_dict() == other.as_dict()


Stack = tuple[tuple[str, str | None], "Stack"] | None
"""The instruction on top with the name of its record, if it names one; and the stack below it."""

Contents = tuple[Stack, int, Records, int, int]
"""The stack and its depth, the records, how many there are, and the bytes of all."""


Write = tuple[str | tuple[str, str], ...]
"""What a step writes: texts of instructions, in the order in which they are pushed, and records: names and contents."""


class Heap(Memory[Contents, str, Write]):
    """A step pops the top of the stack, stores records, and pushes instructions. It halts when the stack is empty.

    If there are records, an instruction that ends with `AT` and a name is read together with the record of that name.
    Records are stored and replaced, never removed. `Limits.stack_depth` limits the number of instructions and records
    together, and `Limits.tape_bytes` the size of the records.
    """

    name = "heap"

    def start(self, first: str) -> Contents:
        *records, instruction = first.split("\n")
        stored = dict(filter(None, map(split_record, records)))
        size = sum(len(name) + len(text) for name, text in stored.items())
        top = instruction, record_named(instruction) if stored else None
        return (top, None), 1, Records(stored, {}), len(stored), size

    def read(self, contents: Contents) -> tuple[int, str] | None:
        stack, depth, records, count, _ = contents
        if stack is None:
            return None
        text, named = stack[0]
        return count + depth - 1, text if named is None else f"{text}: {records[named]}"

    def write(self, contents: Contents, write: Write) -> Contents:
        stack, depth, records, count, size = contents
        limits = self.limits
        if len(write) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write)} windows, the limit is {limits.windows_per_step}")
        changed: dict[str, str] = {}
        pushed: list[str] = []
        for each in write:
            if isinstance(each, str):
                pushed.append(each)
                continue
            name, record = each
            if name in changed:
                raise AddressFault(f"wrote the record {name} twice in one step", text=record)
            changed[name], before = record, records.get(name)
            if before is None:
                count, size = count + 1, size + len(name)
            size += len(record) - len(before or "")
        if changed:
            records = records.with_changed(changed)
        assert stack is not None
        stack, depth = stack[1], depth - 1 + len(pushed)
        for text in pushed:
            named = record_named(text) if count else None
            if named is not None and records.get(named) is None:
                raise AddressFault(f"there is no record {named}", text=text)
            stack = (text, named), stack
        if depth + count > limits.stack_depth:
            raise LimitFault(
                f"there would be {depth + count:,} instructions and records, the limit is {limits.stack_depth:,}"
            )
        if size > limits.tape_bytes:
            raise LimitFault(f"the records would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return stack, depth, records, count, size

    def windows(self, contents: Contents) -> Sequence[str]:
        stack, _, records, *_ = contents
        texts: list[str] = []
        while stack is not None:
            (text, _), stack = stack
            texts.append(text)
        return (*map(": ".join, records.as_dict().items()), *reversed(texts))

    def key(self, contents: Contents) -> tuple[int, tuple[str, Records]]:
        stack, depth, records, _, _ = contents
        assert stack is not None
        return depth, (stack[0][0], records)
