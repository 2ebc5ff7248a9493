"""The pointer tape."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from coc_core.errors import AddressFault, LimitFault
from coc_core.memories.memory import Memory

HALT = -1


class TapeWindow(NamedTuple):
    """A window on the tape, with its own address (PTR) and the next free address (NEXT_ID)."""

    ptr: int
    next_id: int
    text: str


class TapeWrite(NamedTuple):
    """What a step does to a tape.

    Attributes:
        windows: The address and text of each window, for the next free addresses in order. A window with the address
            -1 is not stored; PTR must then be -1.
        ptr: The address of the next window, -1 to halt.
        next_id: The next free address, if the target states it.
    """

    windows: tuple[tuple[int, str], ...]
    ptr: int
    next_id: int | None = None


Tape = tuple[bytearray, "array[int]", int, int]
"""A text, the places in it where each window starts and the last one ends, how many windows of it are those of this
tape, and PTR. Tapes share a text: later ones have more windows of it."""


class PointerTape(Memory[Tape, TapeWindow, TapeWrite]):
    """The paper's append-only tape: read anywhere, write at the end, halt when PTR is -1.

    All windows share one array of bytes, so that a million of them take little more than their texts. Interned strings
    would save nothing, since on a linked tape each window has its own `prev`. A tape that nothing was appended to is
    extended in place. One that other windows were appended to is copied, but not if these are the same windows, as
    they are where drafts were right.
    """

    name = "tape"

    def start(self, first: str) -> Tape:
        text = bytearray(first.encode())
        return text, array("q", (0, len(text))), 1, 0

    def read(self, contents: Tape) -> tuple[int, TapeWindow] | None:
        text, starts, length, ptr = contents
        if ptr < 0:
            return None
        window = text[starts[ptr] : starts[ptr + 1]].decode()
        return ptr, tuple.__new__(TapeWindow, (ptr, length, window))  # TapeWindow(...), but twice as fast

    def write(self, contents: Tape, write: TapeWrite) -> Tape:
        text, starts, length, _ = contents
        windows, ptr, next_id = write
        limits, free, end, added = self.limits, length, starts[length], bytearray()
        ends: list[int] = []
        if len(windows) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(windows)} windows, the limit is {limits.windows_per_step}")
        for address, window in windows:
            if address != free:
                if address == HALT and ptr == HALT:
                    continue
                raise AddressFault(f"wrote to address {address}, the next free one is {free}", text=window)
            added += window.encode()
            ends.append(end + len(added))
            free += 1
        if not HALT <= ptr < free:
            raise AddressFault(f"PTR={ptr} has no window: only addresses 0 to {free - 1} are written")
        if next_id is not None and next_id != free:
            raise AddressFault(f"NEXT_ID={next_id}, but the next free address is {free}")
        if (size := end + len(added)) > limits.tape_bytes:
            raise LimitFault(f"the tape would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        if ends:
            if len(starts) > length + 1:  # another tape has more windows of this text: the same ones, or others
                if starts[length + 1 : free + 1] == array("q", ends) and text[end:size] == added:
                    return text, starts, free, ptr
                text, starts = text[:end], starts[: length + 1]
            text += added
            starts.extend(ends)
        return text, starts, free, ptr

    def windows(self, contents: Tape) -> Sequence[str]:
        text, starts, length, _ = contents
        return tuple(text[start:end].decode() for start, end in pairwise(starts[: length + 1]))

    def key(self, contents: Tape) -> tuple[int, int]:
        return -contents[2], contents[3]
