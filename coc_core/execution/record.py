"""The record of a committed step, shared by listeners, run files, replay, pages and tests."""

import reprlib
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from attrs import field, frozen


class MemoryView(Protocol):
    """The readable part of a memory: its windows, oldest first, and the index of the next one, -1 once halted."""

    def windows(self) -> Sequence[str]: ...

    @property
    def pointer(self) -> int: ...


@frozen
class MemorySnapshot:
    """A copy of the contents of a memory."""

    texts: tuple[str, ...] = field(repr=reprlib.repr)
    pointer: int

    def windows(self) -> Sequence[str]:
        """Return the texts of the windows, oldest first."""
        return self.texts


class StepRecord(NamedTuple):
    """One committed step.

    Attributes:
        step: Its number, counted from 1.
        prompt: What the model read.
        target: What it wrote.
        actions: The domain's actions in the target. In a record read from a run file without a replay, their texts.
        pointer: The pointer of the memory after the step, -1 once it has halted.
        numbers: The results of the arithmetic, if it knows that one of them is wrong.
        window: What the step read. This field and the following are None in a record read without a replay.
        before: The state of the domain before the step.
        after: The state of the domain after the step.
        memory: The memory after the step. It is live, and changes with the next step; `detached` copies it.
    """

    step: int
    prompt: str
    target: str
    actions: tuple[Any, ...]
    pointer: int
    numbers: tuple[int, ...] | None = None
    window: Any = None
    before: Any = None
    after: Any = None
    memory: MemoryView | None = None

    def __repr__(self) -> str:
        prompt, target = map(reprlib.repr, (self.prompt, self.target))
        return f"StepRecord(step={self.step}, prompt={prompt}, target={target}, {len(self.actions)} actions)"

    @property
    def windows(self) -> Sequence[str]:
        """The windows of the memory, oldest first; empty without a memory."""
        return () if self.memory is None else self.memory.windows()

    def detached(self) -> "StepRecord":
        """Return the record with a copy of the memory, which later steps do not change."""
        return self._replace(memory=MemorySnapshot(tuple(self.windows), self.pointer))
