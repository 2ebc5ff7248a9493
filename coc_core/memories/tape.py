"""The pointer tape."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from attrs import frozen

from coc_core.errors import AddressFault, LimitFault
from coc_core.memories.memory import Memory
from coc_core.types import Limits

HALT = -1


class TapeWindow(NamedTuple):
    """A window on the tape, with its own address (PTR) and the next free address (NEXT_ID)."""

    ptr: int
    next_id: int
    text: str


@frozen
class TapeWrite:
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


TapeMark = tuple[int, int, tuple[tuple[int, int], int, int]]


class PointerTape(Memory[TapeWindow, TapeWrite]):
    """The paper's append-only tape: read anywhere, write at the end, halt when PTR is -1.

    All windows share one array of bytes, so that a million of them take little more than their texts. Interned strings
    would save nothing, since on a linked tape each window has its own `prev`.
    """

    name = "tape"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._text = bytearray(first.encode())
        self._starts = array("q", (0, len(self._text)))  # of each window, and of the next one
        self._ptr = 0
        self._limits = limits
        self._checks = 0
        self._next_anchor = 1
        self._anchor = (HALT, 0)

    def fetch(self) -> TapeWindow | None:
        ptr, starts = self._ptr, self._starts
        if ptr < 0:
            return None
        text = self._text[starts[ptr] : starts[ptr + 1]].decode()
        return tuple.__new__(TapeWindow, (ptr, len(starts) - 1, text))  # TapeWindow(...), but twice as fast

    def apply(self, write: TapeWrite) -> None:
        free = len(self._starts) - 1
        kept: list[bytes] = []
        if len(write.windows) > self._limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write.windows)} windows, the limit is {self._limits.windows_per_step}")
        for address, text in write.windows:
            if address == HALT and write.ptr == HALT:
                continue
            if address != free + len(kept):
                raise AddressFault(f"wrote to address {address}, the next free one is {free + len(kept)}", text=text)
            kept.append(text.encode())
        free += len(kept)
        if not HALT <= write.ptr < free:
            raise AddressFault(f"PTR={write.ptr} has no window: only addresses 0 to {free - 1} are written")
        if write.next_id is not None and write.next_id != free:
            raise AddressFault(f"NEXT_ID={write.next_id}, but the next free address is {free}")
        size = len(self._text) + sum(map(len, kept))
        if size > self._limits.tape_bytes:
            raise LimitFault(f"the tape would hold {size:,} bytes, the limit is {self._limits.tape_bytes:,}")
        starts, end = self._starts, len(self._text)
        for window in kept:
            end += len(window)
            starts.append(end)
        self._text += b"".join(kept)
        self._ptr = write.ptr

    def repeats(self) -> bool:
        self._checks += 1
        here = (self._ptr, len(self._starts))
        if here == self._anchor:
            return True
        if self._checks >= self._next_anchor or here[1] != self._anchor[1]:
            self._anchor = here
            self._next_anchor = 2 * self._checks
        return False

    def mark(self) -> TapeMark:
        return self._ptr, len(self._starts) - 1, (self._anchor, self._checks, self._next_anchor)

    def rollback(self, mark: TapeMark) -> None:
        ptr, length, seen = mark
        present = len(self._starts) - 1
        if length > present:
            raise ValueError(f"the mark is of a tape of {length} windows; this one has {present}")
        del self._text[self._starts[length] :], self._starts[length + 1 :]
        self._ptr = ptr
        self._anchor, self._checks, self._next_anchor = seen

    def windows(self) -> Sequence[str]:
        return tuple(self._text[start:end].decode() for start, end in pairwise(self._starts))

    @property
    def pointer(self) -> int:
        return self._ptr
