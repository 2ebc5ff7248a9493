"""The memories: where windows of text are kept, and which one is next.

A memory knows nothing of a domain or a model. `fetch` looks at the next window without changing anything, `apply`
commits a whole step or raises and leaves everything as it was, and `mark`/`rollback` go back in constant time.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from attrs import frozen

from coc_core.errors import AddressFault, LimitFault
from coc_core.types import Limits

WindowT = TypeVar("WindowT")
WriteT = TypeVar("WriteT")

HALT = -1


class Memory(ABC, Generic[WindowT, WriteT]):
    """An external memory that holds one window of text for each instruction still known to it."""

    name: ClassVar[str]

    @property
    def halted(self) -> bool:
        """Whether no window is left to run."""
        return self.fetch() is None

    @abstractmethod
    def fetch(self) -> WindowT | None:
        """The next window, or None once the memory has halted. Changes nothing."""

    @abstractmethod
    def apply(self, write: WriteT) -> None:
        """Commit what one step wrote. Raises AddressFault or LimitFault, and then nothing has changed."""

    @abstractmethod
    def repeats(self) -> bool:
        """Whether a deterministic model provably never halts from here.

        Asked once before each step; an endless run is found after at most a constant factor of the steps that its
        cycle needs (Brent's method: an anchor that is renewed at powers of two).
        """

    @abstractmethod
    def mark(self) -> Any:
        """A token for the present contents, and for what `repeats` has seen; constant time."""

    @abstractmethod
    def rollback(self, mark: Any) -> None:
        """Return to the moment of `mark`, which must lie on the path that led here.

        From there on all is as if nothing had come after it: contents, limits, and when `repeats` finds a loop.
        """

    @abstractmethod
    def windows(self) -> Sequence[str]:
        """The windows' texts, for people to look at: oldest first."""

    @property
    @abstractmethod
    def pointer(self) -> int:
        """The index in `windows()` of the next one; -1 once halted."""


class TapeWindow(NamedTuple):
    """A window on the tape: its address (PTR), the next free address (NEXT_ID), its text."""

    ptr: int
    next_id: int
    text: str


@frozen
class TapeWrite:
    """What a step does to a tape: windows for the next free addresses, then PTR and, where written, NEXT_ID.

    An address of -1 stands for a window that is written down and never kept; PTR must then be -1.
    """

    windows: tuple[tuple[int, str], ...]
    ptr: int
    next_id: int | None = None


TapeMark = tuple[int, int, tuple[tuple[int, int], int, int]]


class PointerTape(Memory[TapeWindow, TapeWrite]):
    """The paper's append-only tape: read anywhere, write at the end, halt when PTR is -1.

    The windows lie one after the other in one array of bytes, so that a million of them take little more than their
    texts. Interned strings would save nothing: on a linked tape each window names another `prev`.
    """

    name = "tape"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._text = bytearray(first.encode())
        self._starts = array("q", (0, len(self._text)))  # of each window, and of the next one
        self._ptr = 0
        self._limits = limits
        self._asked = 0
        self._renew = 1
        self._anchor = (HALT, 0)

    def fetch(self) -> TapeWindow | None:
        ptr, starts = self._ptr, self._starts
        if ptr < 0:
            return None
        text = self._text[starts[ptr] : starts[ptr + 1]].decode()
        return tuple.__new__(TapeWindow, (ptr, len(starts) - 1, text))  # as TapeWindow(...) does, in half the time

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
            raise AddressFault(f"PTR={write.ptr} points to nothing: addresses 0 to {free - 1} are written")
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
        self._asked += 1
        here = (self._ptr, len(self._starts))
        if here == self._anchor:
            return True
        if self._asked >= self._renew or here[1] != self._anchor[1]:
            self._anchor = here
            self._renew = 2 * self._asked
        return False

    def mark(self) -> TapeMark:
        return self._ptr, len(self._starts) - 1, (self._anchor, self._asked, self._renew)

    def rollback(self, mark: TapeMark) -> None:
        ptr, length, seen = mark
        present = len(self._starts) - 1
        if length > present:
            raise ValueError(f"the mark knows {length} windows, the tape has {present}: not on this path")
        del self._text[self._starts[length] :], self._starts[length + 1 :]
        self._ptr = ptr
        self._anchor, self._asked, self._renew = seen

    def windows(self) -> Sequence[str]:
        return tuple(self._text[start:end].decode() for start, end in pairwise(self._starts))

    @property
    def pointer(self) -> int:
        return self._ptr


Stack = tuple[str, "Stack"] | None
StackMark = tuple[Stack, int, tuple[str, int, int, int]]


class PDAStack(Memory[str, tuple[str, ...]]):
    """The paper's pushdown stack: a step pops the top, then pushes in the order written; halt when it is empty.

    The stack is a persistent linked list, so a mark is a reference and a rollback an assignment.
    """

    name = "pda"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._stack: Stack = (first, None)
        self._depth = 1
        self._limits = limits
        self._asked = 0
        self._renew = 1
        self._anchor = ""
        self._anchor_depth = 0

    def fetch(self) -> str | None:
        stack = self._stack
        return None if stack is None else stack[0]

    def apply(self, write: tuple[str, ...]) -> None:
        assert self._stack is not None, "apply follows a fetch"
        if not write:
            self._stack = self._stack[1]
            self._depth -= 1
            return
        depth = self._depth - 1 + len(write)
        if depth > self._limits.stack_depth:
            raise LimitFault(f"the stack would be {depth:,} deep, the limit is {self._limits.stack_depth:,}")
        if len(write) > self._limits.windows_per_step:
            raise LimitFault(f"a step pushed {len(write)} windows, the limit is {self._limits.windows_per_step}")
        stack = self._stack[1]
        for text in write:
            stack = (text, stack)
        self._stack = stack
        self._depth = depth

    def repeats(self) -> bool:
        depth = self._depth
        self._asked += 1
        if depth < self._anchor_depth or self._asked >= self._renew:
            if self._asked >= self._renew:
                self._renew = 2 * self._asked
            self._anchor_depth = depth
            self._anchor = self._stack[0] if self._stack else ""
            return False
        # What lay under the anchor is untouched, so the same top does again what it did before.
        return self._stack is not None and self._stack[0] == self._anchor

    def mark(self) -> StackMark:
        return self._stack, self._depth, (self._anchor, self._anchor_depth, self._asked, self._renew)

    def rollback(self, mark: StackMark) -> None:
        self._stack, self._depth, seen = mark
        self._anchor, self._anchor_depth, self._asked, self._renew = seen

    def windows(self) -> Sequence[str]:
        texts, stack = list[str](), self._stack
        while stack is not None:
            text, stack = stack
            texts.append(text)
        return tuple(reversed(texts))

    @property
    def pointer(self) -> int:
        return self._depth - 1
