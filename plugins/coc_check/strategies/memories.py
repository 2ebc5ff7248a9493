"""A memory beside a plain one: random steps, marks and rollbacks have to show the same in both."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coc_check.check import require
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Memory, TapeWindow, TapeWrite
from coc_core.types import Limits

LIMITS = Limits(tape_bytes=40, stack_depth=8, windows_per_step=4)
"""Caps that are low enough to be reached."""
TEXTS = st.text("ab =1", max_size=6)
_FEW = st.lists(TEXTS, max_size=5)  # one more than a step may write


class PlainMemory(ABC):
    """What a memory has to do, as a value: simple, slow and evidently right."""

    @property
    @abstractmethod
    def windows(self) -> tuple[str, ...]:
        """What `Memory.windows` gives."""

    @property
    @abstractmethod
    def pointer(self) -> int:
        """What `Memory.pointer` is; -1 once halted."""

    @abstractmethod
    def fetch(self) -> Any:
        """Return what `Memory.fetch` gives."""

    @abstractmethod
    def writes(self) -> st.SearchStrategy[Any]:
        """Return what a step may try to write, right and wrong."""

    @abstractmethod
    def after(self, write: Any) -> "PlainMemory":
        """Return the memory after a step.

        Raises:
            AddressFault: An address is wrong.
            LimitFault: A limit would be exceeded.
        """


@frozen
class PlainStack(PlainMemory):
    """A pushdown stack: a step replaces the top by what it writes, which are texts."""

    windows: tuple[str, ...]
    limits: Limits = LIMITS

    @property
    def pointer(self) -> int:
        return len(self.windows) - 1

    def fetch(self) -> str | None:
        return self.windows[-1] if self.windows else None

    def writes(self) -> st.SearchStrategy[tuple[str, ...]]:
        return _FEW.map(tuple)

    def after(self, write: tuple[str, ...]) -> "PlainStack":
        windows = (*self.windows[:-1], *write)
        if write and (len(write) > self.limits.windows_per_step or len(windows) > self.limits.stack_depth):
            raise LimitFault(f"{len(write)} windows are written, and {len(windows)} would be there")
        return evolve(self, windows=windows)


@frozen
class PlainTape(PlainMemory):
    """A tape to which a step appends, and on which it says where to go on (`TapeWrite`)."""

    windows: tuple[str, ...]
    limits: Limits = LIMITS
    pointer: int = 0

    def fetch(self) -> TapeWindow | None:
        if self.pointer == HALT:
            return None
        return TapeWindow(self.pointer, len(self.windows), self.windows[self.pointer])

    def writes(self) -> st.SearchStrategy[TapeWrite]:
        return _FEW.flatmap(self._writes)

    def _writes(self, texts: list[str]) -> st.SearchStrategy[TapeWrite]:
        free = len(self.windows)
        end = free + len(texts)
        right = tuple(enumerate(texts, start=free))
        shifted = tuple((address + 1, text) for address, text in right)
        dropped = (*right, (HALT, "never kept"))
        return st.builds(
            TapeWrite,
            st.sampled_from([right, right, dropped, shifted]),
            st.integers(HALT, end),
            st.sampled_from([None, end, end + 1]),
        )

    def after(self, write: TapeWrite) -> "PlainTape":
        windows = self.windows
        if len(write.windows) > self.limits.windows_per_step:
            raise LimitFault(f"{len(write.windows)} windows are written")
        for address, text in write.windows:
            if address == HALT and write.ptr == HALT:
                continue
            if address != len(windows):
                raise AddressFault(f"{address} is not the next free address, {len(windows)}")
            windows = (*windows, text)
        if not HALT <= write.ptr < len(windows) or write.next_id not in (None, len(windows)):
            raise AddressFault(f"PTR={write.ptr} or NEXT_ID={write.next_id} is wrong: {len(windows)} windows are there")
        if sum(len(window.encode()) for window in windows) > self.limits.tape_bytes:
            raise LimitFault("the tape would be too long")
        return evolve(self, windows=windows, pointer=write.ptr)


def memory_machine(
    memory: Callable[[str, Limits], Memory[Any, Any]],
    plain: Callable[[tuple[str], Limits], PlainMemory],
    first: st.SearchStrategy[str] = TEXTS,
    limits: Limits = LIMITS,
) -> type[RuleBasedStateMachine]:
    """Make a state machine of hypothesis in which a memory does what a plain one does.

    Steps are taken and refused, marks are set and gone back to, and `repeats` is called. After each the memory has to
    show what the plain one shows, and what a new memory with the same past says of `repeats`.

    Args:
        memory: Makes the memory from its first window and limits.
        plain: Makes the plain memory from the same.
        first: What the first window may be.
        limits: Caps on both.

    Example:
        >>> from coc_core.memories import PDAStack
        >>> TestStack = memory_machine(PDAStack, PlainStack).TestCase
    """

    class MemoryMachine(RuleBasedStateMachine):
        """The two memories, and the marks and the past of the one."""

        memory: Memory[Any, Any]
        plain: PlainMemory

        @initialize(window=first)
        def start(self, window: str) -> None:
            self.first = window
            self.memory, self.plain = memory(window, limits), plain((window,), limits)
            self.past: tuple[Any, ...] = ()
            self.marks: list[tuple[Any, PlainMemory, tuple[Any, ...]]] = []

        @precondition(lambda self: self.plain.pointer != HALT)
        @rule(data=st.data())
        def step(self, data: st.DataObject) -> None:
            write = data.draw(self.plain.writes(), "write")
            try:
                after = self.plain.after(write)
            except (AddressFault, LimitFault) as fault:
                self._refuse(write, fault)
                return
            self.memory.apply(write)
            self.plain, self.past = after, (*self.past, write)

        def _refuse(self, write: Any, wanted: Exception) -> None:
            try:
                self.memory.apply(write)
            except type(wanted):
                return
            require(False, f"a step is accepted that has to be refused: {wanted}", repr(write))

        @precondition(lambda self: self.plain.pointer != HALT)
        @rule()
        def look_for_loops(self) -> None:
            again = memory(self.first, limits)
            for each in self.past:
                again.repeats() if each is _LOOKED else again.apply(each)
            found, wanted = self.memory.repeats(), again.repeats()
            require(found == wanted, f"repeats is {found}, and {wanted} in a memory with the same past")
            self.past = (*self.past, _LOOKED)

        @rule()
        def mark(self) -> None:
            self.marks.append((self.memory.mark(), self.plain, self.past))

        @precondition(lambda self: bool(self.marks))
        @rule(data=st.data())
        def rollback(self, data: st.DataObject) -> None:
            index = data.draw(st.integers(0, len(self.marks) - 1), "mark")
            del self.marks[index + 1 :]  # those after it are no longer on the path to here
            mark, self.plain, self.past = self.marks[index]
            self.memory.rollback(mark)

        @invariant()
        def shows_the_same(self) -> None:
            one, other = self.memory, self.plain
            for name, found, wanted in (
                ("fetch", one.fetch(), other.fetch()),
                ("a second fetch", one.fetch(), other.fetch()),
                ("windows", tuple(one.windows()), other.windows),
                ("pointer", one.pointer, other.pointer),
                ("halted", one.halted, other.pointer == HALT),
            ):
                require(found == wanted, f"{name} gives {found!r}, and has to give {wanted!r}")

    return MemoryMachine


_LOOKED = object()
"""In the past of a memory: `repeats` was called."""
