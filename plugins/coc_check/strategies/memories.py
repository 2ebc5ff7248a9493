"""A memory beside a plain one: whatever is written, from old and new contents, both have to show the same."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
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
    """What a memory has to do, as a value: simple, slow and evidently right.

    Attributes:
        windows: What `Memory.windows` gives.
        pointer: The index of the next window; -1 once halted.
    """

    windows: Any
    pointer: Any

    @abstractmethod
    def window(self) -> Any:
        """Return the next window, as `Memory.read` gives it; None once halted."""

    @abstractmethod
    def writes(self) -> st.SearchStrategy[Any]:
        """Return what a step may try to write, right and wrong."""

    @abstractmethod
    def after(self, write: Any) -> "PlainMemory":
        """Return the memory after a step; AddressFault for a wrong address, LimitFault where a limit is exceeded."""


@frozen
class PlainStack(PlainMemory):
    """A pushdown stack: a step replaces the top by what it writes, which are texts."""

    windows: tuple[str, ...]
    limits: Limits = LIMITS

    @property
    def pointer(self) -> int:
        return len(self.windows) - 1

    def window(self) -> str | None:
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

    def window(self) -> TapeWindow | None:
        pointer, windows = self.pointer, self.windows
        return None if pointer == HALT else TapeWindow(pointer, len(windows), windows[pointer])

    def writes(self) -> st.SearchStrategy[TapeWrite]:
        return _FEW.flatmap(self._writes)

    def _writes(self, texts: list[str]) -> st.SearchStrategy[TapeWrite]:
        right, end = tuple(enumerate(texts, start=len(self.windows))), len(self.windows) + len(texts)
        shifted = tuple((address + 1, text) for address, text in right)
        windows = st.sampled_from([right, right, (*right, (HALT, "never kept")), shifted])
        return st.builds(TapeWrite, windows, st.integers(HALT, end), st.sampled_from([None, end, end + 1]))

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
    memory: Callable[[Limits], Memory[Any, Any, Any]],
    plain: Callable[[tuple[str], Limits], PlainMemory],
    first: st.SearchStrategy[str] = TEXTS,
    limits: Limits = LIMITS,
) -> type[RuleBasedStateMachine]:
    """Make a state machine of hypothesis in which a memory does what a plain one does.

    Steps are taken and refused, from the last contents and from any earlier ones. After each, all contents that there
    have been must show what those of the plain memory show.

    Args:
        memory: Makes the memory from its limits.
        plain: Makes the plain memory from its first window and limits.
        first: What the first window may be.
        limits: Caps on both.

    Example:
        >>> from coc_core.memories import PDAStack
        >>> TestStack = memory_machine(PDAStack, PlainStack).TestCase
    """

    class MemoryMachine(RuleBasedStateMachine):
        """The memory, and pairs of contents and of what the plain memory has for them."""

        @initialize(window=first)
        def start(self, window: str) -> None:
            self.memory = memory(limits)
            self.pairs: list[tuple[Any, PlainMemory]] = [(self.memory.start(window), plain((window,), limits))]

        @rule(data=st.data())
        def step(self, data: st.DataObject) -> None:
            self._step(data, len(self.pairs) - 1)

        @precondition(lambda self: len(self.pairs) > 1)
        @rule(data=st.data())
        def step_from_earlier(self, data: st.DataObject) -> None:
            self._step(data, data.draw(st.integers(0, len(self.pairs) - 2), "contents"))

        def _step(self, data: st.DataObject, index: int) -> None:
            contents, plain = self.pairs[index]
            if plain.pointer == HALT:
                return
            write = data.draw(plain.writes(), "write")
            try:
                after = plain.after(write)
            except (AddressFault, LimitFault) as fault:
                with suppress(type(fault)):
                    self.memory.write(contents, write)
                    require(False, f"a step is accepted that has to be refused: {fault}", repr(write))
            else:
                self.pairs.append((self.memory.write(contents, write), after))

        @invariant()
        def show_the_same(self) -> None:
            for contents, plain in self.pairs:
                window = None if plain.pointer == HALT else (plain.pointer, plain.window())
                for found in (self.memory.read(contents), self.memory.read(contents)):
                    require(found == window, f"read gives {found!r}, and has to give {window!r}")
                windows = tuple(self.memory.windows(contents))
                require(windows == plain.windows, f"windows gives {windows!r}, and has to give {plain.windows!r}")

    return MemoryMachine
