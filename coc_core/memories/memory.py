"""The memory interface: where windows of text are stored, and which one is next.

A memory knows nothing of a domain or a model. What it holds is an immutable value, its contents: `start` makes the
first, and `write` makes the next from one of them and leaves that one as it was. A run can go on from any contents.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from coc_core.types import Limits

ContentsT = TypeVar("ContentsT")
WindowT = TypeVar("WindowT")
WriteT = TypeVar("WriteT")


class Memory(ABC, Generic[ContentsT, WindowT, WriteT]):
    """An external memory: it holds one window of text for each instruction.

    Args:
        limits: Caps on what it holds.

    Example:
        The stack that ships runs the window that was written last:

        >>> from coc_core.memories import PDAStack
        >>> stack = PDAStack()
        >>> first = stack.start("solve")
        >>> second = stack.write(first, ("clean up", "move"))
        >>> stack.read(second), stack.windows(second)
        ((1, 'move'), ('clean up', 'move'))
        >>> stack.read(first)
        (0, 'solve')

        A step is committed whole or not at all:

        >>> stack.write(first, ("a window",) * 1_001)
        Traceback (most recent call last):
        coc_core.errors.LimitFault: a step pushed 1001 windows, the limit is 1000
    """

    name: ClassVar[str]

    def __init__(self, limits: Limits = Limits()) -> None:
        self.limits = limits

    @abstractmethod
    def start(self, first: str) -> ContentsT:
        """Return the contents that a run starts with: one window, which is next."""

    @abstractmethod
    def read(self, contents: ContentsT) -> tuple[int, WindowT] | None:
        """Return the next window after its index in `windows`; None once the memory has halted."""

    @abstractmethod
    def write(self, contents: ContentsT, write: WriteT) -> ContentsT:
        """Return the contents after a step. The given contents, which have not halted, stay as they are.

        Args:
            contents: The contents before the step.
            write: What the step writes.

        Raises:
            AddressFault: An address is wrong.
            LimitFault: A limit would be exceeded.
        """

    @abstractmethod
    def windows(self, contents: ContentsT) -> Sequence[str]:
        """Return the texts of the windows for display, oldest first."""

    @abstractmethod
    def key(self, contents: ContentsT) -> tuple[int, Any]:
        """Return what decides how a run goes on, to find one that never halts: a level, and a value to compare.

        If a value comes again, and the level was never lower in between, the same steps follow again and again. On a
        stack these are its depth and its top, since nothing below has changed. A level below 0 never rises again: that
        of a tape is minus its length. Where the value is all that the memory holds, the level is -1. The given contents
        have not halted.
        """
