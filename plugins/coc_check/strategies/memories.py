"""A memory beside a plain one: whatever is written, from old and new contents, both have to show the same."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coc_check.check import require
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Memory
from coc_core.types import Limits

LIMITS = Limits(tape_bytes=40, stack_depth=8, windows_per_step=4)
"""Caps that are low enough to be reached."""
TEXTS = st.text("ab =1", max_size=6)


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
        TestShelf = memory_machine(Shelf, PlainShelf).TestCase
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
