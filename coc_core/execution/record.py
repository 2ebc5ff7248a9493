"""The record of a committed step: what listeners get, and what a run file, a replay, a page and a test show again."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from attrs import frozen


class MemoryView(Protocol):
    """What can be read of a memory: its windows, oldest first, and the index of the next one, -1 once it has halted."""

    def windows(self) -> Sequence[str]: ...

    @property
    def pointer(self) -> int: ...


@frozen
class MemorySnapshot:
    """The contents of a memory at one moment, kept."""

    kept: tuple[str, ...]
    pointer: int

    def windows(self) -> Sequence[str]:
        """The windows' texts, oldest first."""
        return self.kept


class StepRecord(NamedTuple):
    """One committed step.

    Attributes:
        step: Its number, counted from 1.
        prompt: What the model read.
        target: What it wrote.
        actions: The domain's actions in the target; read from a run file without a replay, their texts.
        pointer: The memory's after the step, -1 once it has halted.
        numbers: What the arithmetic gave, if the arithmetic could tell that a number was wrong.
        window: What the step read; None if the record comes from a file without a replay.
        before: The domain's state before the step; likewise.
        after: The state after it; likewise.
        memory: The memory after the step; likewise. A listener sees it as it is now, so what is to be looked at later
            is kept first (`detached`).
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

    @property
    def windows(self) -> Sequence[str]:
        """The windows of the memory, oldest first; none without a memory."""
        return () if self.memory is None else self.memory.windows()

    def detached(self) -> "StepRecord":
        """The same record, whose contents of the memory stay as they are now."""
        return self._replace(memory=MemorySnapshot(tuple(self.windows), self.pointer))
