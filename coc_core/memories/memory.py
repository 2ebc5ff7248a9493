"""The memory interface: where windows of text are stored, and which one is next.

A memory knows nothing of a domain or a model. `fetch` reads the next window without changing anything, `apply` commits
a whole step or raises and leaves everything as it was, and `mark` and `rollback` go back in constant time.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

WindowT = TypeVar("WindowT")
WriteT = TypeVar("WriteT")


class Memory(ABC, Generic[WindowT, WriteT]):
    """An external memory: it holds one window of text for each instruction.

    Example:
        The stack that ships runs the window that was written last:

        >>> from coc_core.memories import PDAStack
        >>> stack = PDAStack("solve")
        >>> mark = stack.mark()
        >>> stack.apply(("clean up", "move"))
        >>> stack.fetch(), stack.pointer, list(stack.windows())
        ('move', 1, ['clean up', 'move'])
        >>> stack.rollback(mark)
        >>> stack.fetch(), stack.halted
        ('solve', False)

        A step is committed whole or not at all:

        >>> stack.apply(("a window",) * 1_001)
        Traceback (most recent call last):
        coc_core.errors.LimitFault: a step pushed 1001 windows, the limit is 1000
        >>> list(stack.windows())
        ['solve']
    """

    name: ClassVar[str]

    @property
    def halted(self) -> bool:
        """Whether no window is left to run."""
        return self.fetch() is None

    @abstractmethod
    def fetch(self) -> WindowT | None:
        """Return the next window, or None once the memory has halted. Changes nothing."""

    @abstractmethod
    def apply(self, write: WriteT) -> None:
        """Commit what one step writes.

        Raises:
            AddressFault: An address is wrong. Nothing has changed.
            LimitFault: A limit would be exceeded. Nothing has changed.
        """

    @abstractmethod
    def repeats(self) -> bool:
        """Return whether a run with a deterministic model provably never halts from here.

        Called once before each step. An endless run is detected after a number of steps that is at most a constant
        factor more than its cycle needs (Brent's method: an anchor that is renewed at powers of two).
        """

    @abstractmethod
    def mark(self) -> Any:
        """Return a token for the present contents and for what `repeats` has seen, in constant time."""

    @abstractmethod
    def rollback(self, mark: Any) -> None:
        """Restore contents, limits and loop detection to what they were at `mark`.

        Args:
            mark: A token of `mark`, from an earlier point of the path that led to the present contents.
        """

    @abstractmethod
    def windows(self) -> Sequence[str]:
        """Return the texts of the windows for display, oldest first."""

    @property
    @abstractmethod
    def pointer(self) -> int:
        """The index in `windows()` of the next window; -1 once halted."""
