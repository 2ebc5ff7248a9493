"""The memory that drops nothing."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import frozen

from coc_core.errors import LimitFault
from coc_core.memories import HALT, Memory
from coc_core.types import Limits

BREAK = "\n\n"
"""Ends the first prompt and each target but the last. No target holds an empty line."""


@frozen
class Entry:
    """What a step adds to a transcript: its whole target, which leaves so many instructions to be run."""

    text: str
    instructions: int


class Contents(NamedTuple):
    """Everything that a step can change."""

    text: str
    size: int
    """The bytes of the text."""
    pending: int
    """How many instructions of the text are still to be run."""


class Transcript(Memory[str, Entry]):
    """One window: the first prompt and, after it, every target in order. It halts when no instruction is pending.

    `Limits.tape_bytes` limits the text, and `Limits.stack_depth` the number of pending instructions.
    """

    name = "transcript"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._now = Contents(first, len(first.encode()), 1)
        self._limits = limits

    def fetch(self) -> str | None:
        return self._now.text if self._now.pending else None

    def apply(self, write: Entry) -> None:
        limits, added = self._limits, BREAK + write.text
        size, pending = self._now.size + len(added.encode()), self._now.pending - 1 + write.instructions
        if write.instructions > limits.windows_per_step:
            raise LimitFault(f"a step pushed {write.instructions} windows, the limit is {limits.windows_per_step}")
        if pending > limits.stack_depth:
            raise LimitFault(f"{pending:,} instructions would be pending, the limit is {limits.stack_depth:,}")
        if size > limits.tape_bytes:
            raise LimitFault(f"the transcript would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        self._now = Contents(self._now.text + added, size, pending)

    def repeats(self) -> bool:
        return False  # a transcript grows with each step, so no prompt comes again

    def mark(self) -> Contents:
        return self._now

    def rollback(self, mark: Contents) -> None:
        self._now = mark

    def windows(self) -> Sequence[str]:
        return (self._now.text,)

    @property
    def pointer(self) -> int:
        return 0 if self._now.pending else HALT
