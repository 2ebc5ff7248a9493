"""The memory that drops nothing."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import frozen

from coc_core.errors import LimitFault
from coc_core.memories import Memory

BREAK = "\n\n"
"""Ends the first prompt and each target but the last. No target holds an empty line."""


@frozen
class Entry:
    """What a step adds to a transcript: its whole target, which leaves so many instructions to be run."""

    text: str
    instructions: int


class Contents(NamedTuple):
    """What a transcript holds."""

    text: str
    size: int
    """The bytes of the text."""
    pending: int
    """How many instructions of the text are still to be run."""


class Transcript(Memory[Contents, str, Entry]):
    """One window: the first prompt and, after it, every target in order. It halts when no instruction is pending.

    `Limits.tape_bytes` limits the text, and `Limits.stack_depth` the number of pending instructions.
    """

    name = "transcript"

    def start(self, first: str) -> Contents:
        return Contents(first, len(first.encode()), 1)

    def read(self, contents: Contents) -> tuple[int, str] | None:
        return (0, contents.text) if contents.pending else None

    def write(self, contents: Contents, write: Entry) -> Contents:
        limits, added = self.limits, BREAK + write.text
        size, pending = contents.size + len(added.encode()), contents.pending - 1 + write.instructions
        if write.instructions > limits.windows_per_step:
            raise LimitFault(f"a step pushed {write.instructions} windows, the limit is {limits.windows_per_step}")
        if pending > limits.stack_depth:
            raise LimitFault(f"{pending:,} instructions would be pending, the limit is {limits.stack_depth:,}")
        if size > limits.tape_bytes:
            raise LimitFault(f"the transcript would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return Contents(contents.text + added, size, pending)

    def windows(self, contents: Contents) -> Sequence[str]:
        return (contents.text,)

    def key(self, contents: Contents) -> tuple[int, None]:
        return -contents.size, None  # a transcript grows with each step, so no prompt comes again
